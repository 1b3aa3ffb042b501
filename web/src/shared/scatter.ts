// A cloud of points on a canvas, with picks drawn above it. Pans and zooms; knows nothing of what the points are.
// The pool goes straight into pixels, which stays quick at 100,000 points without a graphics card.
import { draw_links } from "./links";
import { css, type Rgb } from "./palette";

export interface Cloud { x: ArrayLike<number>; y: ArrayLike<number>; count: number }
export interface Look {
  /** Colours of the points, three bytes each. */
  colours: Uint8Array;
  /** Points above the others: 1, a disc with a rim; 2, a diamond without. */
  raised: Uint8Array;
  /** 1: shown, 0: faint. Null: all shown. */
  shown: Uint8Array | null;
  ground: Rgb;
  rim: Rgb;
}

export class Scatter {
  private scale = 1;
  private middle = { x: 0.5, y: 0.5 };
  private frame = 0;
  private look: Look | null = null;
  private chosen: number | null = null;
  private linked: number[] = [];
  on_choose: (point: number | null) => void = () => {};

  constructor(private readonly canvas: HTMLCanvasElement, private cloud: Cloud) {
    this.listen();
    new ResizeObserver(() => this.redraw()).observe(canvas);
  }

  set_cloud(cloud: Cloud): void {
    this.cloud = cloud;
    this.redraw();
  }
  set_look(look: Look): void {
    this.look = look;
    this.redraw();
  }
  /** Marks a point and those that belong to it. */
  choose(point: number | null, linked: number[], follow: boolean): void {
    this.chosen = point;
    this.linked = linked;
    if (point !== null && follow) this.bring_into_view(point);
    this.redraw();
  }
  zoom(factor: number, at = { x: 0.5, y: 0.5 }): void {
    const scale = Math.min(Math.max(this.scale * factor, 0.5), 400);
    // What lies under the pointer stays there.
    const size = this.size();
    const shift = 1 / this.scale - 1 / scale;
    this.middle.x += ((at.x - 0.5) * size.width / size.unit) * shift;
    this.middle.y -= ((at.y - 0.5) * size.height / size.unit) * shift;
    this.scale = scale;
    this.redraw();
  }
  pan(dx: number, dy: number): void {
    const unit = this.size().unit * this.scale;
    this.middle.x -= dx / unit;
    this.middle.y += dy / unit;
    this.redraw();
  }
  reset(): void {
    this.scale = 1;
    this.middle = this.centre();
    this.redraw();
  }
  /** The raised point nearest to a place on the screen, else any point; null where none is near. */
  nearest(client_x: number, client_y: number): number | null {
    const box = this.canvas.getBoundingClientRect();
    const wanted = { x: client_x - box.left, y: client_y - box.top };
    let best: number | null = null;
    let least = 14 * 14;
    for (const only_raised of [true, false]) {
      for (let at = 0; at < this.cloud.count; ++at) {
        if (only_raised && this.look?.raised[at] !== 1) continue;
        const place = this.place(at);
        const square = (place.x - wanted.x) ** 2 + (place.y - wanted.y) ** 2;
        if (square < least) {
          least = square;
          best = at;
        }
      }
      if (best !== null) return best;
    }
    return best;
  }

