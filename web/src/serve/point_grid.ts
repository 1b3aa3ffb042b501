// Points by the cell of a grid they lie in: who is near a place, who is inside a polygon, at a million points.

import type { Spot } from "../shared/links";

const bits = 7;  // of the 16 that a coordinate has, those within a cell
const side = 1 << (16 - bits);

export class PointGrid {
  private readonly starts = new Uint32Array(side * side + 1);
  private readonly order: Uint32Array;
  /** Of all points, as a share of the longest side a map can have. */
  readonly extent: Spot;
  private readonly centre: Spot;

  constructor(private readonly x: Uint16Array, private readonly y: Uint16Array) {
    const low = { x: 65535, y: 65535 };
    const high = { x: 0, y: 0 };
    for (let at = 0; at < x.length; ++at) {
      if (x[at] < low.x) low.x = x[at];
      if (x[at] > high.x) high.x = x[at];
      if (y[at] < low.y) low.y = y[at];
      if (y[at] > high.y) high.y = y[at];
      ++this.starts[this.cell(at) + 1];
    }
    this.extent = { x: Math.max(high.x - low.x, 1) / 65535, y: Math.max(high.y - low.y, 1) / 65535 };
    this.centre = { x: (low.x + high.x) / 131070, y: (low.y + high.y) / 131070 };
    for (let at = 0; at < side * side; ++at) this.starts[at + 1] += this.starts[at];
    const next = this.starts.slice(0, -1);
    this.order = new Uint32Array(x.length);
    for (let at = 0; at < x.length; ++at) this.order[next[this.cell(at)]++] = at;
  }
  get middle(): Spot {
    return { ...this.centre };
  }

  private cell(at: number): number {
    return (this.y[at] >> bits) * side + (this.x[at] >> bits);
  }
  private visit(low: Spot, high: Spot, visit: (point: number) => void): void {
    const clamp = (value: number) => Math.min(Math.max(value, 0), 65535) >> bits;
    for (let row = clamp(low.y); row <= clamp(high.y); ++row) {
      const end = this.starts[row * side + clamp(high.x) + 1];
      for (let at = this.starts[row * side + clamp(low.x)]; at < end; ++at) visit(this.order[at]);
    }
  }

  nearest(spot: Spot, within: number): number | null {
    let best: number | null = null;
    let least = within * within;
    this.visit({ x: spot.x - within, y: spot.y - within }, { x: spot.x + within, y: spot.y + within }, (point) => {
      const square = (this.x[point] - spot.x) ** 2 + (this.y[point] - spot.y) ** 2;
      if (square < least || (square === least && best !== null && point < best)) {
        least = square;
        best = point;
      }
    });
    return best;
  }

  /** Points inside a polygon, ascending: a ray from each crosses its sides an odd number of times. */
  inside(polygon: Spot[]): Uint32Array {
    const xs = polygon.map((spot) => spot.x);
    const ys = polygon.map((spot) => spot.y);
    const found: number[] = [];
    this.visit({ x: Math.min(...xs), y: Math.min(...ys) }, { x: Math.max(...xs), y: Math.max(...ys) }, (point) => {
      const x = this.x[point];
      const y = this.y[point];
      let odd = false;
      for (let at = 0, before = polygon.length - 1; at < polygon.length; before = at++) {
        if (ys[at] > y !== ys[before] > y && x < ((xs[before] - xs[at]) * (y - ys[at])) / (ys[before] - ys[at]) + xs[at]) odd = !odd;
      }
      if (odd) found.push(point);
    });
    return Uint32Array.from(found).sort();
  }
}
