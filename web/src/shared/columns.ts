// Arrays as src/report/columns.h writes them.

export interface Packed { t: "u8" | "u16" | "u32" | "f32"; b: string }
export type Numbers = Uint8Array | Uint16Array | Uint32Array | Float32Array;

export function unpack(packed: Packed): Numbers {
  const text = atob(packed.b);
  const bytes = new Uint8Array(text.length);
  for (let at = 0; at < text.length; ++at) bytes[at] = text.charCodeAt(at);
  switch (packed.t) {
    case "u8": return bytes;
    case "u16": return new Uint16Array(bytes.buffer);
    case "u32": return new Uint32Array(bytes.buffer);
    case "f32": return new Float32Array(bytes.buffer);
  }
}
