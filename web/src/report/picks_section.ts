import type { Names, Report } from "../shared/data";
import { h, type Child } from "../shared/dom";
import { count, short } from "../shared/format";
import { table } from "../shared/table";
import { section } from "./parts";
import { thumbnail } from "./pick_card";
import type { State } from "./state";

const rows_a_page = 25;

function boundary_text(report: Report, names: Names, at: number): string {
  const boundary = report.picks.boundary[at];
  return boundary === 0 ? "none" : names.boundary_name(boundary - 1);
}

/** The name of a pick, leading to its card where there is a map. */
function pick_link(report: Report, names: Names, state: State, at: number): Child {
  const name = names.pick_name(at);
  const picture = thumbnail(report, at, 36);
  if (report.map === null) return h("span", { class: "pick" }, picture, name);
  return h("button", { type: "button", class: "link pick", title: "Show on the map", click: () => state.choose(at, "list") }, picture, name);
}

function extremes(report: Report, names: Names, state: State, title: string, ranks: number[]): HTMLElement {
  const places = ranks.flatMap((rank) => state.place(rank) ?? []);
  return h("div", {}, h("h3", {}, title), table(title,
    [{ title: "Pick" }, { title: "Uncertainty", numeric: true }, { title: "Stands for", numeric: true }, { title: "Class" }, { title: "Boundary" }],
    places.map((at) => [pick_link(report, names, state, at), report.picks.uncertainty[at].toFixed(3),
      report.run!.measured ? count(report.picks.represents[at]) : "–", names.class_name(report.picks.class[at]), boundary_text(report, names, at)])));
}

interface SortColumn { title: string; numeric: boolean; cell: (at: number) => Child; order: (at: number) => number | string }

/** All picks: sorted by any column, searched, a page at a time. */
function all_picks(report: Report, names: Names, state: State): HTMLElement {
  const { picks } = report;
  const columns: SortColumn[] = [
    { title: "Rank", numeric: true, cell: (at) => count(picks.rank[at] + 1), order: (at) => picks.rank[at] },
    { title: "Pick", numeric: false, cell: (at) => pick_link(report, names, state, at), order: (at) => picks.ids?.[at] ?? picks.index[at] },
    { title: "Class", numeric: false, cell: (at) => names.class_name(picks.class[at]), order: (at) => picks.class[at] },
    { title: "Boundary", numeric: false, cell: (at) => boundary_text(report, names, at), order: (at) => picks.boundary[at] },
    { title: "Uncertainty", numeric: true, cell: (at) => picks.uncertainty[at].toFixed(3), order: (at) => picks.uncertainty[at] },
  ];
  if (report.run!.measured) columns.push(
    { title: "Gain", numeric: true, cell: (at) => short(picks.gain[at]), order: (at) => picks.gain[at] },
    { title: "Stands for", numeric: true, cell: (at) => count(picks.represents[at]), order: (at) => picks.represents[at] });
  let sorted_by = 0;
  let descending = false;
  let page = 0;
  let rows = Array.from({ length: picks.count }, (_, at) => at);
  const texts = rows.map((at) => `${names.pick_name(at)} ${picks.index[at]} ${names.class_name(picks.class[at])} ${boundary_text(report, names, at)}`.toLowerCase());

  const body = h("tbody");
  const status = h("p", { class: "hint", role: "status" });
  const heads = columns.map((column, which) => h("th", { scope: "col", class: column.numeric ? "number" : null },
    h("button", { type: "button", class: "sort", click: () => {
      descending = sorted_by === which ? !descending : which >= 4;
      sorted_by = which;
      page = 0;
      refresh();
    } }, column.title)));
  const search = h("input", { type: "search", id: "pick-search", placeholder: "name, item, class", input: () => {
    page = 0;
    refresh();
  } });
  const previous = h("button", { type: "button", click: () => { --page; refresh(); } }, "Previous page");
  const next = h("button", { type: "button", click: () => { ++page; refresh(); } }, "Next page");
  const refresh = () => {
    const wanted = search.value.trim().toLowerCase();
    rows = [];
    for (let at = 0; at < picks.count; ++at) if (wanted === "" || texts[at].includes(wanted)) rows.push(at);
    const { order } = columns[sorted_by];
    rows.sort((a, b) => {
      const [x, y] = [order(a), order(b)];
      return (x < y ? -1 : x > y ? 1 : 0) * (descending ? -1 : 1) || a - b;
    });
    const pages = Math.max(1, Math.ceil(rows.length / rows_a_page));
    page = Math.min(Math.max(page, 0), pages - 1);
    body.replaceChildren(...rows.slice(page * rows_a_page, (page + 1) * rows_a_page).map((at) => h("tr", {},
      ...columns.map((column, which) => h(which === 0 ? "th" : "td", { class: column.numeric ? "number" : null, scope: which === 0 ? "row" : null }, column.cell(at))))));
    heads.forEach((head, which) => head.setAttribute("aria-sort", which !== sorted_by ? "none" : descending ? "descending" : "ascending"));
    status.textContent = rows.length === 0 ? "No pick has that." : `${count(page * rows_a_page + 1)} to ${count(Math.min((page + 1) * rows_a_page, rows.length))} of ${count(rows.length)}`;
    previous.disabled = page === 0;
    next.disabled = page === pages - 1;
  };
  refresh();
  return h("div", { class: "all-picks" }, h("h3", {}, "All picks"),
    h("div", { class: "controls" }, h("p", { class: "control" }, h("label", { for: "pick-search" }, "Search"), search)),
    h("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": "All picks" },
      h("table", {}, h("caption", { class: "unseen" }, "All picks"), h("thead", {}, h("tr", {}, ...heads)), body)),
    h("div", { class: "pages" }, previous, next, status));
}

export function picks_section(report: Report, names: Names, state: State): HTMLElement {
  return section("picks", "Picks", "Each pick stands for the items whose nearest pick, among their neighbours, it is.",
    h("div", { class: "two" }, extremes(report, names, state, "Least certain", report.uncertain), extremes(report, names, state, "Most certain", report.certain)),
    all_picks(report, names, state));
}
