// What the page knows: two choices side by side, and the items the reader forced or excluded.
import type { Gain, ItemMap, Report } from "../shared/data";
import { Names } from "../shared/data";
import type { Single } from "../report/state";
import * as api from "./api";

export interface Made { place: api.Place; answer: api.Answer; report: Report; names: Names; milliseconds: number; asked: api.Options }
export type Lists = { forced: Set<number>; excluded: Set<number> };
type Event = "choice" | "certificate" | "status" | "place" | "options" | "item" | "held" | "single" | "difference" | "reveal";

/** Gain along the picks in up to `most` stretches, as src/report does it for a page on disk. */
function gain_of(answer: api.Answer, most = 240): Gain | null {
  const { picks, run, others } = answer;
  const n = picks.total;
  if (!run.measured || n === 0 || run.objective === null) return null;
  let sum = 0;
  for (const u of picks.uncertainty) sum += u;
  const weight = sum > 0 ? run.objective.uncertainty / sum : 0;
  const bins = Math.min(n, most);
  const names = ["uncertainty", "diversity", "triples", ...others.map((other) => other.name)];
  const first = new Uint32Array(bins);
  const penalty = new Float32Array(bins);
  const means = names.map(() => new Float32Array(bins));
  for (let bin = 0; bin < bins; ++bin) {
    const begin = Math.floor((bin * n) / bins);
    const end = Math.floor(((bin + 1) * n) / bins);
    first[bin] = begin;
    const sums = new Array<number>(names.length).fill(0);
    let off = 0;
    for (let at = begin; at < end; ++at) {
      let rest = picks.gain[at] - weight * picks.uncertainty[at] - picks.triple[at];
      others.forEach((other, which) => {
        sums[3 + which] += other.gains[at];
        rest -= other.gains[at];
      });
      sums[0] += weight * picks.uncertainty[at];
      sums[1] += rest;
      sums[2] += picks.triple[at];
      off += picks.penalty[at];
    }
    penalty[bin] = off / (end - begin);
    sums.forEach((value, term) => (means[term][bin] = value / (end - begin)));
  }
  return { first, penalty, terms: names.map((name, term) => ({ name, mean: means[term] })) };
}

export class Model {
  place: api.Place = "a";
  options: Record<api.Place, api.Options>;
  lists: Record<api.Place, Lists> = { a: { forced: new Set(), excluded: new Set() }, b: { forced: new Set(), excluded: new Set() } };
  made: Record<api.Place, Made | null> = { a: null, b: null };
  /** `lost`: another window has put its own choice in the place of the one that is shown. */
  status: { text: string; busy: boolean; wrong: boolean; lost: boolean } = { text: "", busy: false, wrong: false, lost: false };
  story: api.ItemStory | null = null;
  /** Points of the map that the lasso holds. */
  held: Uint32Array = new Uint32Array(0);
  single: Single | null = null;
  private point_of: Map<number, number> | null = null;
  private readonly uncertainty: Uint8Array;
  private asked = { a: 0, b: 0 };
  private answered = { a: 0, b: 0 };
  /** The item last asked for; its story may be under way. */
  private wanted: number | null = null;
  private looks = 0;
  private listeners: [Event, () => void][] = [];
  private certificate_timer = 0;

  constructor(readonly session: api.Session, readonly points: api.Points) {
    this.options = { a: { ...session.given }, b: { ...session.given } };
    this.uncertainty = Uint8Array.from(points.margin, (margin) => Math.round(255 * margin));
  }

  on(event: Event, listener: () => void): void {
    this.listeners.push([event, listener]);
  }
  private tell(event: Event): void {
    for (const [wanted, listener] of this.listeners) if (wanted === event) listener();
  }

  get current(): Made | null {
    return this.made[this.place];
  }
  item_of(point: number): number {
    return this.points.items === null ? point : this.points.items[point];
  }
  /** Where an item lies on the map; null for one that a sample left out. */
  point(item: number): number | null {
    if (this.points.items === null) return item < this.points.count ? item : null;
    if (this.point_of === null) {
      this.point_of = new Map();
      for (let at = 0; at < this.points.count; ++at) this.point_of.set(this.points.items[at], at);
    }
    return this.point_of.get(item) ?? null;
  }

