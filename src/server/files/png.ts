import { crc32 } from "node:zlib";
import { damaged, requirePixels } from "./bounds.ts";

/** Chunks that say how the picture looks; all others (texts, times, animations) are left out. */
const kept: ReadonlySet<string> = new Set(["IHDR", "PLTE", "IDAT", "IEND", "tRNS", "gAMA", "cHRM", "sRGB", "sBIT", "bKGD", "pHYs"]);

/** A PNG of the chunks a picture needs, up to its end. */
export function plainPng(bytes: Buffer): Buffer {
  const parts = [bytes.subarray(0, 8)];
  let hasData = false;
  for (let at = 8; ;) {
    const length = bytes.readUInt32BE(at);
    const end = at + 12 + length;
    if (end > bytes.length) throw damaged();
    const name = bytes.toString("latin1", at + 4, at + 8);
    if (crc32(bytes.subarray(at + 4, end - 4)) !== bytes.readUInt32BE(end - 4)) throw damaged();
    if ((at === 8) !== (name === "IHDR")) throw damaged();
    if (name === "IHDR") {
      if (length !== 13) throw damaged();
      requirePixels(bytes.readUInt32BE(at + 8), bytes.readUInt32BE(at + 12));
    }
    if (name === "IDAT") hasData = true;
    if (kept.has(name)) parts.push(bytes.subarray(at, end));
    if (name === "IEND") break;
    at = end;
  }
  if (!hasData) throw damaged();
  return Buffer.concat(parts);
}
