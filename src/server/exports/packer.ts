import { pipeline } from "node:stream/promises";
import { constants, crc32, createDeflateRaw } from "node:zlib";
import type { Packer } from "../../values/workbook/zip.ts";

/** Packs on threads of their own. Level 1, because rows pack to an eighth by any, and the higher ones take four times as long. */
export const nodePacker: Packer = {
  crc32: (bytes, before) => crc32(bytes, before),

  async *deflate(pieces) {
    const packed = createDeflateRaw({ level: constants.Z_BEST_SPEED, chunkSize: 64 * 1024 });
    const fed = pipeline(pieces, packed);
    fed.catch(() => undefined); // awaited below, and told by `packed` before
    try {
      for await (const piece of packed) yield piece as Buffer<ArrayBuffer>; // a stream of bytes
      await fed;
    } finally {
      packed.destroy();
    }
  },
};
