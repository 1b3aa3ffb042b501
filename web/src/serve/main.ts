import "../shared/theme.css";
import "./explorer.css";
import { boundary_section, class_section } from "../report/balance_sections";
import { certificate_section, gain_section } from "../report/gain_section";
import { figure, section } from "../report/parts";
import { State } from "../report/state";
import type { Run } from "../shared/data";
import { h } from "../shared/dom";
import { count, percent, percent_at_least } from "../shared/format";
import { theme_switch } from "../shared/theme";
import { at_cap, certified_share, covered, three_sentences } from "../shared/words";
import { get_points, get_session } from "./api";
import { compare_section } from "./compare";
import { controls } from "./controls";
import { inspector } from "./inspector";
import { map_view } from "./map_view";
import { Model } from "./model";
import { take_away_section } from "./take_away";

const page = document.getElementById("page")!;

function certificate_figure(run: Run): HTMLElement {
  const label = "of the best possible";
  if (run.certificate === null) return figure("…", label, run.measured ? "the certificate takes longer" : "not measured");
  const share = certified_share(run);
  return share === null ? figure("–", label, "nothing is known of it") : figure(percent_at_least(share), label, "at least, by the certificate");
}

function header(model: Model): HTMLElement {
  const summary = h("p", { class: "summary" });
  const figures = h("dl", { class: "figures" });
  const show = () => {
    const { report } = model.current!;
    const run = report.run!;
    summary.replaceChildren(...three_sentences(report).flatMap((sentence) => [sentence, " "]));
    figures.replaceChildren(figure(count(run.budget.selected), `chosen in ${model.place.toUpperCase()}`, `${percent(run.budget.selected / run.items)} of ${count(run.items)}`),
      certificate_figure(run),
      figure(`${count(covered(report.classes))}/${count(report.classes.count)}`, "classes covered", run.class_active ? `${count(at_cap(report.classes))} at their cap` : "no caps"),
      figure(`${count(covered(report.boundaries))}/${count(report.boundaries.count)}`, "boundaries covered", run.boundary_active ? `${count(at_cap(report.boundaries))} at their cap` : "no caps"),
      figure(run.coverage.represented === undefined ? "–" : percent(run.coverage.represented / run.items, 0), "of items represented", "a pick, or beside one"));
  };
  model.on("choice", show);
  model.on("certificate", show);
  return h("header", {}, h("div", { class: "top" }, h("p", { class: "kicker" }, "Pith, explorer"), theme_switch()), h("h1", {}, model.session.name), summary, figures,
    model.session.notes.length > 0 && h("aside", { class: "notes", "aria-label": "Notes" }, h("ul", {}, ...model.session.notes.map((note) => h("li", {}, note)))));
}

/** The views of a report, drawn anew for every choice. */
function live_sections(model: Model): HTMLElement {
  const out = h("div", { class: "live" });
  // Tables the reader has opened stay open.
  const open_ones = () => new Set(Array.from(out.querySelectorAll<HTMLDetailsElement>("details[open]"), (one) => one.closest("section")!.id));
  const show = () => {
    const { report, names } = model.current!;
    const state = new State(report);
    state.on_single((single) => { if (single !== null) model.single_out(single); });
    const opened = open_ones();
    const parts: (HTMLElement | null)[] = [compare_section(model), class_section(report, names, state), boundary_section(report, names, state),
      report.gain === null ? null : gain_section(report),
      report.run!.certificate !== null ? certificate_section(report) : section("certificate", "Certificate", "It is being computed: it takes longer than the choice itself.")];
    out.replaceChildren(...parts.filter((part): part is HTMLElement => part !== null));
    for (const details of out.querySelectorAll<HTMLDetailsElement>("details")) if (opened.has(details.closest("section")!.id)) details.open = true;
  };
  // The certificate comes later than the rest, which then stays as it is.
  const show_certificate = () => {
    if (model.current!.report.run!.certificate !== null) out.querySelector("#certificate")?.replaceWith(certificate_section(model.current!.report));
    const compared = compare_section(model);
    if (compared !== null) out.querySelector("#compare")?.replaceWith(compared);
  };
  model.on("choice", show);
  model.on("certificate", show_certificate);
  return out;
}

try {
  const session = await get_session();
  document.title = `${session.name}, Pith explorer`;
  page.replaceChildren(h("p", { class: "hint", role: "status" }, `Fetching ${count(session.points)} points…`));
  const model = new Model(session, await get_points());
  const top = header(model);
  const map = map_view(model);
  const main = h("main", { id: "main", tabindex: -1 });
  const workspace = h("div", { class: "workspace" }, controls(model), map, inspector(model));
  main.append(workspace, live_sections(model), take_away_section(model));
  page.replaceChildren(top, main);
  // The address keeps what is behind its #: the token, which a reload asks with.
  document.querySelector(".skip")!.addEventListener("click", (event) => {
    event.preventDefault();
    main.focus();
  });
  document.documentElement.dataset.ready = "page";
  await model.choose();
  document.documentElement.dataset.ready = "yes";
} catch (error) {
  page.replaceChildren(h("p", { class: "wrong", role: "alert" }, (error as Error).message));
}
