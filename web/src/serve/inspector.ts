// What the reader looks at: one item and why it was chosen or not, or all items that the lasso holds.
import { h, replace_content, scroll_to, type Child } from "../shared/dom";
import { count, counted, percent, short } from "../shared/format";
import type { ItemStory } from "./api";
import type { Model } from "./model";

const most_listed = 8;

const row = (name: string, value: Child): HTMLElement[] => [h("dt", {}, name), h("dd", {}, value)];

export function inspector(model: Model): HTMLElement {
  const place = h("div", { class: "card-place", "aria-live": "polite" });
  let waits = false;  // for the choice that items are seen in
  const show = () => {
    waits = model.current === null;
    replace_content(place, waits ? empty_card(model) : model.held.length > 0 ? held_card(model) : model.story !== null ? item_card(model, model.story) : empty_card(model));
  };
  model.on("item", show);
  model.on("held", show);
  model.on("reveal", () => {
    const heading = place.querySelector("h3");
    if (heading === null) return;
    const { top, bottom } = heading.getBoundingClientRect();
    if (top < 0 || bottom > innerHeight) scroll_to(heading);
  });
  model.on("choice", () => { if (waits || model.held.length > 0 || model.story === null) show(); });
  show();
  const number = h("input", { type: "number", id: "item-number", min: 0, max: model.session.items - 1, step: 1 });
  return h("aside", { class: "panel", "aria-label": "Item" },
    h("form", { class: "find", submit: (event) => {
      event.preventDefault();
      if (number.value === "") return;
      if (model.held.length > 0) model.hold(new Uint32Array(0));
      void model.look_at(Number(number.value));
    } }, h("label", { for: "item-number" }, "Item"), number, h("button", { type: "submit" }, "Show")), place);
}

function empty_card(model: Model): HTMLElement {
  const picks = model.current?.report.picks;
  return h("div", { class: "card" }, h("p", { class: "hint" }, "No item is looked at. Click a dot on the map, or write its number above."),
    h("button", { type: "button", disabled: picks === undefined || picks.total === 0, click: () => void model.look_at(picks!.index[0]) }, "Start with the first pick"));
}

function mark_buttons(model: Model, items: number[], close: () => void, labelled = false): HTMLElement {
  const { forced, excluded } = model.lists[model.place];
  const marked = items.some((item) => forced.has(item) || excluded.has(item));
  const act = (text: string, title: string, as: "forced" | "excluded" | null, off = false) =>
    h("button", { type: "button", title, disabled: off, click: () => model.mark(items, as) }, text);
  return h("p", { class: "card-buttons" }, act("Force", "Into the subset from the start, like labelled items", "forced", labelled), act("Exclude", "Never to be chosen", "excluded", labelled),
    act("Let go", "Neither forced nor excluded", null, !marked), h("button", { type: "button", click: close }, "Close"));
}

const states: Record<ItemStory["state"], string> = { picked: "chosen", left: "not chosen", forced: "forced by you", labelled: "labelled before", excluded: "excluded" };

