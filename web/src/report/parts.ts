import { h, type Child } from "../shared/dom";

/** A part of the page with a heading that the list of contents can lead to. */
export function section(id: string, title: string, lead: string, ...children: Child[]): HTMLElement {
  return h("section", { id, "aria-labelledby": `${id}-title` },
    h("h2", { id: `${id}-title` }, title), lead !== "" && h("p", { class: "lead" }, lead), ...children);
}

/** A number that matters, with what it counts below it. */
export function figure(value: string, what: string, more = ""): HTMLElement {
  return h("div", { class: "figure" }, h("dt", {}, what), h("dd", {}, h("strong", {}, value), more !== "" && h("span", {}, more)));
}

export const key = (kind: string, text: string): HTMLElement => h("li", {}, h("span", { class: `key ${kind}` }), text);
