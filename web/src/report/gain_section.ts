import type { Report } from "../shared/data";
import { choice, h, responsive } from "../shared/dom";
import { count, percent, percent_at_least, short } from "../shared/format";
import { constant_of, gain_chart, term_classes } from "../shared/gain_chart";
import { as_table } from "../shared/table";
import { certificate_words, certified_share } from "../shared/words";
import { key, section } from "./parts";

export function gain_section(report: Report): HTMLElement {
  const gain = report.gain!;
  const { total } = report.picks;
  const constant = constant_of(gain, report.run!);
  let without = constant > 0;
  const place = h("div", { class: "chart-place" });
  const legend = h("div", { class: "legend-place" });
  const draw = (width: number) => gain_chart(gain, total, without, width);
  const refresh = () => {
    place.replaceChildren(draw(Math.max(240, place.clientWidth)));
    legend.replaceChildren(h("ul", { class: "legend" }, ...gain.terms.map((term, at) =>
      key(term_classes[at % term_classes.length], at === 1 ? (without ? "taken off for similar picks" : "diversity") : term.name))));
  };
  responsive(place, draw);
  refresh();
  const lead = "What each pick added to the objective when it was taken, by term" +
    (gain.first.length < total ? `; each step is the mean of about ${count(Math.round(total / gain.first.length))} picks.` : ".");
  return section("gain", "Gain along the picks", lead,
    constant > 0 && h("div", { class: "controls" }, choice("Show", [["parts", "What differs"], ["whole", "Whole gain"]], "parts", (value) => {
      without = value === "parts";
      refresh();
    })), place, legend,
    constant > 0 && h("p", { class: "hint" }, `Every pick also adds the same ${short(constant)} of the diversity term, which keeps the objective from ever falling. "Whole gain" shows it.`),
    as_table("Gain along the picks, by term", [{ title: "From pick", numeric: true }, ...gain.terms.map((term) => ({ title: term.name, numeric: true })), { title: "taken off for similar picks", numeric: true }],
      () => Array.from(gain.first, (first, bin) => [count(first + 1), ...gain.terms.map((term) => short(term.mean[bin])), short(gain.penalty[bin])])));
}

export function certificate_section(report: Report): HTMLElement {
  const run = report.run!;
  const share = certified_share(run);
  return section("certificate", "Certificate", "",
    share !== null && h("div", { class: "meter", role: "img", "aria-label": `At least ${percent_at_least(share, 2)} of the best possible` },
      h("span", { style: `width:${percent(Math.min(share, 1), 3)}` })),
    ...certificate_words(run).map((text) => h("p", {}, text)));
}