function item_card(model: Model, story: ItemStory): HTMLElement {
  const names = model.current!.names;
  const class_name = (label: number) => names.class_name(label);
  const pair = (first: number, second: number) => [first, second].map((label) => class_name(label).replace(/^class /, "")).join(" / ");
  const jump = (item: number) => h("button", { type: "button", class: "link", click: () => void model.look_at(item) }, `${item}`);
  const boundaries = story.caps.filter((cap) => cap.kind === "boundary");
  const { gain } = story;
  const from_start = story.state === "forced" || story.state === "labelled";
  return h("div", { class: "card" },
    h("h3", {}, story.id ?? `Item ${story.item}`),
    story.thumbnail !== null && h("img", { src: story.thumbnail, alt: "", width: 96, height: 96 }),
    h("p", { class: `state ${story.state}` }, story.rank === null ? states[story.state] : `pick ${count(story.rank + 1)} of ${count(model.current!.report.picks.total)}`),
    h("div", { class: "why" }, ...story.why.map((sentence) => h("p", {}, sentence))),
    mark_buttons(model, [story.item], () => void model.look_at(null), story.state === "labelled"),
    h("dl", {}, ...row("Item", `${story.item}`), ...row("Class", class_name(story.class)),
      ...row("Boundary", boundaries.length === 0 ? "none" : boundaries.map((cap) => pair(cap.first, cap.second)).join(", ")),
      ...row("Uncertainty", story.uncertainty.toFixed(3))),
    h("h4", {}, from_start ? "What it adds to the others" : story.rank === null ? "What it would add now" : "What it added"),
    h("dl", {}, ...gain.parts.flatMap((part) => [...row(part.name, short(part.gain)), ...(part.taken_off > 0 ? row("taken off for similar picks", `−${short(part.taken_off)}`) : [])]),
      ...row("in all", h("strong", {}, gain.value.toFixed(4))), ...(gain.last !== null && !from_start ? row(`the last pick (${count(gain.last.rank + 1)})`, gain.last.gain.toFixed(4)) : [])),
    h("h4", {}, "Caps"),
    h("dl", {}, ...story.caps.flatMap((cap) => row(cap.kind === "class" ? class_name(cap.first) : pair(cap.first, cap.second),
      cap.active ? `${count(cap.selected + cap.labelled)} of ${count(cap.cap)}${cap.full ? ", full" : ""}` : `${count(cap.selected)}, no cap`))),
    h("h4", {}, "Likeliest classes"),
    h("ul", { class: "shares" }, ...story.likeliest.map(({ class: label, p }) => h("li", {}, h("span", {}, class_name(label)), h("span", { class: "share", style: `--share:${percent(p)}` }), h("span", {}, percent(p))))),
    h("h4", {}, `${counted(story.neighbors.count, "neighbour")}, ${count(story.neighbors.listed.filter((one) => one.chosen).length)} of them chosen`),
    h("ul", { class: "neighbors" }, ...story.neighbors.listed.slice(0, most_listed).map((one) => h("li", {}, jump(one.item), ` ${one.similarity.toFixed(3)}, ${class_name(one.class)}`,
      one.rank !== null ? `, pick ${count(one.rank + 1)}` : one.chosen ? ", in the subset" : ""))),
    h("h4", {}, "Triangles"),
    h("p", { class: "hint" }, `${counted(story.triangles.count, "triangle")} with two neighbours, ${count(story.triangles.thin)} of them thin; ${count(story.triangles.against)} count against it, as both others are in the subset.`),
    story.triangles.listed.length > 0 && h("ul", { class: "neighbors" }, ...[...story.triangles.listed].sort((a, b) => Number(b.against) - Number(a.against) || a.area - b.area).slice(0, 5).map((one) =>
      h("li", {}, jump(one.items[0]), " and ", jump(one.items[1]), `, area ${one.area.toPrecision(3)}${one.against ? ", counts" : one.thin ? ", thin" : ""}`))));
}

function held_card(model: Model): HTMLElement {
  const { points, current } = model;
  const items = Array.from(model.held, (point) => model.item_of(point));
  const names = current!.names;
  const pick = current!.report.map!.pick;
  const sizes = new Map<number, { all: number; chosen: number }>();
  let chosen = 0;
  let unsure = 0;
  for (const point of model.held) {
    const label = points.class[point];
    const size = sizes.get(label) ?? { all: 0, chosen: 0 };
    ++size.all;
    if (pick[point] > 0) {
      ++size.chosen;
      ++chosen;
    }
    sizes.set(label, size);
    unsure += points.margin[point];
  }
  const largest = [...sizes].sort((a, b) => b[1].all - a[1].all || a[0] - b[0]);
  return h("div", { class: "card" }, h("h3", {}, counted(items.length, "item")),
    h("p", { class: "hint" }, `${count(chosen)} of them chosen, mean margin score ${(unsure / items.length).toFixed(3)}, ${counted(sizes.size, "class", "classes")}.`),
    mark_buttons(model, items, () => model.hold(new Uint32Array(0))),
    h("h4", {}, "Classes"),
    h("dl", {}, ...largest.slice(0, most_listed).flatMap(([label, size]) => row(names.class_name(label), `${count(size.all)}, ${count(size.chosen)} chosen`))),
    largest.length > most_listed && h("p", { class: "hint" }, `and ${count(largest.length - most_listed)} more classes`),
    h("h4", {}, "Items"),
    h("p", { class: "items" }, ...items.slice(0, 40).flatMap((item) => [h("button", { type: "button", class: "link", click: () => {
      model.hold(new Uint32Array(0));
      void model.look_at(item);
    } }, `${item}`), " "]), items.length > 40 && `and ${count(items.length - 40)} more`));
}
