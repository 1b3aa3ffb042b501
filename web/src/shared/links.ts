// How a chosen point is marked on a map: a ring around it, and a line to each point that belongs to it.
export interface Spot { x: number; y: number }

/** In the colour of the context's strokes; leaves it opaque. */
export function draw_links(context: CanvasRenderingContext2D, here: Spot, linked: Iterable<Spot>): void {
  context.lineWidth = 1;
  context.globalAlpha = 0.55;
  context.beginPath();
  for (const there of linked) {
    context.moveTo(here.x, here.y);
    context.lineTo(there.x, there.y);
  }
  context.stroke();
  context.globalAlpha = 1;
  context.lineWidth = 2;
  context.beginPath();
  context.arc(here.x, here.y, 9, 0, 2 * Math.PI);
  context.stroke();
}
