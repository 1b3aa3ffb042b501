import type { Report } from "../shared/data";
import { h } from "../shared/dom";
import { count, percent, percent_at_least } from "../shared/format";
import { theme_switch } from "../shared/theme";
import { at_cap, certified_share, covered, three_sentences } from "../shared/words";
import { figure } from "./parts";

export function header(report: Report, contents: [id: string, title: string][]): HTMLElement {
  const { run } = report;
  const out = h("header", {}, h("div", { class: "top" },
    h("p", { class: "kicker" }, report.rounds !== null ? "Pith, rounds of labelling" : run !== null ? "Pith, report on a selection" : "Pith, report on an experiment"),
    theme_switch()), h("h1", {}, report.name));
  if (run !== null) {
    out.append(h("p", { class: "summary" }, ...three_sentences(report).flatMap((sentence) => [sentence, " "])));
    const figures = [figure(count(run.budget.selected), "picked", `${percent(run.budget.selected / run.items)} of ${count(run.items)}`)];
    const share = certified_share(run);
    if (share !== null) figures.push(figure(percent_at_least(share), "of the best possible", "at least, by the certificate"));
    figures.push(
      figure(`${count(covered(report.classes))}/${count(report.classes.count)}`, "classes covered", run.class_active ? `${count(at_cap(report.classes))} at their cap` : "no caps"),
      figure(`${count(covered(report.boundaries))}/${count(report.boundaries.count)}`, "boundaries covered", run.boundary_active ? `${count(at_cap(report.boundaries))} at their cap` : "no caps"));
    if (run.coverage.represented !== undefined) figures.push(figure(percent(run.coverage.represented / run.items, 0), "of items represented", "a pick, or beside one"));
    out.append(h("dl", { class: "figures" }, ...figures));
  }
  if (report.notes.length > 0)
    out.append(h("aside", { class: "notes", "aria-label": "Notes" }, h("ul", {}, ...report.notes.map((note) => h("li", {}, note)))));
  if (contents.length > 1)
    out.append(h("nav", { "aria-label": "Contents" }, h("ul", {}, ...contents.map(([id, title]) => h("li", {}, h("a", { href: `#${id}` }, title))))));
  return out;
}
