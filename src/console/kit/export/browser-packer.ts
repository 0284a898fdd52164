import type { Packer } from "../../../values/workbook/zip.ts";

const table = Uint32Array.from({ length: 256 }, (_, n) => {
  let sum = n;
  for (let bit = 0; bit < 8; bit++) sum = sum & 1 ? (sum >>> 1) ^ 0xedb8_8320 : sum >>> 1;
  return sum;
});

/** Packs by the browser's own streams. */
export const browserPacker: Packer = {
  crc32(bytes, before) {
    let sum = ~before;
    for (const byte of bytes) sum = (table[(sum ^ byte) & 0xff] ?? 0) ^ (sum >>> 8);
    return ~sum >>> 0;
  },

  async *deflate(pieces) {
    const source = pieces[Symbol.asyncIterator]();
    const plain = new ReadableStream<Uint8Array<ArrayBuffer>>({
      async pull(controller) {
        const { done, value } = await source.next();
        if (done === true) controller.close();
        else controller.enqueue(value);
      },
    });
    const packed = plain.pipeThrough(new CompressionStream("deflate-raw")).getReader();
    for (let next = await packed.read(); !next.done; next = await packed.read()) yield next.value as Uint8Array<ArrayBuffer>; // made by the stream
  },
};
