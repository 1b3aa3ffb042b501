// Points on a canvas by WebGL2: places and colours lie in the graphics memory, so that panning sends a few numbers and
// nothing else. Knows nothing of what the points are.
import { draw_links, type Spot } from "../shared/links";
import type { Look } from "../shared/scatter";
import { PointGrid } from "./point_grid";

export type Tool = "move" | "lasso";

const most_always_drawn = 50000;
const least_drawn = 20000;
const frame_time = 12;  // milliseconds
const pause = 160;  // milliseconds without a movement after which everything is drawn again

/** Points in an order in which the first few are a sample of all. */
function shuffled(count: number): Uint32Array {
  const order = Uint32Array.from({ length: count }, (_, at) => at);
  let state = 0x9e3779b9;
  for (let left = count; left > 1; --left) {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    const other = (state >>> 0) % left;
    [order[left - 1], order[other]] = [order[other], order[left - 1]];
  }
  return order;
}

const vertex = `#version 300 es
in vec2 place; in vec4 colour; in float kind;
uniform vec2 scale; uniform vec2 shift; uniform highp float size;
out vec4 paint; flat out float shape;
void main() {
  gl_Position = vec4(place * scale + shift, 0.0, 1.0);
  gl_PointSize = size;
  paint = colour; shape = kind;
}`;
const flat_fragment = `#version 300 es
precision mediump float;
in vec4 paint; flat in float shape; out vec4 result;
void main() { result = vec4(paint.rgb * paint.a, paint.a); }`;
const raised_fragment = `#version 300 es
precision mediump float;
in vec4 paint; flat in float shape; uniform vec3 rim; uniform highp float size; out vec4 result;
void main() {
  vec2 at = abs(gl_PointCoord * 2.0 - 1.0);
  float far = shape > 1.5 ? at.x + at.y : length(at);
  float soft = 2.0 / size;
  float inside = 1.0 - smoothstep(1.0 - soft, 1.0, far);
  float edge = shape > 1.5 ? 0.0 : smoothstep(1.0 - 1.7 * soft, 1.0 - 0.9 * soft, far);
  float alpha = inside * paint.a;
  result = vec4(mix(paint.rgb, rim, edge) * alpha, alpha);
}`;

function make_program(gl: WebGL2RenderingContext, fragment: string): WebGLProgram {
  const program = gl.createProgram()!;
  for (const [kind, source] of [[gl.VERTEX_SHADER, vertex], [gl.FRAGMENT_SHADER, fragment]] as const) {
    const shader = gl.createShader(kind)!;
    gl.shaderSource(shader, source);
    gl.compileShader(shader);
    gl.attachShader(program, shader);
  }
  ["place", "colour", "kind"].forEach((name, at) => gl.bindAttribLocation(program, at, name));
  gl.linkProgram(program);
  if (!gl.getProgramParameter(program, gl.LINK_STATUS)) throw new Error(gl.getProgramInfoLog(program) ?? "no program");
  return program;
}

/** A layer of points with buffers of its own. */
class Layer {
  private readonly buffers: WebGLBuffer[];
  private readonly array: WebGLVertexArrayObject;
  count = 0;

  constructor(private readonly gl: WebGL2RenderingContext, readonly program: WebGLProgram) {
    this.array = gl.createVertexArray()!;
    gl.bindVertexArray(this.array);
    this.buffers = [0, 1, 2].map((at) => {
      const buffer = gl.createBuffer()!;
      gl.bindBuffer(gl.ARRAY_BUFFER, buffer);
      if (at === 0) gl.vertexAttribPointer(0, 2, gl.UNSIGNED_SHORT, true, 4, 0);
      if (at === 1) gl.vertexAttribPointer(1, 4, gl.UNSIGNED_BYTE, true, 4, 0);
      if (at === 2) gl.vertexAttribPointer(2, 1, gl.UNSIGNED_BYTE, false, 4, 0);
      if (at < 2) gl.enableVertexAttribArray(at);
      return buffer;
    });
  }
  fill(which: 0 | 1 | 2, values: Uint16Array | Uint8Array): void {
    const { gl } = this;
    gl.bindVertexArray(this.array);
    gl.bindBuffer(gl.ARRAY_BUFFER, this.buffers[which]);
    gl.bufferData(gl.ARRAY_BUFFER, values, gl.DYNAMIC_DRAW);
    if (which === 2) gl.enableVertexAttribArray(2);
  }
  draw(view: { scale: Spot; shift: Spot }, size: number, rim: number[] | null, share: number): void {
    const { gl, program } = this;
    if (this.count === 0) return;
    gl.useProgram(program);
    const uniform = (name: string) => gl.getUniformLocation(program, name);
    gl.uniform2f(uniform("scale"), view.scale.x, view.scale.y);
    gl.uniform2f(uniform("shift"), view.shift.x, view.shift.y);
    gl.uniform1f(uniform("size"), size);
    if (rim !== null) gl.uniform3f(uniform("rim"), rim[0] / 255, rim[1] / 255, rim[2] / 255);
    gl.bindVertexArray(this.array);
    gl.drawArrays(gl.POINTS, 0, Math.ceil(share * this.count));
  }
}

