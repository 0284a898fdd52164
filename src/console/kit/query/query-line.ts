import { asking, quoted, readAsked, writeAsked } from "../../../values/asked.ts";
import { closest } from "./nearest.ts";
import type { QueryChoice, QueryField } from "./query-field.ts";
import { called, choiceCalled, fieldCalled, isCalled, isFlag, isTimeWord, ownAmount, ownTime, timeSpans } from "./query-field.ts";
import { amountsOf, compared, partsOf, plainTimes, spanOf, timesOf, unquoted, written } from "./query-values.ts";

/** What a line means: each field's value as the address has it. */
export type Meaning = Readonly<Record<string, string>>;

/** Why a line means nothing, and where: of the characters from `from` to `to`, the latter excluded. */
export interface QueryFault {
  readonly from: number;
  readonly to: number;
  readonly why:
    | "unknown-field"
    | "unknown-value"
    | "unreadable"
    | "no-negation"
    | "unclosed"
    | "no-search"
    | "no-amount"
    | "no-time"
    | "twice"
    | "empty";
  /** What stands there. */
  readonly text: string;
  /** What may have been meant. */
  readonly nearest: string | null;
}

export type Reading = { readonly meaning: Meaning } | { readonly fault: QueryFault };

/** A part of a line without blanks, but for those within quotation marks and around its sign. */
interface Term {
  readonly from: number;
  readonly to: number;
  readonly text: string;
}

const searchOf = (fields: readonly QueryField[]) => fields.find(({ name }) => name === "q");

