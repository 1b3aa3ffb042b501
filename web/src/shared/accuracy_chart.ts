import { drawing, label, linear, y_axis, type Frame } from "./axes";
import type { Experiment } from "./data";
import { svg } from "./dom";
import { count } from "./format";
import { kind_colour, most_kinds } from "./palette";

/** Marks that differ in shape, so that colour is not needed to tell them apart. */
export function mark(kind: number, x: number, y: number, size = 5): SVGPathElement {
  const shapes = [
    `M${x - size} ${y}a${size} ${size} 0 1 0 ${2 * size} 0a${size} ${size} 0 1 0 ${-2 * size} 0z`,
    `M${x - size} ${y - size}h${2 * size}v${2 * size}h${-2 * size}z`,
    `M${x} ${y - size * 1.2}L${x + size * 1.2} ${y + size}H${x - size * 1.2}z`,
    `M${x} ${y - size * 1.35}L${x + size * 1.35} ${y}L${x} ${y + size * 1.35}L${x - size * 1.35} ${y}z`,
    `M${x} ${y + size * 1.2}L${x + size * 1.2} ${y - size}H${x - size * 1.2}z`,
  ];
  return svg("path", { d: shapes[kind % shapes.length], class: "mark", style: `fill:${kind_colour(kind % most_kinds)}` });
}

/** Mean accuracy against subset size with 95% intervals, a line a strategy; all data as a band. */
export function accuracy_chart(experiment: Experiment, width: number): SVGSVGElement {
  const lines = experiment.variants.map((variant) => experiment.budgets.flatMap((budget, at) => {
    const entry = experiment.entries.find((e) => e.budget === budget.name && e.variant === variant);
    return entry === undefined ? [] : [{ at, entry }];
  }));
  const all = experiment.all_data;
  const values = lines.flat().flatMap(({ entry }) => [entry.mean, entry.low ?? entry.mean, entry.high ?? entry.mean]);
  if (all !== null) values.push(all.mean);
  const spread = Math.max(...values) - Math.min(...values);
  const least = Math.max(0, Math.min(...values) - 0.08 * spread - 0.2);
  const most = Math.min(100, Math.max(...values) + 0.08 * spread + 0.2);
  const frame: Frame = { left: 52, top: 26, width: width - 64, height: 300 };
  const out = drawing(width, frame.top + frame.height + 48, "Accuracy against subset size for every strategy");
  const y = linear([least, most], [frame.top + frame.height, frame.top]);
  const slot = frame.width / experiment.budgets.length;
  const crowd = Math.min(slot * 0.7, lines.length * 16);
  const x = (budget: number, line: number) => frame.left + (budget + 0.5) * slot +
    (lines.length > 1 ? (line / (lines.length - 1) - 0.5) * crowd : 0);
  out.append(y_axis(frame, y, least, most, 6, (value) => `${value.toFixed(most - least < 6 ? 1 : 0)}%`),
    label(0, 12, "Test accuracy"));
  if (all !== null) {
    const low = y(Math.max(all.low ?? all.mean, least));
    const high = y(Math.min(all.high ?? all.mean, most));
    out.append(svg("rect", { class: "band", x: frame.left, width: frame.width, y: high, height: Math.max(low - high, 1) }),
      svg("line", { class: "zero", x1: frame.left, x2: frame.left + frame.width, y1: y(all.mean), y2: y(all.mean) }),
      label(frame.left + frame.width, y(all.mean) - 6, "all data", "end"));
  }
  lines.forEach((line, kind) => {
    const colour = kind_colour(kind % most_kinds);
    if (line.length > 1)
      out.append(svg("path", { class: "line", style: `stroke:${colour}`,
        d: `M${line.map(({ at, entry }) => `${x(at, kind).toFixed(1)} ${y(entry.mean).toFixed(1)}`).join("L")}` }));
    for (const { at, entry } of line) {
      const text = `${experiment.variants[kind]} at ${entry.budget}: ${entry.mean.toFixed(2)}%`;
      if (entry.low !== null && entry.high !== null)
        out.append(svg("path", { class: "error", style: `stroke:${colour}`,
          d: `M${x(at, kind)} ${y(Math.max(entry.low, least))}V${y(Math.min(entry.high, most))}` }));
      const point = mark(kind, x(at, kind), y(entry.mean));
      point.append(svg("title", {}, text));
      out.append(point);
    }
  });
  out.append(svg("g", { class: "axis" }, ...experiment.budgets.flatMap((budget, at) => [
    svg("text", { x: frame.left + (at + 0.5) * slot, y: frame.top + frame.height + 18, "text-anchor": "middle" }, budget.name),
    svg("text", { x: frame.left + (at + 0.5) * slot, y: frame.top + frame.height + 36, "text-anchor": "middle" },
      budget.items > 0 ? `${count(budget.items)} items` : ""),
  ])));
  return out;
}
