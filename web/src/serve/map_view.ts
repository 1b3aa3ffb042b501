// The map with its tools: where items lie, who was chosen, and, of two choices, what differs.
import { by_size } from "../shared/balance_chart";
import { paint, pca_note, swatch, type Colouring, type Painted } from "../shared/colouring";
import type { Groups, Places } from "../shared/data";
import { choice, h, scroll_to } from "../shared/dom";
import { count } from "../shared/format";
import { ground, kind_colour, labelled_colour, most_kinds, quiet, rgb } from "../shared/palette";
import { is_dark, on_theme_change } from "../shared/theme";
import type { Model } from "./model";
import { PointCloud, type Tool } from "./point_cloud";

const most_options = 500;
type Colours = Colouring | "difference";

/** Who is in both choices, in A alone and in B alone. */
function paint_difference(model: Model): Painted {
  const [a, b] = [model.made.a!.report.map!, model.made.b!.report.map!];
  const colours = new Uint8Array(3 * a.count);
  const raised = new Uint8Array(a.count);
  const [both, only_a, only_b] = [is_dark() ? rgb("#c9ccca") : rgb("#4c5150"), rgb(kind_colour(0)), rgb(kind_colour(6))];
  const numbers = { both: 0, a: 0, b: 0 };
  for (let at = 0; at < a.count; ++at) {
    const [in_a, in_b] = [a.pick[at] > 0, b.pick[at] > 0];
    colours.set(in_a && in_b ? both : in_a ? only_a : in_b ? only_b : quiet(), 3 * at);
    // Shapes tell the two apart where colours do not.
    raised[at] = in_a ? 1 : in_b ? 2 : 0;
    if (in_a && in_b) ++numbers.both;
    else if (in_a) ++numbers.a;
    else if (in_b) ++numbers.b;
  }
  return {
    look: { colours, raised, shown: null, ground: ground(), rim: is_dark() ? [235, 238, 236] : [25, 28, 28] },
    legend: h("ul", { class: "legend" }, swatch(both, `in both (${count(numbers.both)})`, "round"), swatch(only_a, `only in A (${count(numbers.a)})`, "round"),
      swatch(only_b, `only in B (${count(numbers.b)})`, "diamond"), swatch(quiet(), "in neither")),
  };
}