/** A field, or nothing, and how it is compared, but not with what: a second sign would be that. */
const unfinished = /^-?[^":<>=]*(?::|>=|<=|>|<|=)$/;

/** The parts of a line; a quotation mark that is not closed is a fault. What is compared may stand apart from its sign: "amount > 5000". */
function termsOf(line: string, fields: readonly QueryField[]): readonly Term[] | QueryFault {
  const terms: Term[] = [];
  let at = 0;
  while (at < line.length) {
    if (/\s/.test(line[at] ?? "")) {
      at += 1;
      continue;
    }
    const from = at;
    let quoted = -1;
    while (at < line.length && (quoted >= 0 || !/\s/.test(line[at] ?? ""))) {
      if (line[at] === '"') quoted = quoted < 0 ? at : -1;
      at += 1;
    }
    if (quoted >= 0) return fault("unclosed", quoted, line.length, line);
    const before = terms.at(-1);
    const joins =
      before !== undefined && (unfinished.test(before.text) || (/[<>=]/.test(line[from] ?? "") && isNamed(before.text, fields)));
    if (joins) terms.pop();
    const start = joins ? before.from : from;
    terms.push({ from: start, to: at, text: line.slice(start, at) });
  }
  return terms;
}

const isNamed = (word: string, fields: readonly QueryField[]): boolean =>
  fieldCalled(fields, word) !== undefined || called(spansOf(fields), word) !== undefined;

const fault = (why: QueryFault["why"], from: number, to: number, line: string, nearest: string | null = null): QueryFault => ({
  why,
  from,
  to,
  text: line.slice(from, to),
  nearest,
});

const spansOf = (fields: readonly QueryField[]): readonly QueryChoice[] =>
  ownTime(fields)?.spans ?? timeSpans.map((id) => ({ id, words: [] }));

/** "status:pending", "amount>5000": a field, how it is compared, and the rest. */
const named = /^([\p{L}\p{M}\p{N}_.'’ -]*[\p{L}\p{M}\p{N}_])\s*(:|>=|<=|>|<|=)\s*(.*)$/su;
const ranged = /^(?:[\d.,']*\d)?\.\.(?:\d[\d.,']*)?$/;

/** What a line asks of a list with these fields. It never throws. */
export function readQuery(line: string, fields: readonly QueryField[]): Reading {
  const terms = termsOf(line, fields);
  if ("why" in terms) return { fault: terms };
  const meaning: Record<string, string> = {};
  const words: string[] = [];
  for (const term of terms) {
    const read = readTerm(term, line, fields, meaning);
    if ("why" in read) return { fault: read };
    if ("word" in read) words.push(read.word);
    else Object.assign(meaning, read.set);
  }
  if (words.length > 0) meaning["q"] = words.join(" ");
  return { meaning };
}

type Read = QueryFault | { readonly word: string } | { readonly set: Meaning };

function readTerm({ from, to, text }: Term, line: string, fields: readonly QueryField[], before: Meaning): Read {
  const isNegated = text.startsWith("-") && text.length > 1;
  const start = isNegated ? from + 1 : from;
  const body = line.slice(start, to);
  const [, key, sign = ":", rest = ""] = body.startsWith('"') ? [] : (named.exec(body) ?? []);
  if (key !== undefined) {
    const valueAt = to - rest.length;
    const field = fieldCalled(fields, key);
    if (field !== undefined) return readValue({ field, sign, text: rest, at: valueAt, isNegated, before }, line, from, to);
    const spans = spansOf(fields);
    const own = called(spans, key);
    if (own !== undefined)
      return isNegated
        ? fault("no-negation", from, to, line)
        : readTime({ span: own.id, sign, text: rest, at: valueAt, before }, line, from, to, fields);
    const known = [...fields, ...spans.map(({ id, words }) => ({ name: id, words }))].flatMap(({ name, words }) => [name, ...words]);
    return fault("unknown-field", start, start + key.length, line, closest(key, known));
  }
  const [, comparison, amount] = compared.exec(body) ?? [];
  if (comparison !== undefined || ranged.test(body)) {
    const field = ownAmount(fields);
    if (field === undefined) return fault("no-amount", start, to, line);
    const value = amount ?? body;
    return readValue({ field, sign: comparison ?? ":", text: value, at: to - value.length, isNegated, before }, line, from, to);
  }
  const plain = body.startsWith('"') ? null : body;
  const timed = ownTime(fields);
  const time = plain === null || timed === undefined ? undefined : choiceCalled(timed, plain);
  if (time !== undefined && timed !== undefined && isTimeWord(time) && !isNegated) return once(timed, time.id, before, from, to, line);
  const mine = plain === null ? undefined : fields.find((one) => one.kind === "record" && choiceCalled(one, plain)?.id === "me");
  if (plain !== null && mine !== undefined)
    return readValue({ field: mine, sign: ":", text: plain, at: start, isNegated, before }, line, from, to);
  // a status before any other field that has the same word
  const choosing = fields
    .filter(({ kind }) => kind === "choices")
    .toSorted((a, b) => Number(b.name === "status") - Number(a.name === "status"));
  const flag = plain === null ? undefined : choosing.find((one) => isFlag(one) && isCalled(one, plain));
  if (flag !== undefined) return flagged(flag, isNegated, from, to, line);
  const chosen = plain === null ? undefined : choosing.find((one) => !isFlag(one) && choiceCalled(one, plain) !== undefined);
  if (plain !== null && chosen !== undefined)
    return readValue({ field: chosen, sign: ":", text: plain, at: start, isNegated, before }, line, from, to);
  if (isNegated) {
    const known = choosing.flatMap((one) =>
      isFlag(one) ? [one.name, ...one.words] : (one.choices ?? []).flatMap(({ id, words }) => [id, ...words]),
    );
    return fault("no-negation", start, to, line, closest(body, known));
  }
  return searchOf(fields) === undefined ? fault("no-search", start, to, line) : { word: unquoted(body) };
}

function flagged(field: QueryField, isNegated: boolean, from: number, to: number, line: string): Read {
  if (!isNegated) return { set: { [field.name]: "yes" } };
  return field.choices?.some(({ id }) => id === "no") ? { set: { [field.name]: "no" } } : fault("no-negation", from, to, line);
}

interface Valued {
  readonly field: QueryField;
  readonly sign: string;
  readonly text: string;
  readonly at: number;
  readonly isNegated: boolean;
  readonly before: Meaning;
}

function readValue({ field, sign, text, at, isNegated, before }: Valued, line: string, from: number, to: number): Read {
  const { name, kind } = field;
  if (text === "") return fault("empty", from, to, line);
  if (kind === "choices") {
    const asked: string[] = [];
    for (const part of partsOf(text)) {
      const choice = choiceCalled(field, unquoted(part.text));
      const known = (field.choices ?? []).flatMap(({ id, words }) => [id, ...words]);
      if (choice === undefined)
        return fault("unknown-value", at + part.at, at + part.at + part.text.length, line, closest(unquoted(part.text), known));
      asked.push(choice.id);
    }
    const all = (field.choices ?? []).map(({ id }) => id);
    // one more of the same field is one of them, too; what is left out of all is all but that
    const earlier = before[name]?.split(",") ?? [];
    const chosen = all.filter((id) =>
      isNegated ? !asked.includes(id) && (earlier.length === 0 || earlier.includes(id)) : asked.includes(id) || earlier.includes(id),
    );
    return chosen.length === 0 ? fault("empty", from, to, line) : { set: { [name]: chosen.join(",") } };
  }
  if ((kind === "text" && name !== "q") || kind === "record") return readAny({ field, sign, text, at, isNegated, before }, line, from, to);
  if (isNegated) return fault("no-negation", from, to, line);
  const value =
    kind === "amount"
      ? amountsOf(field, sign, unquoted(text))
      : kind === "time"
        ? timesOf(sign, plainTimes(field, unquoted(text)))
        : unquoted(text);
  return field.reads(value) ? once(field, value, before, from, to, line) : fault("unreadable", at, to, line);
}

/** Any of these texts or records, or none of them; one more of the same field is one of them, too. */
function readAny({ field, text, at, isNegated, before }: Valued, line: string, from: number, to: number): Read {
  const earlier = readAsked(before[field.name] ?? "");
  if (earlier !== null && earlier.isNot !== isNegated) return fault("twice", from, to, line);
  const asked = new Set(earlier?.of);
  const known = (field.choices ?? []).flatMap(({ words }) => words);
  for (const part of partsOf(text)) {
    const word = unquoted(part.text).trim();
    const value = choiceCalled(field, word)?.id ?? word;
    const [start, end] = [at + part.at, at + part.at + part.text.length];
    if (value === "") return fault("empty", start, Math.max(end, start + 1), line);
    if (!field.reads(writeAsked(asking(value))))
      return fault(field.kind === "record" ? "unknown-value" : "unreadable", start, end, line, closest(word, known));
    asked.add(value);
  }
  const value = writeAsked({ isNot: isNegated, of: [...asked] });
  return field.reads(value) ? { set: { [field.name]: value } } : fault("unreadable", at, to, line);
}

/** A value of a field that has one: two ends of a range, each asked for by itself, are one range. */
function once(field: QueryField, value: string, before: Meaning, from: number, to: number, line: string): Read {
  const earlier = before[field.name];
  if (earlier === undefined || earlier === value) return { set: { [field.name]: value } };
  const [one, other] = [earlier, value].map((range) => range.split("..")) as [string[], string[]];
  const isRange = (field.kind === "amount" || field.kind === "time") && one.length === 2 && other.length === 2;
  if (!isRange || (one[0] === "") === (other[0] === "") || (one[1] === "") === (other[1] === "")) return fault("twice", from, to, line);
  const joined = `${one[0] || other[0]}..${one[1] || other[1]}`;
  return field.reads(joined) ? { set: { [field.name]: joined } } : fault("unreadable", from, to, line);
}

interface Spanned extends Pick<Valued, "sign" | "text" | "at" | "before"> {
  /** One of `timeSpans`. */
  readonly span: string;
}

/** "last:2h", "since:09:00", "before:2026-11-01", "age>10m": of the list's own time. */
function readTime(
  { span: word, sign, text: given, at, before }: Spanned,
  line: string,
  from: number,
  to: number,
  fields: readonly QueryField[],
): Read {
  const field = ownTime(fields);
  if (field === undefined) return fault("no-time", at, to, line);
  const text = plainTimes(field, unquoted(given));
  const value = spanOf(word, sign, text);
  if (text === "" || !field.reads(value)) return fault("unreadable", at, Math.max(to, at + 1), line);
  return once(field, value, before, from, to, line);
}

/** The first word of a record that means no other. */
const wordOf = (field: QueryField, value: string): string =>
  field.choices?.find(({ id }) => id === value)?.words.find((word) => choiceCalled(field, word)?.id === value) ?? value;

/** The line that means this: fields in their order, then the words that are searched for. */
export function writeQuery(meaning: Meaning, fields: readonly QueryField[]): string {
  const terms = fields.flatMap((field): string[] => {
    const value = meaning[field.name];
    if (value === undefined || field.name === "q") return [];
    if (isFlag(field)) return value === "yes" ? [field.name] : value === "no" ? [`-${field.name}`] : [`${field.name}:${value}`];
    if (field.kind === "choices") return [`${field.name}:${value}`];
    const asked = field.kind === "amount" || field.kind === "time" ? null : readAsked(value);
    if (asked === null) return [`${field.name}:${written(value)}`];
    const words = asked.of.map((one) => written(field.kind === "record" ? wordOf(field, one) : one));
    return [`${asked.isNot ? "-" : ""}${field.name}:${words.join(",")}`];
  });
  const words = (meaning["q"] ?? "").split(/\s+/).filter((word) => word !== "");
  return [...terms, ...words.map((word) => (isPlainWord(word, fields) ? word : quoted(word)))].join(" ");
}

/** Whether a word alone is searched for, and nothing else. */
function isPlainWord(word: string, fields: readonly QueryField[]): boolean {
  if (word.includes('"') || unfinished.test(word)) return false;
  const read = readQuery(word, fields);
  return "meaning" in read && Object.keys(read.meaning).length === 1 && read.meaning["q"] === word;
}
