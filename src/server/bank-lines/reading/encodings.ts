import { analyse } from "chardet";
import type { FileEncoding } from "../../../contract/bank-layouts.ts";
import { UnreadableFile } from "./unreadable.ts";

interface Decoded {
  readonly text: string;
  readonly encoding: FileEncoding;
  /** Another encoding would give a readable text, too. */
  readonly isUnsure: boolean;
}

const marks: readonly (readonly [encoding: FileEncoding, mark: readonly number[]])[] = [
  ["utf-8", [0xef, 0xbb, 0xbf]],
  ["utf-16le", [0xff, 0xfe]],
  ["utf-16be", [0xfe, 0xff]],
];

const noText = "This is no text that can be read";

/** Null: the bytes are not of this encoding. */
export function decode(bytes: Uint8Array, encoding: FileEncoding): string | null {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}

/** The text of a file in an encoding somebody chose. */
export function decodeAs(bytes: Uint8Array, encoding: FileEncoding): Decoded {
  const text = decode(bytes, encoding);
  if (text === null || text.includes("\0")) throw new UnreadableFile(`This is no text in ${encoding}`);
  return { text, encoding, isUnsure: false };
}

/**
 * The text of a file: by its byte order mark, else UTF-8 where all its bytes are valid, else UTF-16 by where its NULs are, else the older
 * encoding its bytes speak for. It says when another would do as well.
 */
export function decodeUnknown(bytes: Uint8Array): Decoded {
  for (const [encoding, mark] of marks) if (mark.every((byte, at) => bytes[at] === byte)) return decodeAs(bytes, encoding);
  const nuls = nulsOf(bytes);
  if (nuls.even + nuls.odd > 0) return decodeAs(bytes, wideOf(nuls, bytes.length));
  const text = decode(bytes, "utf-8");
  if (text !== null) return { text, encoding: "utf-8", isUnsure: false };
  const { encoding, isUnsure } = olderOf(bytes);
  return { ...decodeAs(bytes, encoding), isUnsure };
}

interface Nuls {
  readonly even: number;
  readonly odd: number;
}

function nulsOf(bytes: Uint8Array): Nuls {
  let [even, odd] = [0, 0];
  for (let at = bytes.indexOf(0); at >= 0; at = bytes.indexOf(0, at + 1)) {
    if (at % 2 === 0) even++;
    else odd++;
  }
  return { even, odd };
}

/** ASCII in UTF-16 has a NUL in every pair, all on one side; other NULs are no text's. */
function wideOf({ even, odd }: Nuls, length: number): FileEncoding {
  if (length % 2 === 0 && Math.min(even, odd) === 0 && even + odd > length / 20) return odd > 0 ? "utf-16le" : "utf-16be";
  throw new UnreadableFile(noText);
}

/** What the bytes above 0x7f look like. */
interface HighBytes {
  readonly all: number;
  /** Between two bytes of ASCII, as an accented letter stands in a word. */
  readonly alone: number;
  /** In runs that pair up to the commoner Chinese characters. */
  readonly paired: number;
}

function highBytes(bytes: Uint8Array): HighBytes {
  let [all, alone, paired] = [0, 0, 0];
  for (let at = 0; at < bytes.length; at++) {
    if ((bytes[at] ?? 0) < 0x80) continue;
    const start = at;
    while ((bytes[at + 1] ?? 0) >= 0x80) at++;
    const length = at + 1 - start;
    all += length;
    if (length === 1) alone++;
    for (let pair = start; pair + 1 <= at && length % 2 === 0; pair += 2) {
      const [lead, trail] = [bytes[pair] ?? 0, bytes[pair + 1] ?? 0];
      // rows of GB 2312: punctuation and full-width forms, then the characters in common use
      if (trail >= 0xa1 && ((lead >= 0xb0 && lead <= 0xf7) || lead === 0xa1 || lead === 0xa3)) paired += 2;
    }
  }
  return { all, alone, paired };
}

/** Most bytes looked at; the rest of a file is as its beginning. */
const sample = 256 * 1024;

/** Encodings chardet names, by their names here. */
const named: Readonly<Record<string, FileEncoding>> = {
  GB18030: "gb18030",
  Big5: "big5",
  "windows-1251": "windows-1251",
  "windows-1256": "windows-1256",
  "windows-1252": "windows-1252",
  "ISO-8859-1": "windows-1252",
  "ISO-8859-15": "windows-1252",
};

function olderOf(bytes: Uint8Array): { encoding: FileEncoding; isUnsure: boolean } {
  const part = bytes.subarray(0, sample);
  const { all, alone, paired } = highBytes(part);
  const fits = (encoding: FileEncoding) => decode(bytes, encoding) !== null;
  const isChinese = paired >= all * 0.9 && fits("gb18030");
  const isWestern = alone >= all * 0.8 && isWesternText(part);
  // nothing else than letters in the midst of words, or nothing else than whole pairs
  if (isChinese && !isWestern) return { encoding: "gb18030", isUnsure: all < 4 };
  if (isWestern && !isChinese) return { encoding: "windows-1252", isUnsure: false };
  const guess = analyse(part)
    .map(({ name }) => named[name])
    .find((encoding) => encoding !== undefined && fits(encoding));
  return { encoding: guess ?? "windows-1252", isUnsure: true };
}

/** Whether what is above ASCII are letters of western languages and signs of money, with none of the bytes Windows-1252 leaves open. */
function isWesternText(part: Uint8Array): boolean {
  const text = new TextDecoder("windows-1252").decode(part);
  const high = text.match(/[^\0-\x7f]/gu) ?? []; // oxlint-disable-line no-control-regex -- ASCII is what is left out
  const usual = high.filter((sign) => /[À-ÖØ-öø-ÿŒœŠšŽžŸ€£¥§°ºª«»´·–—‘’“”…\u00a0]/u.test(sign));
  return usual.length >= high.length * 0.95;
}
