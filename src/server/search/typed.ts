import { sql } from "kysely";
import { folded } from "../../values/folded.ts";
import type { Scoped } from "../db/scope.ts";

/** A typed word, folded, and the words it may be a typo of. */
interface TypedWord {
  readonly start: string;
  readonly typos: readonly string[];
}

/** A search text, parsed. */
export interface Typed {
  /** Whole ids and numbers: the text itself, or each of several pasted ones, with the signs around it and without, in plain letters and digits. */
  readonly ids: readonly string[];
  /** The same without blanks and hyphens, as account numbers are stored; without empty ones. */
  readonly plain: readonly string[];
  /** null: several ids, not a name. */
  readonly name: string | null;
  readonly words: readonly TypedWord[];
  /** The same words, each also matching words with one letter left out, added, changed or swapped; made once, when first asked for. */
  readonly mistyped: () => readonly TypedWord[];
  /** The words in their order, as a stored text of them is folded: between blanks, or in one where their script has none. */
  readonly phrase: string;
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
export const uuidsIn = ({ ids }: Typed): string[] => ids.filter((id) => uuid.test(id));

const mostIds = 50;
const mostWords = 6;

/** Signs the console writes around the last characters of a number, and those that a sentence or a quotation leaves there. */
const signsAround = /^[^\p{L}\p{N}]+|[\s\p{Pe}\p{Pf}.,:;!?…"'>]+$/gu;

/** An e-mail as mail programs copy it: "Siti <siti@lotus.example>", "mailto:siti@lotus.example". */
const mailed = /(?:<|^\s*mailto:)\s*(?:mailto:)?([^\s<>]+@[^\s<>]+)/i;

/** Whether a part has a digit and is too long for a word of a name. */
const isId = (part: string): boolean => part.length >= 4 && /\d/.test(part);

/** Full-width letters and digits of other scripts as plain ones, because ids and numbers have no others. */
const plainly = (text: string): string => text.normalize("NFKC").replace(/\p{Nd}|\p{Cf}/gu, (sign) => folded(sign));

/** What a number may be stored as: as it was written and without blanks and hyphens. */
export const numbersIn = ({ ids, plain }: Typed): string[] => [...new Set([...ids, ...plain])];

/** The same in capitals and in small letters as well. */
export const numbersInEachCase = (typed: Typed): string[] => [
  ...new Set(numbersIn(typed).flatMap((one) => [one, one.toUpperCase(), one.toLowerCase()])),
];

/** Parses a text; the database folds its words as it folds stored ones. */
export async function readTyped(db: Scoped, q: string): Promise<Typed> {
  const text = (mailed.exec(q)?.[1] ?? q).replace(signsAround, "");
  const pasted = plainly(q)
    .split(/[\s,;]+/)
    .filter((part) => part !== "");
  const parts = plainly(text)
    .split(/[\s,;]+/)
    .map((part) => part.replace(signsAround, ""))
    .filter((part) => part !== "");
  // "7012 3456" is one number; several ids have letters, or enough digits to be separate numbers
  const several = parts.length > 1 && parts.every((part) => isId(part) && (/\p{L}/u.test(part) || part.length >= 6));
  const whole = parts.join(" ");
  // the last is the one without signs, for what begins with it; a customer's id may begin with a sign: "+60123456789"
  const written = several ? [...pasted.slice(0, mostIds), ...parts.slice(0, mostIds), whole] : [plainly(text), text, plainly(q).trim()];
  const ids = text === "" ? [] : [...new Set(written)].toReversed();
  const plain = [...new Set(ids.map((id) => id.replace(/[\s\p{Pd}]/gu, "")))].filter((id) => id !== "");
  // the parts of a uuid are no words, and each would be looked for in names, with its typos too
  if (several || text === "" || uuid.test(whole)) return { ids, plain, name: null, words: [], mistyped: () => [], phrase: "" };
  const { rows } = await sql<{ words: string[]; phrase: string }>`select folded_words(${text}::text) as words,
    btrim(folded_phrase(${text}::text)) as phrase`.execute(db);
  const words = [...new Set(rows[0]?.words)].slice(0, mostWords).map((start) => ({ start, typos: [] }));
  let mistyped: TypedWord[] | undefined;
  return {
    ids,
    plain,
    name: text,
    words,
    mistyped: () => (mistyped ??= words.map(({ start }) => ({ start, typos: typosOf(start) }))),
    phrase: rows[0]?.phrase ?? "",
  };
}

const alphabets: readonly { readonly of: RegExp; readonly letters: readonly string[] }[] = [
  { of: /^[a-z\d]*[a-z][a-z\d]*$/, letters: [..."abcdefghijklmnopqrstuvwxyz"] },
  { of: /^[а-яґєіў]+$/, letters: [..."абвгдежзиклмнопрстуфхцчшщъыьэюяґєі"] },
  { of: /^[ء-ي]+$/, letters: [..."ءابتثجحخدذرزسشصضطظعغفقكلمنهوي"] },
  { of: /^[ก-ฺเ-ๆ]+$/, letters: [..."กขคฆงจฉชซญฎฏฐฑฒณดตถทธนบปผฝพฟภมยรลวศษสหฬอฮะาัิีึืุูเแโใไ"] },
];
/** Shorter words are too similar to others. */
const shortestTypo = 4;
const longestTypo = 20;

/** A word of mostly digits is a number, such as a transaction's, and has no typos, because with one sign changed it is another's. */
const mostlyDigits = (word: string): boolean => word.replace(/\D/g, "").length > word.length / 2;

function typosOf(word: string): string[] {
  const letters = alphabets.find(({ of }) => of.test(word))?.letters;
  if (word.length < shortestTypo || word.length > longestTypo || letters === undefined || mostlyDigits(word)) return [];
  const found = new Set<string>();
  for (let at = 0; at <= word.length; at++) {
    const [before, after] = [word.slice(0, at), word.slice(at)];
    for (const letter of letters) found.add(before + letter + after);
    if (after === "") continue;
    found.add(before + after.slice(1));
    for (const letter of letters) found.add(before + letter + after.slice(1));
    if (after.length > 1) found.add(`${before}${after[1]}${after[0]}${after.slice(2)}`);
  }
  found.delete(word);
  return [...found];
}

/** A word of a script written without blanks, which may stand anywhere in a text. */
export const standsAnywhere = (word: string): boolean =>
  /^[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u2e80-\u2fdf\u3005-\u3007\u3041-\u30ff\u3400-\u4dbf\u4e00-\u9fff\u{20000}-\u{3ffff}]/u.test(
    word,
  );
