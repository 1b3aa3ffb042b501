// Colours that stay apart for colour-blind eyes: Paul Tol's schemes for kinds, ramps of lightness for amounts.
import { is_dark } from "./theme";

export type Rgb = [number, number, number];

const kinds = ["#4477aa", "#ee6677", "#228833", "#ccbb44", "#66ccee", "#aa3377", "#ee7733", "#009988", "#bb5566"];
export const most_kinds = kinds.length;

export function rgb(hex: string): Rgb {
  const value = parseInt(hex.slice(1), 16);
  return [value >> 16, (value >> 8) & 255, value & 255];
}
export const css = ([r, g, b]: Rgb): string => `rgb(${r} ${g} ${b})`;

export const kind_colour = (at: number): string => kinds[at % kinds.length];
/** Everything that is not of interest. */
export const quiet = (): Rgb => (is_dark() ? rgb("#6d7275") : rgb("#a3a69f"));
export const ground = (): Rgb => (is_dark() ? rgb("#17191b") : rgb("#ffffff"));
export const accent = (): Rgb => (is_dark() ? rgb("#4fc3b5") : rgb("#0b6b66"));
export const labelled_colour = (): Rgb => (is_dark() ? rgb("#d9b36a") : rgb("#9a6a12"));

const light_ramp = ["#d8d4c3", "#8fbab3", "#2f8a88", "#0a4a57", "#03222d"].map(rgb);
const dark_ramp = ["#27343a", "#29585c", "#338880", "#52b9a6", "#8ce0c8"].map(rgb);

/** From little (0) to much (1). */
export function ramp(share: number): Rgb {
  const stops = is_dark() ? dark_ramp : light_ramp;
  const at = Math.min(Math.max(share, 0), 1) * (stops.length - 1);
  const low = Math.min(Math.floor(at), stops.length - 2);
  const part = at - low;
  return [0, 1, 2].map((c) => Math.round(stops[low][c] * (1 - part) + stops[low + 1][c] * part)) as Rgb;
}
