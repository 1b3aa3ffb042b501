import type { Names, Report } from "../shared/data";
import { h } from "../shared/dom";
import { count, counted, short } from "../shared/format";
import type { State } from "./state";

/** The pick's picture, where there is one. */
export function thumbnail(report: Report, at: number, size: number): HTMLElement | null {
  const source = report.thumbnails?.[String(report.picks.rank[at])];
  return source === undefined ? null : h("img", { src: source, alt: "", width: size, height: size, loading: "lazy" });
}

/** Everything about one pick; `items` are those it stands for, null where unknown. */
export function pick_card(report: Report, names: Names, state: State, at: number, items: number[] | null): HTMLElement {
  const { picks, run } = report;
  const row = (name: string, value: string) => [h("dt", {}, name), h("dd", {}, value)];
  const boundary = picks.boundary[at];
  const others = items === null ? [] : items.slice(0, 24);
  return h("div", { class: "card" },
    h("h3", {}, names.pick_name(at)), thumbnail(report, at, 96),
    h("dl", {},
      ...row("Pick", `${count(picks.rank[at] + 1)} of ${count(picks.total)}${picks.augmented[at] ? ", added to reach the budget" : ""}`),
      ...row("Item", `${picks.index[at]}`), ...row("Class", names.class_name(picks.class[at])),
      ...row("Boundary", boundary === 0 ? "none" : names.boundary_name(boundary - 1)),
      ...row("Uncertainty", picks.uncertainty[at].toFixed(3)),
      ...(run!.measured ? [...row("Gain", short(picks.gain[at])),
        ...row("Taken off for similar picks", short(picks.penalty[at])), ...row("Added by triples", short(picks.triple[at])),
        ...row("Stands for", counted(picks.represents[at], "item"))] : [])),
    others.length > 0 && h("p", { class: "hint" }, `Itself and ${others.join(", ")}${items!.length > others.length ? ` and ${count(items!.length - others.length)} more` : ""}.`),
    h("p", { class: "card-buttons" },
      h("button", { type: "button", disabled: at === 0, click: () => state.choose(at - 1, "card") }, "Previous"),
      h("button", { type: "button", disabled: at === picks.count - 1, click: () => state.choose(at + 1, "card") }, "Next"),
      h("button", { type: "button", click: () => state.choose(null, "card") }, "Close")));
}
