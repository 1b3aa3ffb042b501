import { h } from "./dom";

/** A note that follows the pointer. What it says also stands in a table, so readers of the screen miss nothing. */
const note = h("div", { class: "tooltip", "aria-hidden": true, hidden: true });

export function show_note(event: MouseEvent, lines: string[]): void {
  if (!note.isConnected) document.body.append(note);
  note.replaceChildren(...lines.map((line, at) => h(at === 0 ? "strong" : "span", {}, line)));
  note.hidden = false;
  const room = document.documentElement.clientWidth;
  const left = Math.min(event.pageX + 14, scrollX + room - note.offsetWidth - 8);
  note.style.left = `${Math.max(scrollX + 8, left)}px`;
  note.style.top = `${event.pageY + 16}px`;
}

export function hide_note(): void {
  note.hidden = true;
}