export function map_view(model: Model): HTMLElement {
  const { points } = model;
  const layouts: [string, string, Places][] = [];
  if (points.layout !== null) layouts.push(["umap", "Neighbours", points.layout]);
  if (points.pca !== null) layouts.push(["pca", "PCA", points.pca]);
  if (layouts.length === 0) return h("div", { class: "map-view" }, h("p", { class: "hint" }, "There is no map: the embeddings are not where the run found them."));
  let layout = layouts[0];
  let colouring: Colours = model.session.classes > most_kinds ? "uncertainty" : "class";
  let only: number | null = null;
  let pool = true;

  const canvas = h("canvas", { "aria-hidden": true });
  const overlay = h("canvas", { class: "overlay", tabindex: 0, role: "img", "aria-describedby": "map-help" });
  const legend = h("div", { class: "legend-place" });
  const variance = h("p", { class: "hint" });
  const xs = (places: Places) => [places.x as Uint16Array, places.y as Uint16Array] as const;
  let cloud: PointCloud;
  try {
    cloud = new PointCloud(canvas, overlay, ...xs(layout[2]));
  } catch (error) {
    return h("div", { class: "map-view" }, h("p", { class: "hint" }, (error as Error).message));
  }
  const repaint = () => {
    const made = model.current;
    if (made === null) return;
    if (colouring === "difference" && (model.made.a === null || model.made.b === null)) colouring = "order";
    const painted = colouring === "difference" ? paint_difference(model) : paint(made.report, made.names, colouring, only, pool);
    const { excluded, forced } = model.lists[model.place];
    for (const item of excluded) {
      const at = model.point(item);
      if (at === null) continue;
      painted.look.shown ??= new Uint8Array(points.count).fill(1);
      painted.look.shown[at] = 0;
    }
    if (forced.size > 0 && colouring === "difference") painted.legend.append(swatch(labelled_colour(), "forced", "diamond"));
    cloud.set_look(painted.look);
    legend.replaceChildren(painted.legend);
    overlay.setAttribute("aria-label", `Map of ${count(points.count)} items, ${count(made.report.picks.total)} of them chosen. The parts below say the same in words.`);
    variance.textContent = layout[2].share !== undefined ? pca_note(layout[2].share) : "Near on the map means neighbours in the embeddings; distances between far groups mean little.";
  };

  const single = h("select", { id: "map-single", change: () => {
    only = single.value === "" ? null : Number(single.value);
    note_pair();
    repaint();
  } });
  // Which boundaries there are depends on the choice: one is known by its two classes.
  let listed: Groups | null = null;
  let pair: [number, number] | null = null;
  const note_pair = () => {
    pair = listed !== null && colouring === "boundary" && only !== null ? [listed.first![only], listed.second![only]] : null;
  };
  const place_of_single = () => {
    if (pair === null || model.current === null) return only;
    const { first, second, count: boundaries } = model.current.report.boundaries;
    for (let at = 0; at < boundaries; ++at) if (first![at] === pair[0] && second![at] === pair[1]) return at;
    return null;
  };
  const fill_single = (wanted: number | null) => {
    const made = model.current;
    const groups = made === null ? null : colouring === "class" ? made.report.classes : colouring === "boundary" ? made.report.boundaries : null;
    single.disabled = groups === null;
    single.replaceChildren(h("option", { value: "" }, groups === null ? "–" : colouring === "class" ? "All classes" : "All boundaries"));
    only = groups !== null && wanted !== null && wanted < groups.count ? wanted : null;
    listed = groups;
    note_pair();
    if (groups === null) return;
    const shown = by_size(groups).slice(0, most_options);
    if (only !== null && !shown.includes(only)) shown.push(only);
    for (const at of shown.sort((a, b) => a - b))
      single.append(h("option", { value: at }, `${colouring === "class" ? made!.names.class_name(at) : made!.names.boundary_name(at)} (${count(groups.selected[at])} of ${count(groups.available[at])})`));
    single.value = only === null ? "" : String(only);
  };
  const colour = h("select", { id: "map-colour", change: () => {
    colouring = colour.value as Colours;
    fill_single(null);
    repaint();
  } });
  const fill_colour = () => {
    const kinds: [Colours, string][] = [["class", "Class"], ["uncertainty", "Margin score"], ["boundary", "Boundary"], ["order", "Pick order"]];
    if (model.made.a !== null && model.made.b !== null) kinds.push(["difference", "A against B"]);
    if (colour.options.length !== kinds.length) colour.replaceChildren(...kinds.map(([value, text]) => h("option", { value }, text)));
    colour.value = colouring;
  };
  const show_pool = h("input", { type: "checkbox", id: "map-pool", checked: true, change: () => {
    pool = show_pool.checked;
    repaint();
  } });
  const button = (text: string, name: string, act: () => void) => h("button", { type: "button", "aria-label": name, title: name, click: act }, text);
  const use = (tool: Tool) => {
    cloud.tool = tool;
    overlay.classList.toggle("lasso", tool === "lasso");
  };
  const tools = h("div", { class: "controls" },
    layouts.length > 1 && choice("Layout", layouts.map(([value, text]) => [value, text]), layout[0], (value) => {
      layout = layouts.find(([name]) => name === value)!;
      cloud.set_places(...xs(layout[2]));
      repaint();
    }),
    choice("Pointer", [["move", "Move"], ["lasso", "Lasso"]], "move", (value) => use(value as Tool)),
    h("p", { class: "control" }, h("label", { for: "map-colour" }, "Colour"), colour),
    h("p", { class: "control" }, h("label", { for: "map-single" }, "Single out"), single),
    h("p", { class: "control check" }, show_pool, h("label", { for: "map-pool" }, "Items not chosen")));
  const hold = (held: Uint32Array) => {
    model.hold(held);
    if (held.length > 0) model.reveal();
  };
  const zoom = h("div", { class: "zoom", role: "group", "aria-label": "Zoom" },
    button("+", "Zoom in", () => cloud.zoom(1.5)), button("−", "Zoom out", () => cloud.zoom(1 / 1.5)), button("⤢", "Show everything", () => cloud.reset()),
    button("▣", "Take what is in view, as a lasso would", () => hold(cloud.in_view())));

  cloud.on_choose = async (point) => {
    if (model.held.length > 0) model.hold(new Uint32Array(0));
    await model.look_at(point === null ? null : model.item_of(point));
    if (point !== null) model.reveal();
  };
  cloud.on_lasso = hold;
  model.on("choice", () => {
    fill_colour();
    fill_single(place_of_single());
    repaint();
  });
  model.on("held", () => {
    cloud.choose(null, [], false);
    cloud.hold(model.held);
  });
  model.on("item", () => {
    const { story } = model;
    const linked = story === null ? [] : story.neighbors.listed.flatMap(({ item }) => model.point(item) ?? []);
    cloud.choose(story === null ? null : model.point(story.item), linked, true);
  });
  model.on("single", () => {
    const wanted = model.single;
    if (wanted === null) return;
    colouring = wanted.kind;
    fill_colour();
    fill_single(wanted.group);
    repaint();
    scroll_to(overlay);
  });
  model.on("difference", () => {
    colouring = "difference";
    fill_colour();
    fill_single(null);
    repaint();
    scroll_to(overlay);
  });
  on_theme_change(() => {
    repaint();
    cloud.draw_now();
  });
  return h("div", { class: "map-view" }, tools, h("div", { class: "canvas-place" }, canvas, overlay, zoom), legend, variance,
    h("p", { class: "hint", id: "map-help" }, "Click a dot to see what it is and why it was chosen or not. Drag to move, or to draw around items with the lasso; zoom with + and −, two fingers, or the wheel after a click. Keys: arrows move, 0 shows everything."));
}