  show(place: api.Place): void {
    this.place = place;
    if (this.made[place] === null && place === "b") {
      this.options.b = { ...this.options.a };
      this.lists.b = { forced: new Set(this.lists.a.forced), excluded: new Set(this.lists.a.excluded) };
      void this.choose();
    }
    this.tell("options");
    this.tell("place");
    if (this.current !== null) this.tell("choice");
    if (this.wanted !== null) void this.look_at(this.wanted);
  }
  /** An option in words; null: the usual one. */
  set(name: string, text: string | null): void {
    const options = this.options[this.place];
    if ((options[name] ?? null) === text) return;
    if (text === null) delete options[name];
    else options[name] = text;
    this.tell("options");
    void this.choose();
  }
  reset(): void {
    this.options[this.place] = { ...this.session.given };
    this.lists[this.place] = { forced: new Set(), excluded: new Set() };
    this.tell("options");
    void this.choose();
  }
  /** Forces or excludes items, or lets them go again. */
  mark(items: Iterable<number>, as: "forced" | "excluded" | null): void {
    const { forced, excluded } = this.lists[this.place];
    for (const item of items) {
      forced.delete(item);
      excluded.delete(item);
      if (as === "forced") forced.add(item);
      if (as === "excluded" && !this.is_labelled(item)) excluded.add(item);
    }
    this.tell("options");
    void this.choose();
  }
  /** By the run itself: such an item is in every choice and cannot be excluded. */
  private is_labelled(item: number): boolean {
    const at = this.point(item);
    return at !== null && this.points.labelled !== null && this.points.labelled[at] !== 0;
  }
  single_out(single: Single): void {
    this.single = single;
    this.tell("single");
  }
  show_difference(): void {
    this.tell("difference");
  }
  /** What was asked for on the map is told elsewhere on the page, which should be in sight. */
  reveal(): void {
    this.tell("reveal");
  }
  hold(points: Uint32Array): void {
    this.held = points;
    this.story = this.wanted = null;
    ++this.looks;
    this.tell("held");
  }

  /** Asks for the choice of the place that is shown. The newest question wins, here as on the server. */
  async choose(): Promise<void> {
    const { place } = this;
    const number = ++this.asked[place];
    const asked = { ...this.options[place] };
    const started = performance.now();
    this.say("Choosing…", true);
    clearTimeout(this.certificate_timer);
    const watch = setInterval(() => void this.watch(place, number), 250);
    try {
      const { forced, excluded } = this.lists[place];
      const answer = await this.ask_until_newest(place, number, asked, [...forced], [...excluded]);
      if (answer === null) return;
      const report = this.report_on(answer, place);
      this.made[place] = { place, answer, report, names: new Names(report), milliseconds: performance.now() - started, asked };
      // Where the other place is shown and has no choice yet, its own question is under way and tells.
      if (this.current !== null) {
        this.say(`${report.picks.total.toLocaleString("en")} chosen in ${Math.round(this.made[place]!.milliseconds).toLocaleString("en")} ms`, false);
        this.tell("choice");
      }
      if (place === this.place && this.wanted !== null) void this.look_at(this.wanted);
    } catch (error) {
      if (number !== this.asked[place]) return;
      if (error instanceof api.Overtaken) this.say_lost(place);
      else if (this.made[place] !== null || place === "a") this.say((error as Error).message, false, true);
      else {
        if (this.place === place) this.show("a");
        this.say(`No choice B: ${(error as Error).message}`, false, true);
      }
    } finally {
      clearInterval(watch);
      if (number === this.asked[place]) {
        this.answered[place] = number;
        // Also where the choice failed: its question stopped the certificate of the one that is still shown.
        clearTimeout(this.certificate_timer);
        this.certificate_timer = window.setTimeout(() => void this.certify(), 150);
      }
    }
  }
  private say_lost(place: api.Place): void {
    this.say(`Another window has chosen something else in ${place.toUpperCase()}. Choose again to take it back, or go on in ${place === "a" ? "B" : "A"}.`, false, true, true);
  }
  /** The server no longer has this choice. Where the page itself is asking for a newer one, that is as it should be. */
  note_lost(made: Made): void {
    const { place } = made;
    if (this.made[place] === made && this.asked[place] === this.answered[place]) this.say_lost(place);
  }
  /** Questions sent at once may arrive in another order: the newest, overtaken by an older one, is asked again. */
  private async ask_until_newest(place: api.Place, number: number, asked: api.Options, forced: number[], excluded: number[]): Promise<api.Answer | null> {
    for (let left = 8; ; --left) {
      try {
        const answer = await api.choose(place, asked, forced, excluded);
        return number === this.asked[place] ? answer : null;
      } catch (error) {
        if (number !== this.asked[place]) return null;
        if (!(error instanceof api.Overtaken) || left === 0) throw error;
      }
    }
  }
  private async watch(place: api.Place, number: number): Promise<void> {
    try {
      const progress = await api.get_progress(place);
      if (number !== this.asked[place] || !this.status.busy || !progress.running) return;
      const share = progress.total > 0 ? ` ${Math.round((100 * progress.done) / progress.total)}%` : "";
      this.say(`Choosing… ${progress.stage}${share}`, true);
    } catch { /* the choice itself will say what is wrong */ }
  }
  /** Fills in the certificates that are missing, which takes longer than the choices. */
  private async certify(): Promise<void> {
    for (const place of ["a", "b"] as const) {
      const made = this.made[place];
      if (made === null || made.report.run!.certificate !== null || !made.report.run!.measured) continue;
      try {
        made.report.run!.certificate = await api.get_certificate(place, made.answer.number);
      } catch (error) {
        // The choice that overtook it asks again, made or not.
        if (!(error instanceof api.Overtaken)) this.say(`No certificate: ${(error as Error).message}`, false, true);
        continue;
      }
      if (this.made[place] === made && this.current !== null) this.tell("certificate");
    }
  }
  /** Asks for an item's story in the place that is shown; null: none. The newest question wins. */
  async look_at(item: number | null): Promise<void> {
    const number = ++this.looks;
    this.wanted = item;
    const made = this.current;
    if (item === null || made === null) {
      this.story = null;
      this.tell("item");
      return;
    }
    try {
      const story = await api.get_item(made.place, made.answer.number, item);
      if (number !== this.looks) return;
      this.story = story;
      this.tell("item");
    } catch (error) {
      if (number !== this.looks) return;
      if (error instanceof api.Overtaken) return this.note_lost(made);
      this.wanted = this.story?.item ?? null;
      this.say((error as Error).message, false, true);
    }
  }
  say(text: string, busy: boolean, wrong = false, lost = false): void {
    this.status = { text, busy, wrong, lost };
    this.tell("status");
  }