  private size() {
    const width = this.canvas.clientWidth;
    const height = this.canvas.clientHeight;
    const extent = this.extent();
    // The cloud fills the canvas but for a margin, whatever the shapes of the two.
    return { width, height, unit: 0.92 * Math.min(width / extent.width, height / extent.height) };
  }
  private known_extent: { cloud: Cloud; width: number; height: number; x: number; y: number } | null = null;
  private extent() {
    if (this.known_extent?.cloud === this.cloud) return this.known_extent;
    const low = { x: Infinity, y: Infinity };
    const high = { x: -Infinity, y: -Infinity };
    for (let at = 0; at < this.cloud.count; ++at) {
      low.x = Math.min(low.x, this.cloud.x[at]);
      high.x = Math.max(high.x, this.cloud.x[at]);
      low.y = Math.min(low.y, this.cloud.y[at]);
      high.y = Math.max(high.y, this.cloud.y[at]);
    }
    const width = Math.max(high.x - low.x, 1) / 65535;
    const height = Math.max(high.y - low.y, 1) / 65535;
    this.known_extent = { cloud: this.cloud, width, height, x: (low.x + high.x) / 131070, y: (low.y + high.y) / 131070 };
    this.middle = { x: this.known_extent.x, y: this.known_extent.y };
    this.scale = 1;
    return this.known_extent;
  }
  private centre() {
    const { x, y } = this.extent();
    return { x, y };
  }
  private place(at: number) {
    const { width, height, unit } = this.size();
    return {
      x: width / 2 + (this.cloud.x[at] / 65535 - this.middle.x) * unit * this.scale,
      y: height / 2 - (this.cloud.y[at] / 65535 - this.middle.y) * unit * this.scale,
    };
  }
  private bring_into_view(point: number): void {
    const { width, height } = this.size();
    const { x, y } = this.place(point);
    if (x < 0.06 * width || x > 0.94 * width || y < 0.06 * height || y > 0.94 * height)
      this.middle = { x: this.cloud.x[point] / 65535, y: this.cloud.y[point] / 65535 };
  }

  redraw(): void {
    if (this.frame === 0) this.frame = requestAnimationFrame(() => {
      this.frame = 0;
      this.draw();
    });
  }
  /** What is printed waits for no frame. */
  draw_now(): void {
    cancelAnimationFrame(this.frame);
    this.frame = 0;
    this.draw();
  }

  private draw(): void {
    const { width, height, unit } = this.size();
    if (this.look === null || width === 0) return;
    const ratio = Math.min(devicePixelRatio, 2);
    const wide = Math.round(width * ratio);
    const high = Math.round(height * ratio);
    if (this.canvas.width !== wide || this.canvas.height !== high) {
      this.canvas.width = wide;
      this.canvas.height = high;
    }
    const context = this.canvas.getContext("2d")!;
    const { x, y, count } = this.cloud;
    const { colours, raised, shown, ground } = this.look;
    const image = context.createImageData(wide, high);
    const pixels = image.data;
    const blank = (255 << 24) | (ground[2] << 16) | (ground[1] << 8) | ground[0];
    new Uint32Array(pixels.buffer).fill(blank);
    const factor = (unit * this.scale * ratio) / 65535;
    const left = wide / 2 - this.middle.x * unit * this.scale * ratio;
    const top = high / 2 + this.middle.y * unit * this.scale * ratio;
    const dense = count > 20000;
    const side = Math.max(1, Math.round(ratio * (dense ? 1.5 : count > 3000 ? 2.2 : 3.2) * Math.min(2.2, Math.sqrt(Math.max(1, this.scale)))));
    for (let at = 0; at < count; ++at) {
      if (raised[at] !== 0) continue;
      const px = Math.round(left + x[at] * factor - side / 2);
      const py = Math.round(top - y[at] * factor - side / 2);
      if (px < 0 || py < 0 || px + side > wide || py + side > high) continue;
      const opacity = shown !== null && shown[at] === 0 ? 0.06 : dense ? 0.5 : 0.6;
      for (let row = py; row < py + side; ++row)
        for (let offset = 4 * (row * wide + px), end = offset + 4 * side; offset < end; offset += 4)
          for (let c = 0; c < 3; ++c) pixels[offset + c] += (colours[3 * at + c] - pixels[offset + c]) * opacity;
    }
    context.putImageData(image, 0, 0);
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    this.draw_raised(context);
    this.draw_chosen(context);
  }

