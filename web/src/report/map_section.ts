import { by_size } from "../shared/balance_chart";
import { paint, pca_note, possible_colourings, type Colouring } from "../shared/colouring";
import type { Names, Places, Report } from "../shared/data";
import { choice, h, replace_content, scroll_to } from "../shared/dom";
import { count } from "../shared/format";
import { most_kinds } from "../shared/palette";
import { Scatter } from "../shared/scatter";
import { on_theme_change } from "../shared/theme";
import { section } from "./parts";
import { pick_card } from "./pick_card";
import type { State } from "./state";

const most_options = 500;

/** The map, its controls, and a card on the pick that is looked at. */
export function map_section(report: Report, names: Names, state: State): HTMLElement {
  const map = report.map!;
  const layouts: [string, string, Places][] = [];
  if (map.layout !== null) layouts.push(["umap", "Neighbours", map.layout]);
  if (map.pca !== null) layouts.push(["pca", "PCA", map.pca]);
  let layout = layouts[0];
  // With more classes than colours, uncertainty says more at first sight.
  const colourings = possible_colourings(map);
  let colouring: Colouring = colourings.length > 1 && report.classes.count > most_kinds ? colourings[1][0] : colourings[0][0];
  let only: number | null = null;
  let pool = true;

  const canvas = h("canvas", { tabindex: 0, role: "img", "aria-describedby": "map-help",
    "aria-label": `Map of ${count(map.count)} items with ${count(report.picks.total)} picks. The list of picks below has the same in words.` });
  const legend = h("div", { class: "legend-place" });
  const variance = h("p", { class: "hint" });
  const card = h("div", { class: "card-place", "aria-live": "polite" });
  const scatter = new Scatter(canvas, { x: layout[2].x, y: layout[2].y, count: map.count });

  // Points of the picks, and the points each pick stands for.
  const point_of = new Map<number, number>();
  for (let at = 0; at < map.count; ++at) if (map.pick[at] > 0) point_of.set(map.pick[at] - 1, at);
  const linked_to = (rank: number): number[] => {
    const out: number[] = [];
    if (map.stands !== null) for (let at = 0; at < map.count; ++at) if (map.stands[at] === rank + 1 && map.pick[at] !== rank + 1) out.push(at);
    return out;
  };
  const repaint = () => {
    const painted = paint(report, names, colouring, only, pool);
    scatter.set_look(painted.look);
    legend.replaceChildren(painted.legend);
    variance.textContent = layout[2].share !== undefined ? pca_note(layout[2].share) : "Near on the map means neighbours in the embeddings; distances between far groups mean little.";
  };

  const single = h("select", { id: "map-single", change: () => {
    only = single.value === "" ? null : Number(single.value);
    repaint();
  } });
  const fill_single = (wanted: number | null = null) => {
    const groups = colouring === "class" ? report.classes : colouring === "boundary" ? report.boundaries : null;
    only = null;
    single.disabled = groups === null;
    single.replaceChildren(h("option", { value: "" }, groups === null ? "–" : colouring === "class" ? "All classes" : "All boundaries"));
    if (groups === null) return;
    const name = (at: number) => (colouring === "class" ? names.class_name(at) : names.boundary_name(at));
    // The largest, and any other that a chart asked for, in the order of the classes.
    const shown = by_size(groups).slice(0, most_options);
    if (wanted !== null && !shown.includes(wanted)) shown.push(wanted);
    for (const at of shown.sort((a, b) => a - b))
      single.append(h("option", { value: at }, `${name(at)} (${count(groups.selected[at])} of ${count(groups.available[at])})`));
  };
  const colour = h("select", { id: "map-colour", change: () => {
    colouring = colour.value as Colouring;
    fill_single();
    repaint();
  } }, ...colourings.map(([value, text]) => h("option", { value, selected: value === colouring }, text)));
  const show_pool = h("input", { type: "checkbox", id: "map-pool", checked: true, change: () => {
    pool = show_pool.checked;
    repaint();
  } });
  const button = (text: string, name: string, act: () => void) =>
    h("button", { type: "button", "aria-label": name, title: name, click: act }, text);

  const controls = h("div", { class: "controls" },
    layouts.length > 1 && choice("Layout", layouts.map(([value, text]) => [value, text]), layout[0], (value) => {
      layout = layouts.find(([name]) => name === value)!;
      scatter.set_cloud({ x: layout[2].x, y: layout[2].y, count: map.count });
      repaint();
    }),
    h("p", { class: "control" }, h("label", { for: "map-colour" }, "Colour"), colour),
    h("p", { class: "control" }, h("label", { for: "map-single" }, "Single out"), single),
    h("p", { class: "control check" }, show_pool, h("label", { for: "map-pool" }, "Items not picked")));
  const zoom = h("div", { class: "zoom", role: "group", "aria-label": "Zoom" },
    button("+", "Zoom in", () => scatter.zoom(1.5)), button("−", "Zoom out", () => scatter.zoom(1 / 1.5)),
    button("⤢", "Show everything", () => scatter.reset()));

  scatter.on_choose = (point) => {
    if (point === null) return state.choose(null, "map");
    const rank = map.pick[point] > 0 ? map.pick[point] - 1 : map.stands !== null && map.stands[point] > 0 ? map.stands[point] - 1 : null;
    const at = rank === null ? null : state.place(rank);
    state.choose(at, "map");
    const picked = map.pick[point] > 0;
    if (at !== null && picked) return;
    const item = map.items === null ? point : map.items[point];
    const told = picked ? `Item ${item} is pick ${count(map.pick[point])}, beyond those listed here; selection.csv has them all.`
      : at !== null ? `Item ${item} was not picked. This pick stands for it:`
      : rank !== null ? `Item ${item} was not picked. Pick ${count(rank + 1)}, beyond those listed here, stands for it.`
      : map.stands === null ? `Item ${item} was not picked. Which pick stands for it is not known here.`
      : `Item ${item} was not picked, and no pick is among its neighbours.`;
    card.prepend(h("p", { class: "hint" }, told));
  };
  state.on_choose((at, from) => {
    const rank = at === null ? null : report.picks.rank[at];
    const point = rank === null ? undefined : point_of.get(rank);
    const linked = rank === null ? [] : linked_to(rank);
    scatter.choose(point ?? null, linked.slice(0, 2000), from !== "map");
    const items = linked.map((other) => (map.items === null ? other : map.items[other]));
    replace_content(card, at === null ? empty_card(state) : pick_card(report, names, state, at, map.stands === null ? null : items));
    if (from === "list") scroll_to(canvas);
  });
  state.on_single((wanted) => {
    if (wanted === null) return;
    colour.value = wanted.kind;
    if (colour.value !== wanted.kind) return;
    colouring = wanted.kind;
    fill_single(wanted.group);
    single.value = String(wanted.group);
    only = wanted.group;
    repaint();
  });
  canvas.addEventListener("keydown", (event) => {
    const step = event.key === "n" ? 1 : event.key === "p" ? -1 : 0;
    if (step === 0 || report.picks.count === 0 || event.ctrlKey || event.metaKey || event.altKey) return;
    const last = report.picks.count - 1;
    state.choose(state.chosen === null ? (step > 0 ? 0 : last) : Math.min(Math.max(state.chosen + step, 0), last), "keys");
  });
  on_theme_change(() => {
    repaint();
    scatter.draw_now();
  });
  fill_single();
  repaint();
  card.append(empty_card(state));
  return section("map", "Map", "Every dot is an item, placed by its embedding. Picks have a rim.",
    controls, h("div", { class: "map" }, h("div", { class: "canvas-place" }, canvas, zoom), card), legend, variance,
    h("p", { class: "hint no-print", id: "map-help" },
      "Click a dot to see what it is and what it stands for. Drag to move; zoom with + and −, two fingers, or the wheel after a click. Keys: arrows move, 0 shows everything, n and p go through the picks."));
}

function empty_card(state: State): HTMLElement {
  return h("div", { class: "card" }, h("p", { class: "hint" }, "No pick is chosen."),
    h("button", { type: "button", disabled: state.report.picks.count === 0, click: () => state.choose(0, "card") }, "Start with the first pick"));
}
