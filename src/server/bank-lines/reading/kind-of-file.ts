import { fileTypeFromBuffer } from "file-type";
import { UnreadableFile } from "./unreadable.ts";

const oldOffice = [0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1];
const zip = [0x50, 0x4b, 0x03, 0x04];
const startsWith = (bytes: Uint8Array, start: readonly number[]): boolean => start.every((byte, at) => bytes[at] === byte);

/** Beginnings of texts that are no tables; what file-type calls a text otherwise may be a table whose first letters are those of a picture. */
const written: readonly (readonly [type: string, start: RegExp])[] = [
  ["PDF", /%PDF-/],
  ["RTF", /^\{\\rtf/],
  ["PostScript", /^%!/],
  ["MHTML", /^(MIME-Version|Received|Return-Path):/i],
];

/**
 * What a file is by its content, never by its name: a workbook to be unpacked, or a text. Anything else is refused and named: web pages,
 * pictures, documents, old or encrypted workbooks, and files that are two things at once.
 */
export async function kindOfFile(bytes: Uint8Array): Promise<"workbook" | "text"> {
  if (bytes.length === 0) throw new UnreadableFile("This file is empty");
  if (startsWith(bytes, oldOffice)) {
    const isEncrypted = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).includes(Buffer.from("EncryptedPackage", "utf16le"));
    throw new UnreadableFile(
      isEncrypted ? "This file is protected with a password" : "This is an old Excel file (.xls). Save it as .xlsx or CSV",
    );
  }
  if (startsWith(bytes, zip)) return "workbook";
  const head = beginning(bytes);
  for (const [type, start] of written) if (start.test(head)) throw new UnreadableFile(`This is ${type}, not a table`);
  const first = head.trimStart();
  if (/^<(!doctype\s+html|html|head|body|table|script|meta)\b/i.test(first)) throw new UnreadableFile("This is a web page, not a table");
  if (/^<(svg|\?xml|!--|!doctype|\w+[\s>/])/i.test(first)) throw new UnreadableFile("This is XML, not a table");
  if (!hasMark(bytes) && !isWritten(head)) {
    const type = await fileTypeFromBuffer(bytes);
    if (type) throw new UnreadableFile(`This is ${type.ext.toUpperCase()}, not a table`);
  }
  return "text";
}

/** The first characters, whatever the encoding, because what tells a file is in ASCII. */
function beginning(bytes: Uint8Array): string {
  const part = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, 1024));
  return part
    .toString("latin1")
    .replace(/^(ï»¿|ÿþ|þÿ)/, "")
    .replaceAll("\0", "");
}

/** A byte order mark is a text's alone; file-type takes that of UTF-16 for the beginning of a sound. */
const hasMark = (bytes: Uint8Array): boolean =>
  [
    [0xff, 0xfe],
    [0xfe, 0xff],
    [0xef, 0xbb, 0xbf],
  ].some((mark) => startsWith(bytes, mark));

/** Whether no character but those of a text is in it. */
// oxlint-disable-next-line no-control-regex -- these are what is looked for
const isWritten = (head: string): boolean => !/[\u0001-\u0008\u000e-\u0019\u001b-\u001f]/.test(head);
