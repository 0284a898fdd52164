import { createHash, randomUUID } from "node:crypto";
import { crc32, deflateSync } from "node:zlib";
import type { Asked } from "./http.ts";

/** Files as customers and merchants send them, and as nobody should. */

export function pngChunk(name: string, data: Uint8Array = Buffer.alloc(0)): Buffer {
  const chunk = Buffer.alloc(12 + data.length);
  chunk.writeUInt32BE(data.length, 0);
  chunk.write(name, 4, "latin1");
  chunk.set(data, 8);
  chunk.writeUInt32BE(crc32(chunk.subarray(4, 8 + data.length)), 8 + data.length);
  return chunk;
}

/** A picture of one colour; `told`: the size its header tells, `extra`: chunks before its data. */
export function makePng({
  width = 8,
  height = 8,
  told = { width, height },
  extra = [],
}: { width?: number; height?: number; told?: { width: number; height: number }; extra?: readonly Buffer[] } = {}): Buffer {
  const head = Buffer.alloc(13);
  head.writeUInt32BE(told.width, 0);
  head.writeUInt32BE(told.height, 4);
  head.set([8, 2, 0, 0, 0], 8);
  const row = Buffer.concat([Buffer.of(0), Buffer.alloc(width * 3, 0x55)]);
  const data = deflateSync(Buffer.concat(Array.from({ length: height }, () => row)));
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  return Buffer.concat([signature, pngChunk("IHDR", head), ...extra, pngChunk("IDAT", data), pngChunk("IEND")]);
}

/** A PNG no other is equal to. */
export const uniquePng = (): Buffer => makePng({ extra: [pngChunk("tEXt", Buffer.from(`Comment\0${randomUUID()}`))] });

/** Such a picture as a handler receives it, for the row with this id. */
export const sentPng = (uuid: string) => {
  const bytes = uniquePng();
  const sha256 = createHash("sha256").update(bytes).digest("hex");
  return { params: { uuid }, query: undefined, body: undefined, file: { name: "slip.png", bytes, sha256 } };
};

const segment = (marker: number, data: Uint8Array): Buffer => {
  const head = Buffer.from([0xff, marker, 0, 0]);
  head.writeUInt16BE(data.length + 2, 2);
  return Buffer.concat([head, data]);
};

/** The frame of a JPEG; `notes`: segments before it. Its data draw nothing. */
export function makeJpeg({
  width = 8,
  height = 8,
  notes = [],
}: { width?: number; height?: number; notes?: readonly Buffer[] } = {}): Buffer {
  const frame = Buffer.from([8, 0, 0, 0, 0, 1, 1, 0x11, 0]);
  frame.writeUInt16BE(height, 1);
  frame.writeUInt16BE(width, 3);
  return Buffer.concat([
    Buffer.from([0xff, 0xd8]),
    segment(0xe0, Buffer.from("JFIF\0\x01\x01\0\0\x01\0\x01\0\0", "latin1")),
    ...notes,
    segment(0xdb, Buffer.alloc(65, 1)),
    segment(0xc0, frame),
    segment(0xda, Buffer.from([1, 1, 0, 0, 63, 0])),
    Buffer.from([0x11, 0xff, 0x00, 0x22, 0xff, 0xd0, 0x33]),
    Buffer.from([0xff, 0xd9]),
  ]);
}

/** A note of the camera: which side is up (6: turned to the right), and where it was. */
export const exifNote = segment(
  0xe1,
  Buffer.concat([
    Buffer.from("Exif\0\0II*\0\x08\0\0\0\x02\0", "latin1"),
    Buffer.from([0x12, 0x01, 3, 0, 1, 0, 0, 0, 6, 0, 0, 0]),
    Buffer.from([0x25, 0x88, 4, 0, 1, 0, 0, 0, 38, 0, 0, 0]),
    Buffer.from("\0\0\0\0GPS 3.1390 101.6869", "latin1"),
  ]),
);

const webpChunk = (name: string, data: Uint8Array): Buffer => {
  const head = Buffer.alloc(8);
  head.write(name, 0, "latin1");
  head.writeUInt32LE(data.length, 4);
  return Buffer.concat([head, data, Buffer.alloc(data.length % 2)]);
};