export class PointCloud {
  private readonly gl: WebGL2RenderingContext;
  private readonly pool: Layer;
  private readonly raised: Layer;
  private raised_points = new Uint32Array(0);
  private readonly order: Uint32Array;
  // While the map moves, only so many of the points are drawn as the machine draws without stumbling.
  private share = 1;
  private moved_at = -Infinity;
  private rest = 0;
  private grid: PointGrid;
  private look: Look | null = null;
  private scale = 1;
  private middle: Spot;
  private frame = 0;
  private chosen: number | null = null;
  private linked: number[] = [];
  private held = new Set<number>();
  private path: Spot[] = [];
  tool: Tool = "move";
  on_choose: (point: number | null) => void = () => {};
  on_lasso: (points: Uint32Array) => void = () => {};

  /** `overlay` lies above `canvas` and shows what is marked. Throws where there is no WebGL2. */
  constructor(private readonly canvas: HTMLCanvasElement, private readonly overlay: HTMLCanvasElement, private x: Uint16Array, private y: Uint16Array) {
    const gl = canvas.getContext("webgl2", { antialias: false, alpha: false, preserveDrawingBuffer: true });
    if (gl === null) throw new Error("This browser shows no WebGL2, which the map needs; everything else works.");
    this.gl = gl;
    this.pool = new Layer(gl, make_program(gl, flat_fragment));
    this.raised = new Layer(gl, make_program(gl, raised_fragment));
    gl.enable(gl.BLEND);
    gl.blendFunc(gl.ONE, gl.ONE_MINUS_SRC_ALPHA);
    this.grid = new PointGrid(x, y);
    this.middle = this.grid.middle;
    this.order = shuffled(x.length);
    this.send_places();
    this.listen();
    new ResizeObserver(() => this.redraw()).observe(canvas);
  }

  set_places(x: Uint16Array, y: Uint16Array): void {
    this.x = x;
    this.y = y;
    this.grid = new PointGrid(x, y);
    this.send_places();
    this.send_raised();
    this.reset();
  }
  set_look(look: Look): void {
    this.look = look;
    const count = this.x.length;
    const dense = count > 20000;
    const usual = dense ? (count > 200000 ? 90 : 128) : 153;
    const colours = new Uint8Array(4 * count);
    this.order.forEach((from, at) => {
      colours[4 * at] = look.colours[3 * from];
      colours[4 * at + 1] = look.colours[3 * from + 1];
      colours[4 * at + 2] = look.colours[3 * from + 2];
      colours[4 * at + 3] = look.raised[from] !== 0 ? 0 : look.shown !== null && look.shown[from] === 0 ? 10 : usual;
    });
    this.pool.fill(1, colours);
    this.pool.count = count;
    this.raised_points = this.order.filter((at) => look.raised[at] !== 0 && (look.shown === null || look.shown[at] !== 0));
    this.send_raised();
    this.redraw();
  }
  /** Marks a point and those that belong to it. */
  choose(point: number | null, linked: number[], follow: boolean): void {
    this.chosen = point;
    this.linked = linked;
    if (point !== null && follow) this.bring_into_view(point);
    this.redraw();
  }
  /** Points held by the lasso. */
  hold(points: Uint32Array): void {
    this.held = new Set(points.length > 200000 ? [] : points);
    this.redraw();
  }
  zoom(factor: number, at: Spot = { x: 0.5, y: 0.5 }): void {
    const scale = Math.min(Math.max(this.scale * factor, 0.5), 400);
    // What lies under the pointer stays there.
    const { width, height, unit } = this.size();
    const shift = 1 / this.scale - 1 / scale;
    this.middle.x += (((at.x - 0.5) * width) / unit) * shift;
    this.middle.y -= (((at.y - 0.5) * height) / unit) * shift;
    this.scale = scale;
    this.redraw_moving();
  }
  pan(dx: number, dy: number): void {
    const unit = this.size().unit * this.scale;
    this.middle.x -= dx / unit;
    this.middle.y += dy / unit;
    this.redraw_moving();
  }
  reset(): void {
    this.scale = 1;
    this.middle = this.grid.middle;
    this.redraw();
  }
  /** The points that can be seen now. */
  in_view(): Uint32Array {
    const { width, height } = this.size();
    return this.grid.inside([{ x: 0, y: 0 }, { x: width, y: 0 }, { x: width, y: height }, { x: 0, y: height }].map((corner) => this.from_screen(corner)));
  }
  /** Where a point lies on the canvas, in CSS pixels. */
  place(at: number): Spot {
    const { width, height, unit } = this.size();
    return {
      x: width / 2 + (this.x[at] / 65535 - this.middle.x) * unit * this.scale,
      y: height / 2 - (this.y[at] / 65535 - this.middle.y) * unit * this.scale,
    };
  }