  private report_on(answer: api.Answer, place: api.Place): Report {
    const { session, points } = this;
    const { picks } = answer;
    answer.classes.count = answer.classes.available.length;
    answer.boundaries.count = answer.boundaries.available.length;
    if (answer.run.certificate?.upper_bound == null) answer.run.certificate = null;
    const pick = new Uint32Array(points.count);
    picks.index.forEach((item, rank) => {
      const at = this.point(item);
      if (at !== null) pick[at] = rank + 1;
    });
    const map: ItemMap = { total: points.total, count: points.count, items: points.items, pca: points.pca, layout: points.layout, pick, stands: null,
      labelled: this.labelled(place), class: points.class, uncertainty: this.uncertainty, boundary: this.boundaries(answer) };
    return { name: session.name, run: answer.run, initial: this.initial(answer), class_names: session.class_names, classes: answer.classes, boundaries: answer.boundaries,
      picks: { ...picks, count: picks.total, rank: Uint32Array.from(picks.index, (_, rank) => rank), ids: null },
      certain: [], uncertain: [], gain: gain_of(answer), map, thumbnails: null, experiment: null, rounds: null, notes: session.notes };
  }
  private initial({ run }: api.Answer): Report["initial"] {
    if (run.budget.labelled === this.session.labelled) return "labelled";
    return this.session.labelled === 0 ? "forced" : "labelled or forced";
  }
  private labelled(place: api.Place): Uint8Array | null {
    const { forced } = this.lists[place];
    if (this.points.labelled === null && forced.size === 0) return null;
    const out = new Uint8Array(this.points.count);
    if (this.points.labelled !== null) out.set(this.points.labelled);
    for (const item of forced) {
      const at = this.point(item);
      if (at !== null) out[at] = 1;
    }
    return out;
  }
  /** Place of each point's boundary in the answer's list, plus one. */
  private boundaries(answer: api.Answer): Uint32Array {
    const { points, session } = this;
    const { first, second } = answer.boundaries;
    const tau = Number(answer.run.options.tau ?? 0.05);
    const out = new Uint32Array(points.count);
    const wide = session.classes;
    const table = wide <= 2048 ? new Uint32Array(wide * wide) : null;
    const rare = new Map<number, number>();
    for (let at = 0; at < answer.boundaries.count; ++at) {
      const key = first![at] * wide + second![at];
      if (table !== null) table[key] = at + 1;
      else rare.set(key, at + 1);
    }
    for (let at = 0; at < points.count; ++at) {
      if (points.margin[at] <= tau) continue;
      const best = points.class[at];
      const other = points.second[at];
      const key = best < other ? best * wide + other : other * wide + best;
      out[at] = table !== null ? table[key] : rare.get(key) ?? 0;
    }
    return out;
  }
}