/** A lossless WebP; with `notes` in its extended form. */
export function makeWebp({
  width = 8,
  height = 8,
  notes = [],
}: { width?: number; height?: number; notes?: readonly [string, Buffer][] } = {}): Buffer {
  const picture = Buffer.alloc(12);
  picture.writeUInt8(0x2f, 0);
  picture.writeUInt32LE(((width - 1) | ((height - 1) << 14)) >>> 0, 1);
  const extended = Buffer.alloc(10);
  extended.writeUInt8(notes.length > 0 ? 0x0c : 0, 0);
  extended.writeUIntLE(width - 1, 4, 3);
  extended.writeUIntLE(height - 1, 7, 3);
  const chunks = [
    ...(notes.length > 0 ? [webpChunk("VP8X", extended)] : []),
    webpChunk("VP8L", picture),
    ...notes.map(([name, data]) => webpChunk(name, data)),
  ];
  const body = Buffer.concat([Buffer.from("WEBP"), ...chunks]);
  const head = Buffer.alloc(8);
  head.write("RIFF", 0, "latin1");
  head.writeUInt32LE(body.length, 4);
  return Buffer.concat([head, body]);
}

/** A PDF whose pages say "Receipt"; `objects`: further ones, `catalog`: further entries of the catalog. */
export function makePdf({
  pages = 1,
  objects = [],
  catalog = "",
}: { pages?: number; objects?: readonly (string | Buffer)[]; catalog?: string } = {}): Buffer {
  const numbers = Array.from({ length: pages }, (_, n) => n + 4);
  const text = "BT /F1 24 Tf 40 100 Td (Receipt) Tj ET";
  const all: (string | Buffer)[] = [
    `<< /Type /Catalog /Pages 2 0 R ${catalog} >>`,
    `<< /Type /Pages /Kids [${numbers.map((n) => `${n} 0 R`).join(" ")}] /Count ${pages} >>`,
    `<< /Length ${text.length} >>\nstream\n${text}\nendstream`,
    ...numbers.map(
      () =>
        "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 300 200] /Contents 3 0 R /Resources << /Font << /F1 << /Type /Font /Subtype /Type1 /BaseFont /Helvetica >> >> >> >>",
    ),
    ...objects,
  ];
  const parts = [Buffer.from("%PDF-1.7\n")];
  const places: number[] = [];
  let at = parts[0]?.length ?? 0;
  for (const [n, object] of all.entries()) {
    const part = Buffer.concat([Buffer.from(`${n + 1} 0 obj\n`), Buffer.from(object), Buffer.from("\nendobj\n")]);
    places.push(at);
    parts.push(part);
    at += part.length;
  }
  const table = places.map((place) => `${String(place).padStart(10, "0")} 00000 n \n`).join("");
  parts.push(
    Buffer.from(
      `xref\n0 ${all.length + 1}\n0000000000 65535 f \n${table}trailer\n<< /Size ${all.length + 1} /Root 1 0 R >>\nstartxref\n${at}\n%%EOF\n`,
    ),
  );
  return Buffer.concat(parts);
}

/** A stream object of packed data. */
export const packedObject = (dictionary: string, data: Uint8Array | string, filter = "/FlateDecode"): Buffer => {
  const packed = deflateSync(data);
  return Buffer.concat([
    Buffer.from(`<< ${dictionary} /Filter ${filter} /Length ${packed.length} >>\nstream\n`),
    packed,
    Buffer.from("\nendstream"),
  ]);
};

/** The body of an upload: one file as multipart/form-data, unless a test spoils it. */
export function formOf(
  bytes: Uint8Array,
  { name = "slip.png", field = "file", type = "image/png", further = "" } = {},
): Pick<Asked, "payload" | "headers"> {
  const boundary = `----countinghouse${randomUUID()}`;
  const payload = Buffer.concat([
    Buffer.from(
      `${further.replaceAll("BOUNDARY", boundary)}--${boundary}\r\ncontent-disposition: form-data; name="${field}"; filename="${name}"\r\n`,
    ),
    Buffer.from(`content-type: ${type}\r\n\r\n`),
    bytes,
    Buffer.from(`\r\n--${boundary}--\r\n`),
  ]);
  return { payload, headers: { "content-type": `multipart/form-data; boundary=${boundary}` } };
}