  private size() {
    const width = this.canvas.clientWidth;
    const height = this.canvas.clientHeight;
    // The cloud fills the canvas but for a margin, whatever the shapes of the two.
    return { width, height, unit: 0.92 * Math.min(width / this.grid.extent.x, height / this.grid.extent.y) };
  }
  private from_screen(spot: Spot): Spot {
    const { width, height, unit } = this.size();
    return {
      x: 65535 * (this.middle.x + (spot.x - width / 2) / (unit * this.scale)),
      y: 65535 * (this.middle.y - (spot.y - height / 2) / (unit * this.scale)),
    };
  }
  private bring_into_view(point: number): void {
    const { width, height } = this.size();
    const { x, y } = this.place(point);
    if (x < 0.06 * width || x > 0.94 * width || y < 0.06 * height || y > 0.94 * height)
      this.middle = { x: this.x[point] / 65535, y: this.y[point] / 65535 };
  }
  private send_places(): void {
    const both = new Uint16Array(2 * this.x.length);
    this.order.forEach((from, at) => {
      both[2 * at] = this.x[from];
      both[2 * at + 1] = this.y[from];
    });
    this.pool.fill(0, both);
  }
  private send_raised(): void {
    const points = this.raised_points;
    const places = new Uint16Array(2 * points.length);
    const colours = new Uint8Array(4 * points.length);
    const kinds = new Uint8Array(4 * points.length);
    const { look } = this;
    points.forEach((point, at) => {
      places[2 * at] = this.x[point];
      places[2 * at + 1] = this.y[point];
      colours.set([look!.colours[3 * point], look!.colours[3 * point + 1], look!.colours[3 * point + 2], 255], 4 * at);
      kinds[4 * at] = look!.raised[point];
    });
    this.raised.fill(0, places);
    this.raised.fill(1, colours);
    this.raised.fill(2, kinds);
    this.raised.count = points.length;
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

  private redraw_moving(): void {
    this.moved_at = performance.now();
    this.redraw();
    clearTimeout(this.rest);
    if (this.x.length > most_always_drawn) this.rest = window.setTimeout(() => this.redraw(), pause);
  }
  /** Draws all points, or, of many while the map moves, as many as a frame has time for. */
  private draw_points(draw: (share: number) => void): void {
    const { gl } = this;
    const many = this.x.length > most_always_drawn;
    const started = performance.now();
    const share = many && started - this.moved_at < pause / 2 ? this.share : 1;
    draw(share);
    if (!many) return;
    // A pixel is there to be read when the points are.
    gl.readPixels(0, 0, 1, 1, gl.RGBA, gl.UNSIGNED_BYTE, new Uint8Array(4));
    const fit = (share * frame_time) / Math.max(0.1, performance.now() - started);
    this.share = Math.min(1, Math.max(least_drawn / this.x.length, fit));
  }

  private draw(): void {
    const { gl, canvas, overlay, look } = this;
    const { width, height, unit } = this.size();
    if (look === null || width === 0) return;
    const ratio = Math.min(devicePixelRatio, 2);
    for (const one of [canvas, overlay]) {
      if (one.width === Math.round(width * ratio) && one.height === Math.round(height * ratio)) continue;
      one.width = Math.round(width * ratio);
      one.height = Math.round(height * ratio);
    }
    gl.viewport(0, 0, canvas.width, canvas.height);
    gl.clearColor(look.ground[0] / 255, look.ground[1] / 255, look.ground[2] / 255, 1);
    gl.clear(gl.COLOR_BUFFER_BIT);
    const view = {
      scale: { x: (2 * unit * this.scale) / width, y: (2 * unit * this.scale) / height },
      shift: { x: (-2 * this.middle.x * unit * this.scale) / width, y: (-2 * this.middle.y * unit * this.scale) / height },
    };
    const count = this.x.length;
    const pool_size = count > 200000 ? 1.1 : count > 20000 ? 1.5 : count > 3000 ? 2.2 : 3.2;
    const near = Math.sqrt(Math.max(1, this.scale));
    const number = this.raised.count;
    const radius = (number > 20000 ? 1.7 : number > 3000 ? 2.4 : number > 500 ? 3.2 : 4) * Math.min(1, Math.max(0.7, width / 700)) * Math.min(1.9, Math.sqrt(near));
    this.draw_points((share) => {
      this.pool.draw(view, Math.max(1, ratio * pool_size * Math.min(3, near)), null, share);
      this.raised.draw(view, 2 * ratio * radius, look.rim, share);
    });
    this.draw_marks(ratio);
  }

  private draw_marks(ratio: number): void {
    const context = this.overlay.getContext("2d")!;
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    const { width, height } = this.size();
    context.clearRect(0, 0, width, height);
    const { rim } = this.look!;
    context.strokeStyle = context.fillStyle = `rgb(${rim.join(" ")})`;
    if (this.held.size > 0) {
      context.globalAlpha = 0.8;
      for (const at of this.held) {
        const { x, y } = this.place(at);
        if (x >= 0 && y >= 0 && x <= width && y <= height) context.fillRect(x - 1, y - 1, 2, 2);
      }
    }
    if (this.path.length > 1) {
      context.globalAlpha = 1;
      context.lineWidth = 1.5;
      context.setLineDash([5, 4]);
      context.beginPath();
      this.path.forEach(({ x, y }, at) => (at === 0 ? context.moveTo(x, y) : context.lineTo(x, y)));
      context.closePath();
      context.stroke();
      context.setLineDash([]);
      context.globalAlpha = 0.07;
      context.fill();
    }
    if (this.chosen !== null) draw_links(context, this.place(this.chosen), this.linked.map((at) => this.place(at)));
    context.globalAlpha = 1;
  }

  /** The raised point nearest to a place on the screen, else any point; null where none is near. */
  private nearest(spot: Spot): number | null {
    let best: number | null = null;
    let least = 12 * 12;
    for (const at of this.raised_points) {
      const place = this.place(at);
      const square = (place.x - spot.x) ** 2 + (place.y - spot.y) ** 2;
      if (square < least) {
        least = square;
        best = at;
      }
    }
    return best ?? this.grid.nearest(this.from_screen(spot), (65535 * 12) / (this.size().unit * this.scale));
  }

  private listen(): void {
    const { overlay } = this;
    const fingers = new Map<number, Spot>();
    let moved = 0;
    const spot_of = (event: MouseEvent): Spot => {
      const box = overlay.getBoundingClientRect();
      return { x: event.clientX - box.left, y: event.clientY - box.top };
    };
    overlay.addEventListener("pointerdown", (event) => {
      fingers.set(event.pointerId, spot_of(event));
      overlay.setPointerCapture(event.pointerId);
      moved = 0;
      this.path = this.tool === "lasso" && fingers.size === 1 ? [spot_of(event)] : [];
    });
    overlay.addEventListener("pointermove", (event) => {
      const before = fingers.get(event.pointerId);
      if (before === undefined) return;
      const now = spot_of(event);
      moved += Math.abs(now.x - before.x) + Math.abs(now.y - before.y);
      const other = [...fingers].find(([id]) => id !== event.pointerId)?.[1];
      if (other !== undefined) {
        const spread = (spot: Spot) => Math.hypot(spot.x - other.x, spot.y - other.y);
        const { width, height } = this.size();
        this.path = [];
        this.zoom(spread(now) / Math.max(1, spread(before)), { x: (now.x + other.x) / 2 / width, y: (now.y + other.y) / 2 / height });
        this.pan((now.x - before.x) / 2, (now.y - before.y) / 2);
      } else if (this.path.length > 0) {
        this.path.push(now);
        this.redraw();
      } else if (moved > 4) {
        this.pan(now.x - before.x, now.y - before.y);
      }
      fingers.set(event.pointerId, now);
    });
    const lift = (event: PointerEvent) => {
      if (!fingers.delete(event.pointerId) || fingers.size > 0) return;
      const { path } = this;
      this.path = [];
      this.redraw();
      if (event.type !== "pointerup") return;
      if (moved <= 4) this.on_choose(this.nearest(spot_of(event)));
      else if (path.length > 2) this.on_lasso(this.grid.inside(path.map((spot) => this.from_screen(spot))));
    };
    overlay.addEventListener("pointerup", lift);
    overlay.addEventListener("pointercancel", lift);
    overlay.addEventListener("wheel", (event) => {
      // Without the focus or Ctrl, the wheel goes on scrolling the page.
      if (!event.ctrlKey && document.activeElement !== overlay) return;
      event.preventDefault();
      const { width, height } = this.size();
      const spot = spot_of(event);
      this.zoom(Math.exp(-event.deltaY / 400), { x: spot.x / width, y: spot.y / height });
    }, { passive: false });
    overlay.addEventListener("keydown", (event) => {
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
