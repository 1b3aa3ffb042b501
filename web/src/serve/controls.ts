// Sliders and inputs for the options of a choice. What is not said follows the defaults, as on the command line.
import { choice, h } from "../shared/dom";
import { count } from "../shared/format";
import type { Model } from "./model";

interface Slider { least: number; most: number; step: number }

/** Help from the table of options, without what only a command line needs. */
const help_of = (model: Model, name: string): string => model.session.options.find((option) => option.name === name)?.help.split("\n")[0] ?? "";
const usual_of = (model: Model, name: string): string => {
  const usual = model.session.options.find((option) => option.name === name)?.usual;
  return usual == null ? "" : Array.isArray(usual) ? usual.join(",") : String(usual);
};

/** A slider beside a number; `read` and `write` turn the option's words into it and back. */
function slider(id: string, label: string, title: string, range: Slider, read: () => number | null, write: (value: number) => void,
  shape: { to: (value: number) => number; from: (place: number) => number } = { to: (v) => v, from: (p) => p }) {
  const track = h("input", { type: "range", id: `${id}-slider`, min: shape.to(range.least), max: shape.to(range.most), step: "any", "aria-label": `${label}, slider`, title });
  const number = h("input", { type: "number", id, min: range.least, step: "any" });
  const rounded = (place: number) => {
    const value = shape.from(place);
    return Number((Math.round(value / range.step) * range.step).toFixed(6));
  };
  track.addEventListener("input", () => (number.value = String(rounded(Number(track.value)))));
  track.addEventListener("change", () => write(rounded(Number(track.value))));
  number.addEventListener("change", () => {
    const value = Number(number.value);
    if (number.value !== "" && Number.isFinite(value)) write(value);
  });
  track.addEventListener("keydown", (event) => {
    const way = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1 }[(event as KeyboardEvent).key];
    if (way === undefined) return;
    // One step of the option, not of the track.
    event.preventDefault();
    const value = Math.min(Math.max(rounded(Number(track.value)) + way * range.step, range.least), range.most);
    track.value = String(shape.to(value));
    write(Number(value.toFixed(6)));
  });
  const refresh = () => {
    const value = read();
    for (const input of [track, number]) input.disabled = value === null;
    number.value = value === null ? "" : String(value);
    if (value !== null) track.value = String(shape.to(Math.min(Math.max(value, range.least), range.most)));
  };
  return { element: h("div", { class: "slider", title }, h("label", { for: id }, label), number, track), refresh };
}

function select(id: string, label: string, title: string, options: [string, string, boolean?][], read: () => string, write: (value: string) => void) {
  const input = h("select", { id, title, change: () => write(input.value) }, ...options.map(([value, text, off]) => h("option", { value, disabled: off === true }, text)));
  return { element: h("p", { class: "control" }, h("label", { for: id }, label), input), refresh: () => { input.value = read(); } };
}

function check(id: string, label: string, read: () => boolean, write: (on: boolean) => void) {
  const input = h("input", { type: "checkbox", id, change: () => write(input.checked) });
  return { element: h("p", { class: "control check" }, input, h("label", { for: id }, label)), refresh: () => { input.checked = read(); } };
}

