import { balance_chart, by_size, is_raised, spread_chart, type BalanceChart } from "../shared/balance_chart";
import type { Names, Report } from "../shared/data";
import { h, responsive } from "../shared/dom";
import { capitalised, count, counted, largest } from "../shared/format";
import { as_table } from "../shared/table";
import { at_cap, covered, initial_words, raised } from "../shared/words";
import { key, section } from "./parts";
import type { State } from "./state";

function keys(chart: BalanceChart): HTMLElement {
  const { groups } = chart;
  return h("ul", { class: "legend" }, key("bar-pool", "in the pool"), key("bar-picks", "picked"),
    largest(groups.labelled) > 0 && key("bar-labelled", chart.initial),
    chart.active && key("cap", "cap"),
    chart.active && raised(groups) > 0 && key("cap-raised", "cap that was raised"),
    chart.active && raised(groups) > 0 && key("cap-asked", "as it was asked for"));
}

/** Beyond these a table is no help to anybody; summary.json has them all. */
const most_rows = 2000;

function numbers(chart: BalanceChart, caption: string): HTMLElement {
  const { groups } = chart;
  const more = groups.count > most_rows ? `${caption}, the ${count(most_rows)} largest of ${count(groups.count)}` : caption;
  return as_table(more, [{ title: chart.what === "classes" ? "Class" : "Boundary" }, { title: "Pool", numeric: true },
    { title: capitalised(chart.initial), numeric: true }, { title: "Picked", numeric: true }, { title: "Cap", numeric: true }, { title: "Cap asked for", numeric: true }],
    () => by_size(groups).slice(0, most_rows).map((at) => [chart.name(at), count(groups.available[at]), count(groups.labelled[at]), count(groups.selected[at]),
      chart.active ? `${count(groups.cap[at])}${is_raised(groups, at) ? " (raised)" : ""}` : "none", chart.active ? count(groups.cap_requested[at]) : "none"]));
}

/** "22 to 51". */
function range(values: ArrayLike<number>): string {
  const most = largest(Array.from(values));
  const least = -largest(Array.from(values, (value) => -value), -Infinity);
  return least === most ? count(least) : `${count(least)} to ${count(most)}`;
}

export function class_section(report: Report, names: Names, state: State): HTMLElement {
  const run = report.run!;
  const chart: BalanceChart = { groups: report.classes, active: run.class_active, what: "classes", initial: initial_words(report),
    name: (group) => names.class_name(group), on_choose: (group) => state.single_out({ kind: "class", group }) };
  const place = h("div", { class: "chart-place" });
  responsive(place, (width) => balance_chart(chart, width));
  const high = raised(report.classes);
  return section("classes", "Classes", `By predicted class: the pool has ${range(report.classes.available)} items of each, the picks ${range(report.classes.selected)}.` +
    (run.class_active ? ` ${counted(at_cap(report.classes), "class is", "classes are")} at their cap${high > 0 ? `; ${counted(high, "cap was", "caps were")} raised` : ""}.` : ""),
    place, keys(chart), numbers(chart, "Classes: pool, picks and caps"));
}

export function boundary_section(report: Report, names: Names, state: State): HTMLElement {
  const run = report.run!;
  const groups = report.boundaries;
  const chart: BalanceChart = { groups, active: run.boundary_active, what: "boundaries", initial: initial_words(report),
    name: (group) => names.boundary_name(group), on_choose: (group) => state.single_out({ kind: "boundary", group }) };
  const lead = `An item lies on the boundary between its two likeliest classes, where it is uncertain enough. ${count(covered(groups))} of ${counted(groups.count, "boundary has", "boundaries have")} a pick` +
    (run.boundary_active ? `; ${counted(at_cap(groups), "is", "are")} at their cap` : "") + ".";
  if (groups.count === 0) return section("boundaries", "Decision boundaries", "No item lies on a boundary: the model is sure of all of them.");
  const place = h("div", { class: "chart-place" });
  responsive(place, (width) => balance_chart(chart, width));
  const spread = h("div", { class: "chart-place half" });
  responsive(spread, (width) => spread_chart(groups, "boundaries", width));
  return section("boundaries", "Decision boundaries", lead, place, keys(chart),
    h("h3", {}, "Coverage"), h("p", { class: "lead" }, "How many boundaries got how many picks. Those with none are grey."), spread,
    numbers(chart, "Boundaries: pool, picks and caps"));
}
