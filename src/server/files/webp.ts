import { Refusal } from "../../contract/problems.ts";
import { damaged, requirePixels } from "./bounds.ts";

/** Chunks that say how the picture looks. */
const kept: ReadonlySet<string> = new Set(["VP8X", "VP8 ", "VP8L", "ALPH", "ICCP"]);
/** Flags of VP8X: notes of two kinds, which are left out, and an animation. */
const notes = 0x08 | 0x04;
const animation = 0x02;

/** A WebP of the chunks one picture needs, up to the end its header names. */
export function plainWebp(bytes: Buffer): Buffer {
  const end = 8 + bytes.readUInt32LE(4);
  if (end > bytes.length) throw damaged();
  const parts: Buffer[] = [];
  let pictures = 0;
  for (let at = 12; at + 8 <= end;) {
    const name = bytes.toString("latin1", at, at + 4);
    const length = bytes.readUInt32LE(at + 4);
    const next = at + 8 + length + (length % 2);
    if (at + 8 + length > end) throw damaged();
    if (name === "ANIM" || name === "ANMF") throw new Refusal("receipt.type");
    if (kept.has(name)) {
      const chunk = Buffer.from(bytes.subarray(at, Math.min(next, end)));
      if (name === "VP8 " || name === "VP8L") pictures++;
      checkSize(name, chunk);
      parts.push(chunk.length % 2 === 0 ? chunk : Buffer.concat([chunk, Buffer.alloc(1)]));
    }
    at = next;
  }
  if (pictures !== 1) throw damaged();
  const head = Buffer.from(bytes.subarray(0, 12));
  head.writeUInt32LE(4 + parts.reduce((sum, { length }) => sum + length, 0), 4);
  return Buffer.concat([head, ...parts]);
}

/** Checks the size a chunk tells, and clears the flags of what is left out. */
function checkSize(name: string, chunk: Buffer): void {
  if (name === "VP8X") {
    const flags = chunk.readUInt8(8);
    if (flags & animation) throw new Refusal("receipt.type");
    chunk.writeUInt8(flags & ~notes, 8);
    requirePixels(chunk.readUIntLE(12, 3) + 1, chunk.readUIntLE(15, 3) + 1);
  } else if (name === "VP8 ") {
    if (chunk.readUIntBE(11, 3) !== 0x9d012a) throw damaged();
    requirePixels(chunk.readUInt16LE(14) & 0x3fff, chunk.readUInt16LE(16) & 0x3fff);
  } else if (name === "VP8L") {
    if (chunk.readUInt8(8) !== 0x2f) throw damaged();
    const packed = chunk.readUInt32LE(9);
    requirePixels((packed & 0x3fff) + 1, ((packed >>> 14) & 0x3fff) + 1);
  }
}