  /** Raised points, those of one colour in one go. */
  private draw_raised(context: CanvasRenderingContext2D): void {
    const { colours, raised, shown, rim } = this.look!;
    const groups = new Map<number, number[]>();
    let number = 0;
    for (let at = 0; at < this.cloud.count; ++at) {
      if (raised[at] === 0 || (shown !== null && shown[at] === 0)) continue;
      ++number;
      const key = (raised[at] << 24) | (colours[3 * at] << 16) | (colours[3 * at + 1] << 8) | colours[3 * at + 2];
      const group = groups.get(key);
      if (group === undefined) groups.set(key, [at]);
      else group.push(at);
    }
    const { width, height } = this.size();
    const room = Math.min(1, Math.max(0.7, width / 700));
    const radius = (number > 3000 ? 2.2 : number > 500 ? 2.8 : 4) * room * Math.min(1.9, Math.sqrt(Math.sqrt(Math.max(1, this.scale))));
    context.lineWidth = number > 500 ? 0.6 : 1;
    context.strokeStyle = css(rim);
    for (const [key, points] of groups) {
      context.fillStyle = css([(key >> 16) & 255, (key >> 8) & 255, key & 255]);
      const diamond = key >> 24 === 2;
      context.beginPath();
      for (const at of points) {
        const place = this.place(at);
        if (place.x < -radius || place.y < -radius || place.x > width + radius || place.y > height + radius) continue;
        context.moveTo(place.x + radius, place.y);
        if (diamond) {
          context.lineTo(place.x, place.y + radius);
          context.lineTo(place.x - radius, place.y);
          context.lineTo(place.x, place.y - radius);
        } else {
          context.arc(place.x, place.y, radius, 0, 2 * Math.PI);
        }
      }
      context.fill();
      if (!diamond) context.stroke();
    }
  }

  private draw_chosen(context: CanvasRenderingContext2D): void {
    if (this.chosen === null) return;
    context.strokeStyle = css(this.look!.rim);
    draw_links(context, this.place(this.chosen), this.linked.map((at) => this.place(at)));
  }

  private listen(): void {
    const { canvas } = this;
    const fingers = new Map<number, { x: number; y: number }>();
    let moved = 0;
    canvas.addEventListener("pointerdown", (event) => {
      fingers.set(event.pointerId, { x: event.clientX, y: event.clientY });
      canvas.setPointerCapture(event.pointerId);
      moved = 0;
    });
    canvas.addEventListener("pointermove", (event) => {
      const before = fingers.get(event.pointerId);
      if (before === undefined) return;
      const now = { x: event.clientX, y: event.clientY };
      moved += Math.abs(now.x - before.x) + Math.abs(now.y - before.y);
      const other = [...fingers].find(([id]) => id !== event.pointerId)?.[1];
      if (other !== undefined) {
        const spread = (point: { x: number; y: number }) => Math.hypot(point.x - other.x, point.y - other.y);
        const box = canvas.getBoundingClientRect();
        this.zoom(spread(now) / Math.max(1, spread(before)),
          { x: ((now.x + other.x) / 2 - box.left) / box.width, y: ((now.y + other.y) / 2 - box.top) / box.height });
        this.pan((now.x - before.x) / 2, (now.y - before.y) / 2);
      } else if (moved > 4) {
        this.pan(now.x - before.x, now.y - before.y);
      }
      fingers.set(event.pointerId, now);
    });
    const lift = (event: PointerEvent) => {
      if (fingers.delete(event.pointerId) && event.type === "pointerup" && fingers.size === 0 && moved <= 4)
        this.on_choose(this.nearest(event.clientX, event.clientY));
    };
    canvas.addEventListener("pointerup", lift);
    canvas.addEventListener("pointercancel", lift);
    canvas.addEventListener("wheel", (event) => {
      // Without the focus or Ctrl, the wheel goes on scrolling the page.
      if (!event.ctrlKey && document.activeElement !== canvas) return;
      event.preventDefault();
      const box = canvas.getBoundingClientRect();
      this.zoom(Math.exp(-event.deltaY / 400), { x: (event.clientX - box.left) / box.width, y: (event.clientY - box.top) / box.height });
    }, { passive: false });
    canvas.addEventListener("keydown", (event) => {
      const far = 48;
      const actions: Record<string, () => void> = {
        ArrowLeft: () => this.pan(far, 0), ArrowRight: () => this.pan(-far, 0),
        ArrowUp: () => this.pan(0, far), ArrowDown: () => this.pan(0, -far),
        "+": () => this.zoom(1.4), "=": () => this.zoom(1.4), "-": () => this.zoom(1 / 1.4), "0": () => this.reset(),
        Escape: () => this.on_choose(null),
      };
      const action = event.ctrlKey || event.metaKey || event.altKey ? undefined : actions[event.key];
      if (action === undefined) return;
      event.preventDefault();
      action();
    });
  }
}
