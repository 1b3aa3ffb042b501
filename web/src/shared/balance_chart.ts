// Groups (classes or boundaries), largest first: how many the pool has, how many were picked, and their caps.
import { drawing, label, linear, y_axis, type Frame } from "./axes";
import type { Groups } from "./data";
import { svg } from "./dom";
import { count } from "./format";
import { hide_note, show_note } from "./tooltip";

export interface BalanceChart {
  groups: Groups;
  active: boolean;
  name: (group: number) => string;
  what: string;  // "classes"
  on_choose?: (group: number) => void;
}

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
  if (groups.labelled[group] > 0) lines.push(`labelled before ${count(groups.labelled[group])}`);
  if (chart.active) {
    lines.push(is_raised(groups, group)
      ? `cap ${count(groups.cap[group])}, raised from ${count(groups.cap_requested[group])}`
      : `cap ${count(groups.cap[group])}`);
  }
  return lines;
}

export function balance_chart(chart: BalanceChart, width: number): SVGSVGElement {
  const { groups } = chart;
  const order = by_size(groups);
  const named = groups.count <= Math.floor((width - 60) / 44);
  const left = 52;
  const pool: Frame = { left, top: 26, width: width - left - 4, height: 84 };
  const picks: Frame = { left, top: 154, width: pool.width, height: 132 };
  const height = picks.top + picks.height + (named ? 30 : 26);
  const out = drawing(width, height, `Pool and picks of ${count(groups.count)} ${chart.what}`);
  const most_pool = Math.max(1, ...groups.available);
  // A cap far above anything picked would press the bars flat: it is drawn at the edge then.
  const most_picked = Math.max(1, ...Array.from(groups.selected, (s, at) => s + groups.labelled[at]));
  const most_cap = chart.active ? Math.max(...order.map((g) => groups.cap[g])) : 0;
  const most_picks = Math.max(most_picked, Math.min(most_cap, 2 * most_picked)) * 1.04;
  const step = pool.width / groups.count;
  const bar = Math.max(step > 6 ? step - 2 : step > 3 ? step - 1 : step, 0.5);
  const x = (at: number) => left + at * step + (step - bar) / 2;
  const pool_y = linear([0, most_pool], [pool.top + pool.height, pool.top]);
  const picks_y = linear([0, most_picks], [picks.top + picks.height, picks.top]);
  out.append(y_axis(pool, pool_y, 0, most_pool, 2), y_axis(picks, picks_y, 0, most_picks, 3),
    label(0, 12, "Pool, before"), label(0, picks.top - 14, chart.active ? "Picks, after, and caps" : "Picks, after"));
  const rectangles = (kind: string, top: (g: number) => number, bottom: (g: number) => number) =>
    svg("path", { class: kind, d: order.map((group, at) =>
      `M${x(at).toFixed(2)} ${bottom(group).toFixed(2)}V${top(group).toFixed(2)}h${bar.toFixed(2)}V${bottom(group).toFixed(2)}z`).join("") });
  out.append(rectangles("bar-pool", (g) => pool_y(groups.available[g]), () => pool_y(0)));
  if (groups.labelled.some((value) => value > 0))
    out.append(rectangles("bar-labelled", (g) => picks_y(groups.labelled[g]), () => picks_y(0)));
  out.append(rectangles("bar-picks", (g) => picks_y(groups.labelled[g] + groups.selected[g]), (g) => picks_y(groups.labelled[g])));
  if (chart.active) {
    const cap_line = (kind: string, wanted: (group: number) => boolean, value: (group: number) => number) =>
      svg("path", { class: kind, d: order.map((group, at) => {
        if (!wanted(group) || value(group) > most_picks) return "";
        return `M${(left + at * step).toFixed(2)} ${picks_y(value(group)).toFixed(2)}h${step.toFixed(2)}`;
      }).join("") });
    out.append(cap_line("cap", (g) => !is_raised(groups, g), (g) => groups.cap[g]),
      cap_line("cap-asked", (g) => is_raised(groups, g), (g) => groups.cap_requested[g]),
      cap_line("cap-raised", (g) => is_raised(groups, g), (g) => groups.cap[g]));
  }
  const bottom = picks.top + picks.height;
  if (named) {
    out.append(svg("g", { class: "axis" }, ...order.map((group, at) => {
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
    return order[Math.min(Math.max(at, 0), groups.count - 1)];
  };
  const area = svg("rect", { x: left, y: pool.top, width: pool.width, height: bottom - pool.top, class: "area",
    mousemove: (event) => show_note(event as MouseEvent, describe_group(chart, group_at(event as MouseEvent))),
    mouseleave: hide_note,
    click: (event) => chart.on_choose?.(group_at(event as MouseEvent)) });
  out.append(area);
  return out;
}

/** How many groups got 0, 1, 2, ... picks. */
export function spread_chart(groups: Groups, what: string, width: number): SVGSVGElement {
  const most = Math.max(0, ...groups.selected);
  const bins = Math.min(most, 40) + 1;
  const size = Math.ceil((most + 1) / bins);
  const counts = new Array<number>(Math.ceil((most + 1) / size)).fill(0);
  for (const value of groups.selected) ++counts[Math.floor(value / size)];
  const frame: Frame = { left: 52, top: 26, width: width - 56, height: 110 };
  const out = drawing(width, 166, `How many ${what} got how many picks`);
  const y = linear([0, Math.max(1, ...counts)], [frame.top + frame.height, frame.top]);
  const step = Math.min(frame.width / counts.length, 64);
  out.append(y_axis(frame, y, 0, Math.max(1, ...counts), 3), label(0, 12, `Number of ${what}`));
  const every = Math.ceil(34 / step);
  counts.forEach((value, at) => {
    const text = size === 1 ? `${at}` : `${at * size}–${at * size + size - 1}`;
    const bar = svg("rect", { class: at === 0 && size === 1 ? "bar-pool" : "bar-picks", x: frame.left + at * step + 1,
      y: y(value), width: Math.max(step - 2, 1), height: Math.max(y(0) - y(value), 0) },
      svg("title", {}, `${count(value)} ${what} with ${text} picks`));
    out.append(bar);
    if (at % every === 0)
      out.append(svg("g", { class: "axis" }, svg("text", { x: frame.left + (at + 0.5) * step, y: frame.top + frame.height + 18,
        "text-anchor": "middle" }, text)));
  });
  out.append(label(frame.left + Math.max(counts.length * step, 90), frame.top + frame.height + 18, "picks", counts.length * step > frame.width - 40 ? "end" : "start"));
  return out;
}
