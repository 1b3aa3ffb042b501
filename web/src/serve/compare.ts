// Two choices side by side, with what differs marked.
import { key, section } from "../report/parts";
import type { Run } from "../shared/data";
import { h, type Child } from "../shared/dom";
import { count, percent, percent_at_least, short } from "../shared/format";
import { table } from "../shared/table";
import { certified_share, covered } from "../shared/words";
import type { Made, Model } from "./model";

const most_classes = 12;

function share_of_best(run: Run): string {
  if (run.certificate === null) return "…";
  const share = certified_share(run);
  return share === null ? "–" : percent_at_least(share, 2);
}

interface Line { name: string; of: (made: Made) => string }

const lines: Line[] = [
  { name: "Strategy", of: (made) => made.report.run!.strategy },
  { name: "Chosen", of: (made) => count(made.report.run!.budget.selected) },
  { name: "Objective, each by its own weights", of: (made) => (made.report.run!.objective === null ? "–" : short(made.report.run!.objective.total)) },
  { name: "At least so much of the best possible", of: (made) => share_of_best(made.report.run!) },
  { name: "Mean uncertainty of the picks", of: (made) => made.report.run!.coverage.mean_uncertainty.toFixed(3) },
  { name: "Classes with a pick", of: (made) => count(covered(made.report.classes)) },
  { name: "Boundaries with a pick", of: (made) => count(covered(made.report.boundaries)) },
  { name: "Items represented", of: (made) => (made.report.run!.coverage.represented === undefined ? "–" : percent(made.report.run!.coverage.represented / made.report.run!.items)) },
];

/** Options whose words differ. */
function different_options(a: Made, b: Made): string[] {
  return [...new Set([...Object.keys(a.asked), ...Object.keys(b.asked)])].filter((name) => a.asked[name] !== b.asked[name]).sort();
}

export function compare_section(model: Model): HTMLElement | null {
  const { a, b } = model.made;
  if (a === null || b === null) return null;
  const mine = new Set(a.report.picks.index);
  let shared = 0;
  for (const item of b.report.picks.index) if (mine.has(item)) ++shared;
  const [size_a, size_b] = [a.report.picks.total, b.report.picks.total];
  const either = size_a + size_b - shared;
  const marked = (differs: boolean, text: string): Child => (differs ? h("mark", {}, text) : text);
  const rows: Child[][] = lines.map(({ name, of }) => [name, marked(of(a) !== of(b), of(a)), marked(of(a) !== of(b), of(b))]);
  for (const name of different_options(a, b)) {
    if (name === "strategy") continue;
    rows.push([`--${name}`, h("mark", {}, a.asked[name] ?? "usual"), h("mark", {}, b.asked[name] ?? "usual")]);
  }
  const differences = Array.from(a.report.classes.selected, (value, label) => ({ label, a: value, b: b.report.classes.selected[label] }))
    .filter((one) => one.a !== one.b).sort((x, y) => Math.abs(y.a - y.b) - Math.abs(x.a - x.b) || x.label - y.label);
  const share = (value: number) => `${((100 * value) / Math.max(1, either)).toFixed(3)}%`;
  return section("compare", "A against B", `${count(shared)} items are in both, ${count(size_a - shared)} only in A and ${count(size_b - shared)} only in B; the two share ${percent(either === 0 ? 1 : shared / either)} of what either chose.`,
    h("div", { class: "overlap", role: "img", "aria-label": `${count(shared)} in both, ${count(size_a - shared)} only in A, ${count(size_b - shared)} only in B` },
      h("span", { class: "only-a", style: `width:${share(size_a - shared)}` }), h("span", { class: "both", style: `width:${share(shared)}` }), h("span", { class: "only-b", style: `width:${share(size_b - shared)}` })),
    h("ul", { class: "legend" }, key("only-a", "only in A"), key("both", "in both"), key("only-b", "only in B")),
    h("p", {}, h("button", { type: "button", click: () => model.show_difference() }, "Show what differs on the map")),
    h("div", { class: "two" },
      h("div", {}, h("h3", {}, "Figures and options"), table("A against B", [{ title: "" }, { title: "A", numeric: true }, { title: "B", numeric: true }], rows)),
      h("div", {}, h("h3", {}, "Classes that differ most"), differences.length === 0 ? h("p", { class: "hint" }, "Both chose as many of every class.")
        : table("Picks by class, A against B", [{ title: "Class" }, { title: "A", numeric: true }, { title: "B", numeric: true }, { title: "Difference", numeric: true }],
          differences.slice(0, most_classes).map((one) => [a.names.class_name(one.label), count(one.a), count(one.b), h("mark", {}, `${one.b > one.a ? "+" : "−"}${count(Math.abs(one.b - one.a))}`)])))));
}
