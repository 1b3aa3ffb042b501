import { accuracy_chart, mark } from "../shared/accuracy_chart";
import type { Experiment, Report, Round } from "../shared/data";
import { h, responsive, svg } from "../shared/dom";
import { count, percent } from "../shared/format";
import { as_table, table } from "../shared/table";
import { section } from "./parts";

export function experiment_section(experiment: Experiment): HTMLElement {
  const place = h("div", { class: "chart-place" });
  responsive(place, (width) => accuracy_chart(experiment, width));
  const keys = h("ul", { class: "legend" }, ...experiment.variants.map((variant, kind) =>
    h("li", {}, svg("svg", { width: 14, height: 14, "aria-hidden": true }, mark(kind, 7, 7)), variant)));
  const interval = (low: number | null, high: number | null) => (low === null || high === null ? "one trial" : `${low.toFixed(2)} to ${high.toFixed(2)}`);
  return section("experiment", "Accuracy against subset size", "Mean over the trials; bars are 95% intervals of the mean.", place, keys,
    as_table("Accuracy by strategy and budget", [{ title: "Strategy" }, { title: "Budget" }, { title: "Trials", numeric: true }, { title: "Accuracy, %", numeric: true }, { title: "95% interval", numeric: true }],
      () => experiment.entries.map((entry) => [entry.variant, entry.budget, count(entry.count), entry.mean.toFixed(2), interval(entry.low, entry.high)])),
    h("h3", {}, "Verdict"), h("div", { class: "verdict" }, ...experiment.verdict.trim().split(/\n+/).map((line) => h("p", {}, line))));
}

export function rounds_section(rounds: Round[], items: number, classes: number): HTMLElement {
  return section("rounds", "Rounds", "Each round starts from what all rounds before it had labelled. The rest of this page shows the last one.",
    table("Rounds", [{ title: "Round" }, { title: "Labelled before", numeric: true }, { title: "Chosen", numeric: true }, { title: "Strategy" },
      { title: "Classes with a label or pick", numeric: true }, { title: "Uncertainty of the picks", numeric: true }, { title: "of all items", numeric: true }, { title: "Represented", numeric: true }],
      rounds.map((round, at) => [`${at + 1}`, count(round.labelled), count(round.selected), round.strategy, `${count(round.classes_covered)}/${count(classes)}`,
        round.mean_uncertainty.toFixed(3), round.mean_uncertainty_of_all.toFixed(3), round.represented === null ? "–" : percent(round.represented / items, 0)])));
}

export function details_section(report: Report): HTMLElement {
  const run = report.run!;
  const text = (value: unknown): string => (value === null ? "automatic" : Array.isArray(value) ? value.join(", ") : String(value));
  return section("details", "How it was made", "",
    table("Inputs", [{ title: "Input" }, { title: "File" }, { title: "Shape" }, { title: "Checksum" }],
      Object.entries(run.inputs).map(([role, note]) => [role, note.path, note.shape ?? "", note.checksum])),
    h("details", {}, h("summary", {}, "All options"), table("Options", [{ title: "Option" }, { title: "Value" }],
      Object.entries(run.options).map(([name, value]) => [`--${name}`, text(value)]))),
    h("details", {}, h("summary", {}, "Seconds by stage"), table("Seconds", [{ title: "Stage" }, { title: "Seconds", numeric: true }],
      Object.entries(run.seconds).map(([stage, seconds]) => [stage, seconds.toFixed(3)]))),
    h("p", { class: "hint" }, `Made by Pith ${run.version}. The same files, options and seed give the same picks on any machine and any number of threads.`));
}
