import { drawing, label, linear, x_axis, y_axis, type Frame } from "./axes";
import type { Gain, Run } from "./data";
import { svg } from "./dom";
import { count, short } from "./format";
import { hide_note, show_note } from "./tooltip";

export const term_classes = ["term-a", "term-b", "term-c", "term-d", "term-e", "term-f"];

/** Each pick's share of the diversity term that is the same for all: what is left once penalties are added back. */
export function constant_of(gain: Gain, run: Run): number {
  const diversity = gain.terms[1].mean;
  // The mean is what the other terms leave of the gain: without the term, their rounding.
  return diversity.length === 0 || run.objective === null || run.objective.diversity === 0 ? 0 : diversity[0] + gain.penalty[0];
}

/** Stacked shares of the gain along the picks. Without the constant, the penalty goes below zero. */
export function gain_chart(gain: Gain, total: number, without_constant: boolean, width: number): SVGSVGElement {
  const bins = gain.first.length;
  const layers = gain.terms.map((term, at) => ({
    name: without_constant && at === 1 ? "penalty for similar picks" : at === 1 ? "diversity" : term.name,
    value: (bin: number) => (without_constant && at === 1 ? -gain.penalty[bin] : term.mean[bin]),
    kind: term_classes[at % term_classes.length],
  }));
  let least = 0;
  let most = 0;
  for (let bin = 0; bin < bins; ++bin) {
    let up = 0;
    let down = 0;
    for (const layer of layers) (layer.value(bin) < 0 ? (down += layer.value(bin)) : (up += layer.value(bin)));
    least = Math.min(least, down);
    most = Math.max(most, up);
  }
  const frame: Frame = { left: 52, top: 26, width: width - 60, height: 230 };
  const out = drawing(width, frame.top + frame.height + 28, "Gain along the picks, by term");
  const x = linear([0, total], [frame.left, frame.left + frame.width]);
  const y = linear([least, Math.max(most, least + 1e-9)], [frame.top + frame.height, frame.top]);
  out.append(y_axis(frame, y, least, most, 5), label(0, 12, "Gain of a pick"));
  const end = (bin: number) => (bin + 1 < bins ? gain.first[bin + 1] : total);
  const up = new Array<number>(bins).fill(0);
  const down = new Array<number>(bins).fill(0);
  for (const layer of [layers[0], ...layers.slice(2), layers[1]]) {
    const tops: string[] = [];
    const bottoms: string[] = [];
    for (let bin = 0; bin < bins; ++bin) {
      const value = layer.value(bin);
      const side = value < 0 ? down : up;
      const from = side[bin];
      side[bin] += value;
      const x0 = x(gain.first[bin]).toFixed(2);
      const x1 = x(end(bin)).toFixed(2);
      tops.push(`${x0} ${y(side[bin]).toFixed(2)}L${x1} ${y(side[bin]).toFixed(2)}`);
      bottoms.unshift(`${x1} ${y(from).toFixed(2)}L${x0} ${y(from).toFixed(2)}`);
    }
    out.append(svg("path", { class: layer.kind, d: `M${tops.join("L")}L${bottoms.join("L")}z` }));
  }
  if (least < 0) out.append(svg("line", { class: "zero", x1: frame.left, x2: frame.left + frame.width, y1: y(0), y2: y(0) }));
  out.append(x_axis(frame, [[0, "first pick"], [total / 2, count(Math.round(total / 2))], [total, `pick ${count(total)}`]], x));
  const note = (event: MouseEvent) => {
    const place = (event.clientX - out.getBoundingClientRect().left - frame.left) / frame.width;
    const rank = Math.min(Math.max(place, 0), 0.999999) * total;
    let bin = 0;
    while (bin + 1 < bins && gain.first[bin + 1] <= rank) ++bin;
    const last = end(bin);
    show_note(event, [last - gain.first[bin] === 1 ? `pick ${count(last)}` : `picks ${count(gain.first[bin] + 1)} to ${count(last)}, mean`,
      ...layers.map((layer) => `${layer.name} ${short(layer.value(bin))}`)]);
  };
  out.append(svg("rect", { x: frame.left, y: frame.top, width: frame.width, height: frame.height, class: "area",
    mousemove: (event) => note(event as MouseEvent), mouseleave: hide_note }));
  return out;
}
