// What colour each point of the map has, and the legend that says so.
import type { ItemMap, Names, Report } from "./data";
import { h } from "./dom";
import { count, largest, percent } from "./format";
import { accent, css, ground, kind_colour, labelled_colour, most_kinds, quiet, ramp, rgb, type Rgb } from "./palette";
import { is_dark } from "./theme";
import type { Look } from "./scatter";
import { initial_words } from "./words";

export type Colouring = "class" | "uncertainty" | "boundary" | "order";

export function possible_colourings(map: ItemMap): [Colouring, string][] {
  const out: [Colouring, string][] = [];
  if (map.class !== null) out.push(["class", "Class"]);
  if (map.uncertainty !== null) out.push(["uncertainty", "Uncertainty"]);
  if (map.boundary !== null) out.push(["boundary", "Boundary"]);
  out.push(["order", "Pick order"]);
  return out;
}

/** The groups with a colour of their own: those with most points, or the one asked for. */
function coloured_groups(values: ArrayLike<number>, none: boolean, only: number | null): Map<number, Rgb> {
  if (only !== null) return new Map([[only, accent()]]);
  let most = 0;
  for (let at = 0; at < values.length; ++at) if (values[at] > most) most = values[at];
  const sizes = new Uint32Array(most + 1);
  for (let at = 0; at < values.length; ++at) ++sizes[values[at]];
  const groups = Array.from(sizes.keys()).filter((group) => sizes[group] > 0 && (!none || group !== 0));
  const chosen = groups.sort((x, y) => sizes[y] - sizes[x] || x - y).slice(0, most_kinds);
  return new Map(chosen.sort((x, y) => x - y).map((group, at) => [group, rgb(kind_colour(at))]));
}

/** Colours by a whole number from 0 up, three bytes each, to look up for a million points. */
function lookup(count: number, colour: (at: number) => Rgb): Uint8Array {
  const table = new Uint8Array(3 * count);
  for (let at = 0; at < count; ++at) table.set(colour(at), 3 * at);
  return table;
}

export interface Painted { look: Look; legend: HTMLElement }

export const swatch = (colour: Rgb, text: string, shape = ""): HTMLElement =>
  h("li", {}, h("span", { class: `swatch ${shape}`, style: `background:${css(colour)}` }), text);

function ramp_legend(low: string, high: string): HTMLElement {
  const stops = [0, 0.25, 0.5, 0.75, 1].map((share) => css(ramp(share))).join(", ");
  return h("li", { class: "ramp" }, low, h("span", { style: `background:linear-gradient(to right, ${stops})` }), high);
}

/** `only`: the class or boundary to show, with everything else faint. */
export function paint(report: Report, names: Names, colouring: Colouring, only: number | null, pool: boolean): Painted {
  const map = report.map!;
  const colours = new Uint8Array(3 * map.count);
  const raised = new Uint8Array(map.count);
  const shown = only !== null || !pool ? new Uint8Array(map.count) : null;
  const legend: HTMLElement[] = [];
  const grouped = colouring === "class" ? map.class! : colouring === "boundary" ? map.boundary! : null;
  const groups = grouped === null ? null
    : coloured_groups(grouped, colouring === "boundary", only === null ? null : only + (colouring === "boundary" ? 1 : 0));
  const total = Math.max(1, report.picks.total - 1);
  const steps = 24;
  const by_group = groups === null ? null : lookup(largest(grouped!) + 1, (group) => groups.get(group) ?? quiet());
  const by_amount = lookup(256, (amount) => ramp(amount / 255));
  // Step 0 is for what was not picked.
  const by_order = lookup(steps + 2, (step) => (step === 0 ? quiet() : ramp(1 - 0.85 * ((step - 1) / steps))));
  const labelled = lookup(1, labelled_colour);
  for (let at = 0; at < map.count; ++at) {
    const rank = map.pick[at] - 1;
    raised[at] = rank >= 0 ? 1 : 0;
    let table = by_group ?? by_order;
    let row = 0;
    if (by_group !== null) row = grouped![at];
    else if (colouring === "uncertainty") {
      table = by_amount;
      row = map.uncertainty![at];
    } else if (rank >= 0) row = 1 + Math.round((steps * rank) / total);
    if (map.labelled !== null && map.labelled[at] !== 0) {
      table = labelled;
      row = 0;
      raised[at] = 2;
    }
    colours[3 * at] = table[3 * row];
    colours[3 * at + 1] = table[3 * row + 1];
    colours[3 * at + 2] = table[3 * row + 2];
    if (shown !== null) shown[at] = (groups === null || only === null || groups.has(grouped![at])) && (pool || raised[at] !== 0) ? 1 : 0;
  }
  if (groups !== null) {
    for (const [group, colour] of groups)
      legend.push(swatch(colour, colouring === "class" ? names.class_name(group) : names.boundary_name(group - 1)));
    const all = colouring === "class" ? report.classes.count : report.boundaries.count;
    if (all > groups.size || colouring === "boundary")
      legend.push(swatch(quiet(), only !== null ? "everything else" : colouring === "class" ? `${count(all - groups.size)} other classes` : "other boundaries, or none"));
  } else if (colouring === "uncertainty") {
    legend.push(ramp_legend("certain", "uncertain"));
  } else {
    legend.push(ramp_legend("last pick", "first pick"), swatch(quiet(), "not picked"));
  }
  if (map.labelled !== null) legend.push(swatch(labelled_colour(), initial_words(report), "diamond"));
  return {
    look: { colours, raised, shown, ground: ground(), rim: is_dark() ? [235, 238, 236] : [25, 28, 28] },
    legend: h("ul", { class: "legend" }, h("li", {}, h("span", { class: "swatch round rimmed" }), "picked"), ...legend),
  };
}

/** How much of what varies a PCA map shows. */
export const pca_note = (share: number[]): string => `The two axes show ${percent(share[0] + share[1], 0)} of the variance.`;
