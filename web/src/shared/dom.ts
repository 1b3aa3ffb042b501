// Elements in one expression. Text never goes through HTML, so data cannot become markup.

export type Child = Node | string | null | undefined | false;
export type Attributes = Record<string, string | number | boolean | null | undefined | ((event: Event) => void)>;

function fill<E extends Element>(element: E, attributes: Attributes, children: Child[]): E {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (typeof value === "function") element.addEventListener(name, value);
    else element.setAttribute(name, value === true ? "" : String(value));
  }
  for (const child of children) if (child !== null && child !== undefined && child !== false) element.append(child);
  return element;
}

export function h<K extends keyof HTMLElementTagNameMap>(
  tag: K, attributes: Attributes = {}, ...children: Child[]): HTMLElementTagNameMap[K] {
  return fill(document.createElement(tag), attributes, children);
}

export function svg<K extends keyof SVGElementTagNameMap>(
  tag: K, attributes: Attributes = {}, ...children: Child[]): SVGElementTagNameMap[K] {
  return fill(document.createElementNS("http://www.w3.org/2000/svg", tag), attributes, children);
}

/** Draws into an element again whenever its width changes, and before printing. */
export function responsive(element: HTMLElement, draw: (width: number) => Element): void {
  let drawn = 0;
  const redraw = () => {
    const width = Math.max(240, Math.floor(element.clientWidth));
    if (width === drawn) return;
    drawn = width;
    element.replaceChildren(draw(width));
  };
  new ResizeObserver(redraw).observe(element);
  redraw();
}

/** Puts something else in a place. Where the focus was in there, it goes to the button of the same name, else to the heading. */
export function replace_content(place: Element, content: Element): void {
  const focused = place.contains(document.activeElement) ? document.activeElement : null;
  place.replaceChildren(content);
  if (focused === null) return;
  const same = Array.from(content.querySelectorAll("button")).find((button) => !button.disabled && button.textContent === focused.textContent);
  const heading = content.querySelector<HTMLElement>("h3");
  heading?.setAttribute("tabindex", "-1");
  (same ?? heading ?? content.querySelector("button"))?.focus({ preventScroll: true });
}

/** Scrolls until an element is in the middle of the window. */
export function scroll_to(element: Element): void {
  element.scrollIntoView({ block: "center", behavior: matchMedia("(prefers-reduced-motion: reduce)").matches ? "auto" : "smooth" });
}

/** A row of choices of which one holds, as radio buttons. */
export function choice(label: string, options: [value: string, text: string][], chosen: string,
  on_change: (value: string) => void): HTMLElement {
  const name = `choice-${label.toLowerCase().replace(/\W+/g, "-")}`;
  return h("fieldset", { class: "choice" }, h("legend", {}, label), h("div", { class: "choice-row" },
    ...options.map(([value, text]) => {
      const input = h("input", { type: "radio", name, value, id: `${name}-${value}`, checked: value === chosen,
        change: () => on_change(value) });
      return h("span", {}, input, h("label", { for: input.id }, text));
    })));
}