export function controls(model: Model): HTMLElement {
  const { session } = model;
  const given = (name: string): string | undefined => model.options[model.place][name];
  const words = (name: string): string => given(name) ?? usual_of(model, name);
  /** The defaults need not be said. */
  const say = (name: string, text: string) => model.set(name, text === usual_of(model, name) ? null : text);
  /** What an option left to the budget came to in the choice shown; moving its slider fixes it from there. */
  const in_force = (name: string): unknown => model.made[model.place]?.answer.run.options[name];
  const numeric = (name: string) => (): number | null => {
    if (words(name) !== "auto") return Number(words(name));
    const value = in_force(name);
    return typeof value === "number" ? Number(value.toPrecision(3)) : null;
  };
  const weights = (): number[] | null => {
    if (given("term") !== undefined) return null;
    if (words("lambda") !== "auto") return words("lambda").split(",").map(Number);
    const values = in_force("lambda");
    return Array.isArray(values) ? values.map((value: number) => Number(value.toPrecision(3))) : null;
  };
  const weight = (at: number, label: string, title: string) => slider(`lambda-${at}`, label, title, { least: 0, most: 3, step: 0.05 },
    () => weights()?.[at] ?? null, (value) => {
      const all = weights()!;
      all[at] = Math.max(0, value);
      model.set("lambda", all.join(","));
    });
  const budget_of = (): number | null => {
    const text = given("budget");
    if (text === undefined) return null;
    return text.endsWith("%") ? Math.max(1, Math.round((parseFloat(text) / 100) * session.items)) : Number(text);
  };
  const most = Math.max(1, session.items - session.labelled - session.excluded);
  const parts = [
    select("strategy", "Strategy", help_of(model, "strategy"), session.strategies.map((one) => [one.name, one.name, !one.possible]), () => words("strategy"), (value) => model.set("strategy", value)),
    slider("budget", "Budget, items", help_of(model, "budget"), { least: 1, most, step: 1 }, budget_of, (value) => model.set("budget", String(Math.min(Math.max(1, Math.round(value)), most))),
      { to: (value) => Math.log(value), from: (place) => Math.exp(place) }),
    weight(0, "λ₁ uncertainty", "Weight of the model's uncertainty"), weight(1, "λ₂ diversity", "Weight of not taking similar items"),
    weight(2, "λ₃ triples", "Weight of triangles, and of not filling thin ones"),
    check("lambda-auto", "Weights by the budget (auto)", () => words("lambda") === "auto", (on) => model.set("lambda", on ? null : "0.7,0.3,1")),
    slider("gamma", "γ pairs", help_of(model, "gamma"), { least: 0, most: 1, step: 0.05 }, numeric("gamma"), (value) => say("gamma", String(value))),
    check("gamma-auto", "γ by the budget (auto)", () => words("gamma") === "auto", (on) => model.set("gamma", on ? "auto" : null)),
    slider("eta", "η thin triangles", help_of(model, "eta"), { least: 0, most: 1, step: 0.05 }, numeric("eta"), (value) => say("eta", String(value))),
    select("balance", "Caps", help_of(model, "balance"), [["", "as the strategy does"], ["both", "class and boundary"], ["class", "class"], ["boundary", "boundary"], ["none", "none"]],
      () => given("balance") ?? "", (value) => model.set("balance", value === "" ? null : value)),
    slider("tau", "τ on a boundary above", help_of(model, "tau"), { least: 0, most: 1, step: 0.01 }, numeric("tau"), (value) => say("tau", String(value))),
  ];
  const more = [
    select("shortfall", "Where the caps cannot meet the budget", help_of(model, "shortfall"), [["relax", "raise them"], ["stop", "choose fewer"], ["error", "refuse"]], () => words("shortfall"), (value) => say("shortfall", value)),
    slider("class-slack", "Class caps, factor", help_of(model, "class-slack"), { least: 1, most: 5, step: 0.1 }, numeric("class-slack"), (value) => say("class-slack", String(value))),
    check("class-slack-auto", "Class caps by the budget (auto)", () => words("class-slack") === "auto", (on) => model.set("class-slack", on ? "auto" : null)),
    select("boundary-cap", "Boundary caps", help_of(model, "boundary-cap"), [["uniform", "the same for all"], ["proportional", "in proportion"], ...own_cap(session.given["boundary-cap"])],
      () => words("boundary-cap"), (value) => say("boundary-cap", value)),
    slider("boundary-slack", "Boundary caps, factor", help_of(model, "boundary-slack"), { least: 1, most: 5, step: 0.1 }, numeric("boundary-slack"), (value) => say("boundary-slack", String(value))),
    select("uncertainty", "Uncertainty", help_of(model, "uncertainty"), [["margin", "margin"], ["entropy", "entropy"], ["least-confidence", "least confidence"]], () => words("uncertainty"), (value) => say("uncertainty", value)),
    slider("area-quantile", "Share of triangles that are thin", help_of(model, "area-quantile"), { least: 0, most: 1, step: 0.05 }, numeric("area-quantile"), (value) => say("area-quantile", String(value))),
    select("triple-scale", "Triples divided by", help_of(model, "triple-scale"), [["max", "the largest count"], ["mean", "the mean count"], ["none", "nothing"]], () => words("triple-scale"), (value) => say("triple-scale", value)),
    slider("seed", "Seed", help_of(model, "seed"), { least: 0, most: 99, step: 1 }, numeric("seed"), (value) => say("seed", String(Math.max(0, Math.round(value))))),
  ];
  const lists = h("div", { class: "lists" });
  const status = h("p", { class: "status", role: "status" });
  const refresh_lists = () => {
    const row = (name: "forced" | "excluded", text: string) => {
      const items = model.lists[model.place][name];
      return items.size > 0 && h("p", {}, `${count(items.size)} ${text} `, h("button", { type: "button", class: "link", click: () => model.mark([...items], null) }, "let go"));
    };
    lists.replaceChildren(...[row("forced", "forced"), row("excluded", "excluded")].filter((one): one is HTMLParagraphElement => one !== false));
  };
  const place = choice("Choice", [["a", "A"], ["b", "B"]], model.place, (value) => model.show(value as "a" | "b"));
  const places = h("div", { class: "places" }, place,
    h("button", { type: "button", title: "Options and lists of the run", click: () => model.reset() }, "As the run"));
  model.on("place", () => { place.querySelector<HTMLInputElement>(`[value="${model.place}"]`)!.checked = true; });
  model.on("options", () => {
    for (const part of [...parts, ...more]) part.refresh();
    refresh_lists();
  });
  // What was left to the budget came to something; what somebody is typing into stays.
  model.on("choice", () => {
    for (const part of [...parts, ...more]) if (!part.element.contains(document.activeElement)) part.refresh();
  });
  model.on("status", () => {
    status.replaceChildren(model.status.text);
    if (model.status.lost) status.append(" ", h("button", { type: "button", class: "link", click: () => void model.choose() }, "Choose again"));
    status.classList.toggle("busy", model.status.busy);
    status.classList.toggle("wrong", model.status.wrong);
  });
  for (const part of [...parts, ...more]) part.refresh();
  refresh_lists();
  return h("form", { class: "panel controls-panel", "aria-label": "Options", submit: (event) => event.preventDefault() }, places, status,
    ...parts.map((part) => part.element), h("details", {}, h("summary", {}, "More options"), ...more.map((part) => part.element)), lists);
}

function own_cap(cap: string | undefined): [string, string][] {
  return cap === undefined || cap === "uniform" || cap === "proportional" ? [] : [[cap, cap]];
}
