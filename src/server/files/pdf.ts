import { promisify } from "node:util";
import { constants, inflate } from "node:zlib";
import { Refusal } from "../../contract/problems.ts";
import { damaged, requirePixels } from "./bounds.ts";

const unpack = promisify(inflate);

/** Names of what a document that is only looked at does not need: scripts, files within, forms that send, films, other programs. */
const active: ReadonlySet<string> = new Set([
  "JavaScript",
  "EmbeddedFile",
  "EmbeddedFiles",
  "Launch",
  "RichMedia",
  "Rendition",
  "Movie",
  "SubmitForm",
  "ImportData",
  "GoToE",
  "XFA",
]);
const mostPages = 100;
const mostObjects = 20_000;
const mostStreams = 4_000;
/** Most bytes of all packed texts and lists of a document together. */
const mostUnpacked = 48 * 1024 * 1024;

/**
 * A PDF from its first byte to its last end mark. What it holds packed is unpacked and looked at too, within bounds. Its names are read
 * as viewers read them, with their escapes; where they stand in packed data by chance they are too long to come about.
 */
export async function plainPdf(bytes: Buffer): Promise<Buffer> {
  const last = bytes.lastIndexOf("%%EOF");
  if (last === -1 || bytes.lastIndexOf("startxref") === -1) throw damaged();
  const whole = Buffer.concat([bytes.subarray(0, last + 5), Buffer.from("\n")]);
  const text = whole.toString("latin1");
  requirePlain(text);
  if ((text.match(/\bobj\b/g)?.length ?? 0) > mostObjects) throw new Refusal("receipt.oversized");
  let pages = pagesIn(text);
  let left = mostUnpacked;
  for (const { dictionary, data } of streamsOf(whole, text)) {
    const holdsObjects = /\/First\b/.test(dictionary);
    if (isPicture(dictionary) && !holdsObjects) {
      requirePicture(dictionary);
      continue;
    }
    const filters = filtersOf(dictionary);
    if (filters.length > 2 || new Set(filters).size < filters.length) throw new Refusal("receipt.oversized");
    // a list of objects that only a viewer could unpack would not have been looked at
    if (holdsObjects && (filters.some((name) => name !== "FlateDecode") || /\/Predictor\s+(?!1\b)/.test(dictionary))) throw damaged();
    if (filters[0] !== "FlateDecode") continue;
    const inner = await unpacked(data, left, holdsObjects);
    left -= Math.max(inner.length, data.length);
    requirePlain(inner);
    pages += pagesIn(inner);
  }
  if (pages > mostPages) throw new Refusal("receipt.oversized");
  return whole;
}

function requirePlain(text: string): void {
  for (const [name] of text.matchAll(/\/(?:[^\0-\x20()<>[\]{}/%#]|#[0-9a-f]{2}){3,40}/gi)) {
    const read = name.slice(1).replace(/#([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
    if (read === "Encrypt") throw new Refusal("receipt.locked");
    if (active.has(read)) throw new Refusal("receipt.active");
  }
}

const pagesIn = (text: string): number => text.match(/\/Type\s*\/Page(?![A-Za-z])/g)?.length ?? 0;

interface PackedData {
  /** The text between the data and the object's beginning. */
  readonly dictionary: string;
  readonly data: Buffer;
}

/** Everything that a viewer may take for packed data, even within other data. Refuses what has no end, and too many of them. */
function streamsOf(bytes: Buffer, text: string): PackedData[] {
  const ends = [...text.matchAll(/endstream/g)].map(({ index }) => index);
  const begun = [...text.matchAll(/>>\s*stream(?:\r\n|\n|\r)/g)];
  if (begun.length > mostStreams) throw new Refusal("receipt.oversized");
  let next = 0;
  return begun.map((found) => {
    const from = found.index + found[0].length;
    while (next < ends.length && (ends[next] ?? 0) < from) next++;
    const to = ends[next];
    if (to === undefined) throw damaged();
    const before = text.slice(Math.max(found.index - 20_000, 0), found.index + 2);
    return { dictionary: unescaped(before.slice(Math.max(before.lastIndexOf("obj"), 0))), data: bytes.subarray(from, to) };
  });
}

const unescaped = (text: string): string =>
  text.replace(/#([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));

/** Short names of filters, as pictures within a page use them. */
const longNames: Readonly<Record<string, string>> = { Fl: "FlateDecode" };

function filtersOf(dictionary: string): string[] {
  const found = /\/Filter\s*(\[[^\]]*\]|\/[^\s/<>[\]()]+)/.exec(dictionary)?.[1] ?? "";
  return [...found.matchAll(/\/([^\s/<>[\]()]+)/g)].map(([, name = ""]) => longNames[name] ?? name);
}

const isPicture = (dictionary: string): boolean => /\/Subtype\s*\/Image\b/.test(dictionary);

function requirePicture(dictionary: string): void {
  const filters = filtersOf(dictionary);
  if (filters.length > 2 || new Set(filters).size < filters.length) throw new Refusal("receipt.oversized");
  const [width, height] = ["Width", "Height"].map((side) =>
    Number(new RegExp(`/${side}\\s+(\\d{1,9})(?!\\s+\\d+\\s+R)`).exec(dictionary)?.[1] ?? 1),
  );
  requirePixels(width ?? 1, height ?? 1);
}

async function unpacked(data: Buffer, most: number, isNeeded: boolean): Promise<string> {
  try {
    const inner = await unpack(data, { maxOutputLength: Math.max(most, 1), finishFlush: constants.Z_SYNC_FLUSH });
    return inner.toString("latin1");
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ERR_BUFFER_TOO_LARGE") throw new Refusal("receipt.oversized");
    if (isNeeded) throw damaged();
    return "";
  }
}
