import "../shared/theme.css";
import { Names, read_report, type Report } from "../shared/data";
import { h } from "../shared/dom";
import { boundary_section, class_section } from "./balance_sections";
import { certificate_section, gain_section } from "./gain_section";
import { header } from "./header";
import { map_section } from "./map_section";
import { details_section, experiment_section, rounds_section } from "./other_sections";
import { picks_section } from "./picks_section";
import { State } from "./state";

function sections(report: Report): HTMLElement[] {
  const out: HTMLElement[] = [];
  const names = new Names(report);
  const state = new State(report);
  const { run } = report;
  if (report.rounds !== null && run !== null) out.push(rounds_section(report.rounds, run.items, run.classes));
  if (run !== null) {
    if (report.map !== null) out.push(map_section(report, names, state));
    out.push(class_section(report, names, state), boundary_section(report, names, state));
    if (report.gain !== null) out.push(gain_section(report));
    out.push(certificate_section(report), picks_section(report, names, state));
  }
  if (report.experiment !== null) out.push(experiment_section(report.experiment));
  if (run !== null) out.push(details_section(report));
  return out;
}

const page = document.getElementById("page")!;
const report = read_report(document.getElementById("pith-data")!.textContent!);
if (report === null) {
  page.replaceChildren(h("p", {}, "This is the empty page that pith report fills. Run pith report DIR."));
} else {
  document.title = `${report.name}, a Pith report`;
  const parts = sections(report);
  const contents = parts.map((part): [string, string] => [part.id, part.querySelector("h2")!.textContent!]);
  page.replaceChildren(header(report, contents), h("main", { id: "main", tabindex: -1 }, ...parts));
  document.documentElement.dataset.ready = "yes";
}
