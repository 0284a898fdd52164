import { crc32, inflateRawSync } from "node:zlib";
import { limits } from "./limits.ts";
import { UnreadableFile } from "./unreadable.ts";

interface Entry {
  readonly name: string;
  readonly isPacked: boolean;
  readonly crc: number;
  readonly packed: number;
  readonly unpacked: number;
  readonly at: number;
}

const damaged = "This workbook is damaged";
const tooMuch = "This workbook unpacks to more than can be read";
const endSize = 22;
const longestComment = 0xffff;

/** The parts of a ZIP archive. */
export interface Archive {
  readonly names: readonly string[];
  /** A part's bytes; refused when they are not what the directory says. */
  read(name: string): Buffer;
}

/**
 * Reads a ZIP archive's directory and judges it before anything is unpacked: number of parts, their sizes, how much they grow, encrypted
 * ones, ones that lie over each other. A part then unpacks to no more than the directory promised.
 */
export function openArchive(bytes: Uint8Array): Archive {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
  const entries = directoryOf(file);
  judge(entries, file.length);
  const byName = new Map(entries.map((entry) => [entry.name, entry]));
  if (byName.size !== entries.length) throw new UnreadableFile(damaged);
  return {
    names: [...byName.keys()],
    read(name) {
      const entry = byName.get(name);
      if (!entry) throw new UnreadableFile(damaged);
      return unpack(file, entry);
    },
  };
}

function directoryOf(file: Buffer): Entry[] {
  const end = file.lastIndexOf(Buffer.from([0x50, 0x4b, 0x05, 0x06]));
  if (end < 0 || end < file.length - endSize - longestComment || end + endSize > file.length) throw new UnreadableFile(damaged);
  const count = file.readUInt16LE(end + 10);
  let at = file.readUInt32LE(end + 16);
  // 0xffff marks an archive of more than four gigabytes or 65,534 parts
  if (count > limits.entries) throw new UnreadableFile(tooMuch);
  const entries: Entry[] = [];
  for (let n = 0; n < count; n++) {
    if (at + 46 > end || file.readUInt32LE(at) !== 0x02014b50) throw new UnreadableFile(damaged);
    const [flags, method] = [file.readUInt16LE(at + 8), file.readUInt16LE(at + 10)];
    if ((flags & 1) !== 0) throw new UnreadableFile("This file is protected with a password");
    if (method !== 0 && method !== 8) throw new UnreadableFile(damaged);
    const [nameLength, extra, comment] = [file.readUInt16LE(at + 28), file.readUInt16LE(at + 30), file.readUInt16LE(at + 32)];
    entries.push({
      name: file.toString("utf8", at + 46, at + 46 + nameLength),
      isPacked: method === 8,
      crc: file.readUInt32LE(at + 16),
      packed: file.readUInt32LE(at + 20),
      unpacked: file.readUInt32LE(at + 24),
      at: file.readUInt32LE(at + 42),
    });
    at += 46 + nameLength + extra + comment;
  }
  return entries;
}

function judge(entries: readonly Entry[], size: number): void {
  const total = entries.reduce((sum, { unpacked }) => sum + unpacked, 0);
  const grows = ({ packed, unpacked }: Entry) => unpacked > 1024 * 1024 && unpacked > packed * limits.growth;
  if (total > limits.unpacked || entries.some(grows)) throw new UnreadableFile(tooMuch);
  const inPlace = entries.toSorted((a, b) => a.at - b.at);
  for (const [n, { at, packed }] of inPlace.entries()) {
    if (at + 30 + packed > (inPlace[n + 1]?.at ?? size)) throw new UnreadableFile(damaged);
  }
}

function unpack(file: Buffer, { isPacked, crc, packed, unpacked, at }: Entry): Buffer {
  if (at + 30 > file.length || file.readUInt32LE(at) !== 0x04034b50) throw new UnreadableFile(damaged);
  const start = at + 30 + file.readUInt16LE(at + 26) + file.readUInt16LE(at + 28);
  const data = file.subarray(start, start + packed);
  let content: Buffer;
  try {
    content = isPacked ? inflateRawSync(data, { maxOutputLength: Math.max(unpacked, 1) }) : data;
  } catch {
    throw new UnreadableFile(damaged);
  }
  if (content.length !== unpacked || crc32(content) !== crc) throw new UnreadableFile(damaged);
  return content;
}

/** An archive of these parts as they are, not packed. */
export function archiveOf(parts: readonly (readonly [name: string, content: Buffer])[]): Buffer {
  const local: Buffer[] = [];
  const directory: Buffer[] = [];
  let at = 0;
  for (const [name, content] of parts) {
    const title = Buffer.from(name);
    const facts = Buffer.alloc(26);
    facts.writeUInt16LE(20, 0);
    facts.writeUInt32LE(crc32(content), 10);
    facts.writeUInt32LE(content.length, 14);
    facts.writeUInt32LE(content.length, 18);
    facts.writeUInt16LE(title.length, 22);
    const place = Buffer.alloc(14);
    place.writeUInt32LE(at, 10);
    local.push(Buffer.from([0x50, 0x4b, 3, 4]), facts, title, content);
    directory.push(Buffer.from([0x50, 0x4b, 1, 2, 20, 0]), facts, place, title);
    at += 30 + title.length + content.length;
  }
  const end = Buffer.alloc(endSize);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(parts.length, 8);
  end.writeUInt16LE(parts.length, 10);
  end.writeUInt32LE(
    directory.reduce((sum, part) => sum + part.length, 0),
    12,
  );
  end.writeUInt32LE(at, 16);
  return Buffer.concat([...local, ...directory, end]);
}
