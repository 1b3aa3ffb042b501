import { svg } from "./dom";
import { tick_text, ticks } from "./format";

export interface Frame { left: number; top: number; width: number; height: number }
export type Scale = (value: number) => number;

export const linear = (from: [number, number], to: [number, number]): Scale => (value) =>
  to[0] + ((value - from[0]) / Math.max(from[1] - from[0], 1e-12)) * (to[1] - to[0]);

/** Horizontal lines with their numbers at the left. */
export function y_axis(frame: Frame, y: Scale, least: number, most: number, wanted = 4,
  text: (value: number) => string = tick_text): SVGGElement {
  return svg("g", { class: "axis" }, ...ticks(least, most, wanted).flatMap((value) => [
    svg("line", { x1: frame.left, x2: frame.left + frame.width, y1: y(value), y2: y(value) }),
    svg("text", { x: frame.left - 8, y: y(value), dy: "0.32em", "text-anchor": "end" }, text(value)),
  ]));
}

export function x_axis(frame: Frame, places: [value: number, text: string][], x: Scale): SVGGElement {
  const bottom = frame.top + frame.height;
  return svg("g", { class: "axis" }, ...places.map(([value, text], at) =>
    svg("text", { x: x(value), y: bottom + 18,
      "text-anchor": at === 0 && places.length > 1 ? "start" : at === places.length - 1 && places.length > 1 ? "end" : "middle" },
      text)));
}

export const label = (x: number, y: number, text: string, anchor = "start"): SVGTextElement =>
  svg("text", { x, y, class: "label", "text-anchor": anchor }, text);

export function drawing(width: number, height: number, name: string): SVGSVGElement {
  return svg("svg", { width, height, viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": name, class: "chart" });
}
