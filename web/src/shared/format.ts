const whole = new Intl.NumberFormat("en", { maximumFractionDigits: 0 });

export const count = (value: number): string => whole.format(value);
export const percent = (share: number, digits = 1): string => `${(100 * share).toFixed(digits)}%`;
/** Bounds are never rounded to look better: a lower one down, an upper one up. */
export function percent_at_least(share: number, digits = 1): string {
  const unit = 10 ** digits;
  return `${(Math.floor(100 * share * unit) / unit).toFixed(digits)}%`;
}
export function percent_at_most(share: number, digits = 1): string {
  const unit = 10 ** digits;
  return `${(Math.ceil(100 * share * unit) / unit).toFixed(digits)}%`;
}
/** Four significant digits, or all before the point where those are more. */
function rounded(value: number, round: (value: number) => number): string {
  const digits = value === 0 ? 0 : Math.min(Math.max(3 - Math.floor(Math.log10(Math.abs(value))), 0), 20);
  return (round(value * 10 ** digits) / 10 ** digits).toLocaleString("en", { maximumFractionDigits: digits });
}
export const number_at_least = (value: number): string => rounded(value, Math.floor);
export const number_at_most = (value: number): string => rounded(value, Math.ceil);
/** "1 item", "2,000 items". */
export const counted = (value: number, one: string, many = `${one}s`): string =>
  `${count(value)} ${value === 1 ? one : many}`;

export const capitalised = (text: string): string => `${text[0].toUpperCase()}${text.slice(1)}`;

/** The largest of some numbers, however many; `otherwise` at least. */
export function largest(values: Iterable<number>, otherwise = 0): number {
  let most = otherwise;
  for (const value of values) if (value > most) most = value;
  return most;
}

/** About three significant digits, never in exponents. */
export function short(value: number): string {
  const size = Math.abs(value);
  if (value === 0) return "0";
  if (size >= 1000) return count(value);
  return value.toFixed(size >= 100 ? 0 : size >= 10 ? 1 : size >= 1 ? 2 : 3);
}

/** As short as a number on an axis can be. */
export const tick_text = (value: number): string =>
  Math.abs(value) >= 1000 ? count(value) : String(Number(value.toPrecision(3)));

/** About `wanted` round numbers from 0, or from `least`, up to at least `most`. */
export function ticks(least: number, most: number, wanted: number): number[] {
  const range = Math.max(most - least, 1e-9);
  const raw = range / Math.max(1, wanted);
  const power = 10 ** Math.floor(Math.log10(raw));
  const step = [1, 2, 2.5, 5, 10].map((factor) => factor * power).find((size) => size >= raw) ?? raw;
  const out: number[] = [];
  for (let at = Math.ceil(least / step - 1e-9); at * step <= most * (1 + 1e-9); ++at) out.push(at * step || 0);
  return out;
}
