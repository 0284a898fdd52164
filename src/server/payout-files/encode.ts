import type { PayoutLayout } from "../../contract/payout-templates.ts";

type Encoding = PayoutLayout["encoding"];

/** The bytes of one character; null: the encoding has none for it. */
type Table = (sign: string) => readonly number[] | null;

const byteMark = "\ufeff";

/** What the platform's decoder reads from these bytes; null: nothing, or more than one character. */
function reader(label: "windows-1252" | "gb18030"): (bytes: readonly number[]) => string | null {
  const decoder = new TextDecoder(label, { fatal: true });
  return (bytes) => {
    try {
      const text = decoder.decode(Uint8Array.from(bytes));
      return [...text].length === 1 ? text : null;
    } catch {
      return null;
    }
  };
}

/** The platform only decodes these encodings, so what it reads from all their bytes is turned round. */
function reversed(label: "windows-1252" | "gb18030", all: Iterable<readonly number[]>): Map<string, readonly number[]> {
  const read = reader(label);
  const found = new Map<string, readonly number[]>();
  for (const bytes of all) {
    const sign = read(bytes);
    if (sign !== null && !found.has(sign)) found.set(sign, bytes);
  }
  return found;
}

function* singles(most: number): Generator<readonly number[]> {
  for (let byte = 0; byte <= most; byte++) yield [byte];
}

/** Of one, two and four bytes; the four-byte ones only for the Basic Multilingual Plane, since the others are counted through. */
function* chinese(): Generator<readonly number[]> {
  yield* singles(0x7f);
  for (let lead = 0x81; lead <= 0xfe; lead++) {
    for (let trail = 0x40; trail <= 0xfe; trail++) if (trail !== 0x7f) yield [lead, trail];
  }
  for (let n = 0; n < 39_420; n++) yield fourBytes(n, 0x81);
}

/** The n-th sequence of four bytes from the one that begins with this byte. */
const fourBytes = (n: number, first: number): readonly number[] => [
  first + Math.floor(n / 12_600),
  0x30 + (Math.floor(n / 1_260) % 10),
  0x81 + (Math.floor(n / 10) % 126),
  0x30 + (n % 10),
];

const made = new Map<string, Table>();

function tableOf(encoding: "windows-1252" | "gb18030"): Table {
  const known = made.get(encoding);
  if (known) return known;
  const table = encoding === "gb18030" ? chineseTable() : westernTable();
  made.set(encoding, table);
  return table;
}

function westernTable(): Table {
  const bytes = reversed("windows-1252", singles(0xff));
  // five bytes have no character, though decoders answer a control sign
  return (sign) => (/[\u0080-\u009f]/u.test(sign) ? null : (bytes.get(sign) ?? null));
}

function chineseTable(): Table {
  const bytes = reversed("gb18030", chinese());
  return (sign) => {
    const point = sign.codePointAt(0) ?? 0;
    return point >= 0x10000 ? fourBytes(point - 0x10000, 0x90) : (bytes.get(sign) ?? null);
  };
}

const isUnicode = (encoding: Encoding): encoding is "utf-8" | "utf-8-mark" | "utf-16le" => encoding.startsWith("utf");

/** The first character that the encoding cannot write; null: it writes all. */
export function unwritable(text: string, encoding: Encoding): string | null {
  for (const sign of text) {
    if (!sign.isWellFormed()) return sign;
    if (!isUnicode(encoding) && tableOf(encoding)(sign) === null) return sign;
  }
  return null;
}

/** The bytes of a text that has nothing unwritable; UTF-16 begins with its mark, UTF-8 where the layout says so. */
export function encode(text: string, encoding: Encoding): Buffer<ArrayBuffer> {
  if (encoding === "utf-16le") return Buffer.from(byteMark + text, "utf16le");
  if (isUnicode(encoding)) return Buffer.from(encoding === "utf-8-mark" ? byteMark + text : text, "utf8");
  const table = tableOf(encoding);
  return Buffer.from(
    [...text].flatMap((sign) => {
      const bytes = table(sign);
      if (bytes === null) throw new Error(`${encoding} has no ${JSON.stringify(sign)}`);
      return bytes;
    }),
  );
}
