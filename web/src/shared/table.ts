import { h, type Child } from "./dom";

export interface Column { title: string; numeric?: boolean }

/** A table with a caption for those who cannot see what it stands beside. */
export function table(caption: string, columns: Column[], rows: Child[][]): HTMLElement {
  return h("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": caption },
    h("table", {}, h("caption", { class: "unseen" }, caption),
      h("thead", {}, h("tr", {}, ...columns.map((column) =>
        h("th", { scope: "col", class: column.numeric ? "number" : null }, column.title)))),
      h("tbody", {}, ...rows.map((row) => h("tr", {}, ...row.map((cell, at) =>
        at === 0 ? h("th", { scope: "row", class: columns[at].numeric ? "number" : null }, cell)
          : h("td", { class: columns[at].numeric ? "number" : null }, cell)))))));
}

/** The numbers of a chart, folded away. Made when first opened: some have thousands of rows. */
export function as_table(caption: string, columns: Column[], rows: () => Child[][]): HTMLElement {
  const details = h("details", { class: "as-table" }, h("summary", {}, "The numbers as a table"));
  details.addEventListener("toggle", () => {
    if (details.open && details.childElementCount === 1) details.append(table(caption, columns, rows()));
  });
  return details;
}
