// What the sections of the page tell each other: which pick is looked at, which class or boundary is singled out.
import type { Report } from "../shared/data";

export interface Single { kind: "class" | "boundary"; group: number }

export class State {
  /** Places in the list of picks by rank. */
  private readonly place_of = new Map<number, number>();
  private pick_listeners: ((at: number | null, from: string) => void)[] = [];
  private single_listeners: ((single: Single | null) => void)[] = [];
  chosen: number | null = null;

  constructor(readonly report: Report) {
    if (report.run !== null) report.picks.rank.forEach((rank, at) => this.place_of.set(rank, at));
  }
  place(rank: number): number | null {
    return this.place_of.get(rank) ?? null;
  }
  /** `from` says which section asked. */
  choose(at: number | null, from: string): void {
    this.chosen = at;
    for (const listener of this.pick_listeners) listener(at, from);
  }
  on_choose(listener: (at: number | null, from: string) => void): void {
    this.pick_listeners.push(listener);
  }
  single_out(single: Single | null): void {
    for (const listener of this.single_listeners) listener(single);
  }
  on_single(listener: (single: Single | null) => void): void {
    this.single_listeners.push(listener);
  }
}
