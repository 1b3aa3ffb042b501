// Groups (classes or boundaries), largest first: how many the pool has, how many were picked, and their caps.
import { drawing, label, linear, y_axis, type Frame } from "./axes";
import type { Groups } from "./data";
import { svg } from "./dom";
import { count, largest } from "./format";
import { hide_note, show_note } from "./tooltip";

export interface BalanceChart {
  groups: Groups;
  active: boolean;
  name: (group: number) => string;
  what: string;  // "classes"
  initial: string;  // "labelled before"
  on_choose?: (group: number) => void;
}

/** Items are counted: a tick between two whole numbers stays without a number. */
const whole_text = (value: number): string => (Number.isInteger(value) ? count(value) : "");

/** Groups by size of the pool, ties to the lower one. */
export function by_size(groups: Groups): number[] {
  return Array.from({ length: groups.count }, (_, at) => at)
    .sort((a, b) => groups.available[b] - groups.available[a] || a - b);
}
export const is_raised = (groups: Groups, at: number): boolean => groups.cap[at] > groups.cap_requested[at];

export function describe_group(chart: BalanceChart, group: number): string[] {
  const { groups } = chart;
  const lines = [chart.name(group), `pool ${count(groups.available[group])}`,
    `picks ${count(groups.selected[group])}`];
  if (groups.labelled[group] > 0) lines.push(`${chart.initial} ${count(groups.labelled[group])}`);
  if (chart.active) {
    lines.push(is_raised(groups, group)
      ? `cap ${count(groups.cap[group])}, raised from ${count(groups.cap_requested[group])}`
      : `cap ${count(groups.cap[group])}`);
  }
  return lines;
}

/** Groups one beside the other, largest first, or several to a bar where they are more than the page has room for. */
function bars_of(groups: Groups, most: number): number[][] {
  const order = by_size(groups);
  const size = Math.max(1, Math.ceil(order.length / most));
  return Array.from({ length: Math.ceil(order.length / size) }, (_, at) => order.slice(at * size, (at + 1) * size));
}

