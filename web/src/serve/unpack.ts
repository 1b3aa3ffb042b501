// Answers as src/serve/pack.h writes them: a header in JSON, then arrays that are looked at in place.
import type { Numbers } from "../shared/columns";

interface Entry { path: string; t: "u8" | "u16" | "u32" | "f32"; at: number; n: number }

function array_of(buffer: ArrayBuffer, body: number, entry: Entry): Numbers {
  const at = body + entry.at;
  switch (entry.t) {
    case "u8": return new Uint8Array(buffer, at, entry.n);
    case "u16": return new Uint16Array(buffer, at, entry.n);
    case "u32": return new Uint32Array(buffer, at, entry.n);
    case "f32": return new Float32Array(buffer, at, entry.n);
  }
}

export function unpack_answer<T>(buffer: ArrayBuffer): T {
  const length = new DataView(buffer).getUint32(0, true);
  const header = JSON.parse(new TextDecoder().decode(new Uint8Array(buffer, 4, length))) as { data: Record<string, unknown>; arrays: Entry[] };
  for (const entry of header.arrays) {
    const names = entry.path.split(".");
    let place = header.data;
    for (const name of names.slice(0, -1)) place = place[name] as Record<string, unknown>;
    place[names[names.length - 1]] = array_of(buffer, 4 + length, entry);
  }
  return header.data as T;
}
