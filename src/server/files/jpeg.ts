import { damaged, requirePixels } from "./bounds.ts";

/** A frame header, whose marker says how the picture is packed. */
const isFrame = (marker: number): boolean => marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
const isRestart = (marker: number): boolean => marker >= 0xd0 && marker <= 0xd7;
const isNote = (marker: number): boolean => (marker >= 0xe0 && marker <= 0xef) || marker === 0xfe;

/**
 * A JPEG up to its first end, which telephones let films and further pictures follow. Of its notes (place, device, comments) it keeps what
 * its look depends on: colours, and which side is up.
 */
export function plainJpeg(bytes: Buffer): Buffer {
  const parts = [bytes.subarray(0, 2)];
  let frames = 0;
  for (let at = 2; ;) {
    if (bytes.readUInt8(at) !== 0xff) throw damaged();
    const marker = bytes.readUInt8(at + 1);
    if (marker === 0xff) {
      at++; // filling
      continue;
    }
    if (marker === 0xd9) break;
    const length = bytes.readUInt16BE(at + 2);
    const end = at + 2 + length;
    if (length < 2 || end > bytes.length) throw damaged();
    const segment = bytes.subarray(at, end);
    if (isFrame(marker)) {
      frames++;
      requirePixels(segment.readUInt16BE(7), segment.readUInt16BE(5));
    }
    if (isNote(marker)) parts.push(...noteOf(marker, segment));
    else if (marker === 0xda) {
      const data = scanEnd(bytes, end);
      parts.push(bytes.subarray(at, data));
      at = data;
      continue;
    } else parts.push(segment);
    at = end;
  }
  if (frames !== 1) throw damaged();
  return Buffer.concat([...parts, Buffer.from([0xff, 0xd9])]);
}

/** Where the packed data of a scan ends: at the next marker. */
function scanEnd(bytes: Buffer, from: number): number {
  for (let at = bytes.indexOf(0xff, from); at !== -1 && at + 1 < bytes.length; at = bytes.indexOf(0xff, at + 1)) {
    const marker = bytes.readUInt8(at + 1);
    if (marker !== 0 && marker !== 0xff && !isRestart(marker)) return at;
  }
  throw damaged();
}

/** What is kept of a note. */
function noteOf(marker: number, segment: Buffer): Buffer[] {
  const begins = (text: string) => segment.subarray(4).indexOf(text, 0, "latin1") === 0;
  if (marker === 0xe0 && begins("JFIF\0")) return [segment];
  if (marker === 0xe2 && begins("ICC_PROFILE\0")) return [segment];
  if (marker === 0xee && begins("Adobe")) return [segment];
  if (marker === 0xe1 && begins("Exif\0\0")) return orientationNote(segment.subarray(10));
  return [];
}

/** A note that tells only which side is up; none where it is the usual one, or cannot be read. */
function orientationNote(tiff: Buffer): Buffer[] {
  const isLittle = tiff.toString("latin1", 0, 2) === "II";
  const short = (at: number) => (at + 2 > tiff.length ? 0 : isLittle ? tiff.readUInt16LE(at) : tiff.readUInt16BE(at));
  const long = (at: number) => (at + 4 > tiff.length ? 0 : isLittle ? tiff.readUInt32LE(at) : tiff.readUInt32BE(at));
  const first = long(4);
  const entries = first > tiff.length ? 0 : short(first);
  for (let n = 0; n < entries; n++) {
    const entry = first + 2 + n * 12;
    if (short(entry) !== 0x0112) continue;
    const way = short(entry + 8);
    return way >= 2 && way <= 8 ? [noteOfWay(way)] : [];
  }
  return [];
}

function noteOfWay(way: number): Buffer {
  const note = Buffer.alloc(36);
  note.writeUInt16BE(0xffe1, 0);
  note.writeUInt16BE(34, 2);
  note.write("Exif\0\0MM\0*", 4, "latin1");
  note.writeUInt32BE(8, 14); // the one directory follows at once
  note.writeUInt16BE(1, 18);
  note.writeUInt16BE(0x0112, 20);
  note.writeUInt16BE(3, 22); // a short
  note.writeUInt32BE(1, 24);
  note.writeUInt16BE(way, 28);
  return note;
}
