// What the page is given: src/report/sections.h writes it.
import { unpack, type Numbers, type Packed } from "./columns";

export interface Run {
  version: string; strategy: string; items: number; classes: number;
  budget: { requested: number; selected: number; augmented: number; candidates: number; labelled: number;
    excluded: number; cost?: number; cost_budget?: number };
  feasible_size: number; feasible_size_exact: boolean;
  objective: Record<string, number> | null;
  certificate: { upper_bound: number | null; ratio: number | null; ratio_without_constant: number | null } | null;
  coverage: { mean_uncertainty: number; mean_uncertainty_of_all: number; represented?: number };
  graph: Record<string, unknown> | null;
  options: Record<string, unknown>;
  inputs: Record<string, { path: string; shape?: string; checksum: string }>;
  seconds: Record<string, number>;
  threads: number;
  relaxed: boolean; class_level: number; boundary_factor: number; class_active: boolean; boundary_active: boolean;
  measured: boolean;
}
export interface Groups {
  count: number; available: Numbers; labelled: Numbers; cap: Numbers; cap_requested: Numbers; selected: Numbers;
  first?: Numbers; second?: Numbers;
}
export interface Picks {
  total: number; count: number; rank: Numbers; index: Numbers; gain: Numbers; uncertainty: Numbers; penalty: Numbers;
  triple: Numbers; class: Numbers; boundary: Numbers; represents: Numbers; augmented: Numbers; ids: string[] | null;
}
export interface Places { x: Numbers; y: Numbers; share?: number[] }
export interface ItemMap {
  total: number; count: number; items: Numbers | null; pca: Places | null; layout: Places | null;
  /** rank + 1 of a pick, and of the pick that stands for the item; 0: none */
  pick: Numbers; stands: Numbers | null;
  labelled: Numbers | null; class: Numbers | null; uncertainty: Numbers | null;
  /** place in the list of boundaries + 1; 0: none */
  boundary: Numbers | null;
}
export interface Gain { first: Numbers; penalty: Numbers; terms: { name: string; mean: Numbers }[] }
export interface Estimate { count: number; mean: number; deviation: number; low: number | null; high: number | null }
export interface Experiment {
  budgets: { name: string; items: number }[]; variants: string[]; controls: string[];
  entries: (Estimate & { budget: string; variant: string })[];
  gains: (Estimate & { budget: string; variant: string; control: string })[];
  all_data: Estimate | null; verdict: string;
}
export interface Round {
  folder: string; labelled: number; selected: number; strategy: string; classes_covered: number;
  mean_uncertainty: number; mean_uncertainty_of_all: number; represented: number | null;
}
export interface Report {
  name: string; run: Run | null;
  /** What the items are that were in the subset from the start: in the explorer, the reader may have forced some. */
  initial: "labelled" | "forced" | "labelled or forced";
  class_names: string[] | null; classes: Groups; boundaries: Groups; picks: Picks;
  certain: number[]; uncertain: number[]; gain: Gain | null; map: ItemMap | null;
  thumbnails: Record<string, string> | null; experiment: Experiment | null; rounds: Round[] | null; notes: string[];
}

/** Unpacks every packed array, however deep. */
function unpack_all(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(unpack_all);
  if (value === null || typeof value !== "object") return value;
  const object = value as Record<string, unknown>;
  if (typeof object.t === "string" && typeof object.b === "string") return unpack(object as unknown as Packed);
  return Object.fromEntries(Object.entries(object).map(([name, part]) => [name, unpack_all(part)]));
}

export function read_report(text: string): Report | null {
  const json: unknown = JSON.parse(text);
  if (json === null || typeof json !== "object") return null;
  const report = { initial: "labelled", ...(unpack_all(json) as object) } as Report;
  if (report.run !== null) {
    report.classes.count = report.classes.available.length;
    report.boundaries.count = report.boundaries.available.length;
    report.picks.count = report.picks.rank.length;
  }
  return report;
}

/** Names of things, the same everywhere on the page. */
export class Names {
  constructor(private readonly report: Report) {}
  class_name(label: number): string {
    return this.report.class_names?.[label] ?? `class ${label}`;
  }
  boundary_name(place: number): string {
    const { first, second } = this.report.boundaries;
    const name = (label: number) => this.report.class_names?.[label] ?? `${label}`;
    return `${name(first![place])} / ${name(second![place])}`;
  }
  /** Of the pick at this place of the list. */
  pick_name(at: number): string {
    return this.report.picks.ids?.[at] ?? `item ${this.report.picks.index[at]}`;
  }
}