export function balance_chart(chart: BalanceChart, width: number): SVGSVGElement {
  const { groups } = chart;
  const named = groups.count <= Math.floor((width - 60) / 44);
  const left = 52;
  const pool: Frame = { left, top: 26, width: width - left - 4, height: 84 };
  const picks: Frame = { left, top: 154, width: pool.width, height: 132 };
  const height = picks.top + picks.height + (named ? 30 : 26);
  const out = drawing(width, height, `Pool and picks of ${count(groups.count)} ${chart.what}`);
  const bars = bars_of(groups, 2 * pool.width);
  const most_of = (bar: number[], value: (group: number) => number) => largest(bar.map(value));
  const most_pool = largest(groups.available, 1);
  // A cap far above anything picked would press the bars flat: it is left out then.
  const most_picked = largest(Array.from(groups.selected, (s, at) => s + groups.labelled[at]), 1);
  const most_cap = chart.active ? largest(groups.cap) : 0;
  const most_picks = Math.max(most_picked, Math.min(most_cap, 2 * most_picked)) * 1.04;
  const step = pool.width / bars.length;
  const thick = Math.max(step > 6 ? step - 2 : step > 3 ? step - 1 : step, 0.5);
  const x = (at: number) => left + at * step + (step - thick) / 2;
  const pool_y = linear([0, most_pool], [pool.top + pool.height, pool.top]);
  const picks_y = linear([0, most_picks], [picks.top + picks.height, picks.top]);
  out.append(y_axis(pool, pool_y, 0, most_pool, 2, whole_text), y_axis(picks, picks_y, 0, most_picks, 3, whole_text),
    label(0, 12, "Pool, before"), label(0, picks.top - 14, chart.active ? "Picks, after, and caps" : "Picks, after"));
  const rectangles = (kind: string, top: (bar: number[]) => number, bottom: (bar: number[]) => number) =>
    svg("path", { class: kind, d: bars.map((bar, at) =>
      `M${x(at).toFixed(2)} ${bottom(bar).toFixed(2)}V${top(bar).toFixed(2)}h${thick.toFixed(2)}V${bottom(bar).toFixed(2)}z`).join("") });
  const labelled = (bar: number[]) => most_of(bar, (g) => groups.labelled[g]);
  out.append(rectangles("bar-pool", (bar) => pool_y(most_of(bar, (g) => groups.available[g])), () => pool_y(0)));
  if (largest(groups.labelled) > 0) out.append(rectangles("bar-labelled", (bar) => picks_y(labelled(bar)), () => picks_y(0)));
  out.append(rectangles("bar-picks", (bar) => picks_y(most_of(bar, (g) => groups.labelled[g] + groups.selected[g])), (bar) => picks_y(labelled(bar))));
  if (chart.active) {
    const cap_line = (kind: string, wanted: (group: number) => boolean, value: (group: number) => number) =>
      svg("path", { class: kind, d: bars.map((bar, at) => {
        const own = bar.filter(wanted);
        const level = most_of(own, value);
        if (own.length === 0 || level > most_picks) return "";
        return `M${(left + at * step).toFixed(2)} ${picks_y(level).toFixed(2)}h${step.toFixed(2)}`;
      }).join("") });
    out.append(cap_line("cap", (g) => !is_raised(groups, g), (g) => groups.cap[g]),
      cap_line("cap-asked", (g) => is_raised(groups, g), (g) => groups.cap_requested[g]),
      cap_line("cap-raised", (g) => is_raised(groups, g), (g) => groups.cap[g]));
  }
  const bottom = picks.top + picks.height;
  if (named) {
    out.append(svg("g", { class: "axis" }, ...bars.map(([group], at) => {
      const text = chart.name(group).replace(/^class /, "");
      const fits = Math.max(3, Math.floor(step / 7));
      return svg("text", { x: left + (at + 0.5) * step, y: bottom + 18, "text-anchor": "middle" },
        text.length > fits ? `${text.slice(0, fits - 1)}…` : text);
    })));
  } else {
    out.append(label(left, bottom + 18, `${count(groups.count)} ${chart.what}, largest pool first`));
  }
  const group_at = (event: MouseEvent) => {
    const at = Math.floor((event.clientX - out.getBoundingClientRect().left - left) / step);
    return bars[Math.min(Math.max(at, 0), bars.length - 1)][0];
  };
  out.append(svg("rect", { x: left, y: pool.top, width: pool.width, height: bottom - pool.top, class: "area",
    mousemove: (event) => show_note(event as MouseEvent, describe_group(chart, group_at(event as MouseEvent))),
    mouseleave: hide_note,
    click: (event) => chart.on_choose?.(group_at(event as MouseEvent)) }));
  return out;
}

/** How many groups got no pick, 1, 2, ... or, where that would be too many bars, so and so many. */
export function spread_chart(groups: Groups, what: string, width: number): SVGSVGElement {
  const most = largest(groups.selected);
  const size = Math.max(1, Math.ceil(most / 30));
  const counts = new Array<number>(1 + Math.ceil(most / size)).fill(0);
  for (const value of groups.selected) ++counts[Math.ceil(value / size)];
  const names = counts.map((_, at) => (at === 0 || size === 1 ? `${at}` : `${(at - 1) * size + 1}–${at * size}`));
  const frame: Frame = { left: 52, top: 26, width: width - 56, height: 110 };
  const out = drawing(width, 162, `How many ${what} got how many picks`);
  const y = linear([0, largest(counts, 1)], [frame.top + frame.height, frame.top]);
  const step = Math.min(frame.width / counts.length, 64);
  out.append(y_axis(frame, y, 0, largest(counts, 1), 3, whole_text), label(0, 12, `Number of ${what}, by picks`));
  const every = Math.ceil((size === 1 ? 30 : 44) / step);
  counts.forEach((value, at) => {
    out.append(svg("rect", { class: at === 0 ? "bar-pool" : "bar-picks", x: frame.left + at * step + 1, y: y(value),
      width: Math.max(step - 2, 1), height: Math.max(y(0) - y(value), 0) }, svg("title", {}, `${count(value)} ${what} with ${names[at]} picks`)));
    if (at % every === 0)
      out.append(svg("g", { class: "axis" }, svg("text", { x: frame.left + (at + 0.5) * step, y: frame.top + frame.height + 18,
        "text-anchor": "middle" }, names[at])));
  });
  return out;
}
