// What the server is asked and what it answers: src/serve/explorer.h and describe_session.h.
import type { Numbers } from "../shared/columns";
import type { Groups, Places, Run } from "../shared/data";
import { unpack_answer } from "./unpack";

export type Place = "a" | "b";
export type Options = Record<string, string>;

export interface Session {
  name: string; version: string; items: number; classes: number; class_names: string[] | null; has_ids: boolean;
  labelled: number; excluded: number; points: number; given: Options;
  options: { name: string; help: string; usual: unknown }[];
  strategies: { name: string; summary: string; possible: boolean; maximises: boolean }[];
  formats: { name: string; summary: string }[];
  has_costs: boolean; notes: string[];
}
export interface Points {
  total: number; count: number; items: Numbers | null; pca: Places | null; layout: Places | null;
  class: Numbers; second: Numbers; margin: Float32Array; labelled: Numbers | null;
}
export interface Answer {
  number: number; run: Run; classes: Groups; boundaries: Groups;
  picks: { total: number; index: Numbers; gain: Numbers; uncertainty: Numbers; penalty: Numbers; triple: Numbers; class: Numbers;
    boundary: Numbers; represents: Numbers; augmented: Numbers };
  others: { name: string; gains: Numbers }[];
}
export interface Cap {
  kind: "class" | "boundary"; first: number; second: number; active: boolean; cap: number; cap_requested: number; selected: number;
  labelled: number; available: number; full: boolean; filled_by: number | null;
}
export interface ItemStory {
  item: number; id: string | null; thumbnail: string | null; state: "picked" | "left" | "forced" | "labelled" | "excluded"; rank: number | null;
  class: number; second: number; margin: number; uncertainty: number; likeliest: { class: number; p: number }[]; caps: Cap[];
  gain: { value: number; parts: { name: string; gain: number; taken_off: number }[]; last: { rank: number; item: number; gain: number } | null };
  neighbors: { count: number; listed: { item: number; similarity: number; class: number; rank: number | null; chosen: boolean }[] };
  triangles: { count: number; thin: number; against: number; listed: { items: [number, number]; area: number; thin: boolean; against: boolean }[] };
  why: string[];
}
export interface Progress { running: boolean; stage: string; done: number; total: number }
export type Certificate = NonNullable<Run["certificate"]>;

/** A question that a newer one has overtaken, or about a choice that is no longer in its place. */
export class Overtaken extends Error {}

// Behind the # of the address, where others than this machine may ask: no server ever sees it in a log.
const token = new URLSearchParams(location.hash.slice(1)).get("token");

async function ask(path: string, body?: unknown): Promise<Response> {
  let response: Response;
  try {
    response = await fetch(path, {
      method: body === undefined ? "GET" : "POST",
      headers: token === null ? {} : { "X-Pith-Token": token },
      body: body === undefined ? undefined : JSON.stringify(body),
    });
  } catch {
    throw new Error("pith serve does not answer; it may have ended. Start it again and reload this page.");
  }
  if (response.ok) return response;
  const { error } = (await response.json()) as { error: string };
  throw response.status === 409 ? new Overtaken(error) : new Error(error);
}
const json = async <T>(path: string, body?: unknown): Promise<T> => (await ask(path, body)).json() as Promise<T>;

export const get_session = (): Promise<Session> => json("/api/session");
export const get_points = async (): Promise<Points> => unpack_answer(await (await ask("/api/points")).arrayBuffer());
export const choose = async (place: Place, options: Options, forced: number[], excluded: number[]): Promise<Answer> =>
  unpack_answer(await (await ask("/api/select", { place, options, forced, excluded })).arrayBuffer());
export const get_progress = (place: Place): Promise<Progress> => json(`/api/progress?place=${place}`);
export const get_certificate = (place: Place, number: number): Promise<Certificate> => json("/api/certificate", { place, number });
export const get_item = (place: Place, number: number, item: number): Promise<ItemStory> => json("/api/item", { place, number, item });
export const get_command = (place: Place, number: number): Promise<{ line: string; files: string[]; note: string | null }> => json("/api/command", { place, number });
export async function get_export(place: Place, number: number, format: string): Promise<{ name: string; blob: Blob }> {
  const response = await ask(`/api/export?place=${place}&number=${number}&format=${encodeURIComponent(format)}`);
  const name = /filename="([^"]*)"/.exec(response.headers.get("Content-Disposition") ?? "")?.[1] ?? format;
  return { name, blob: await response.blob() };
}
