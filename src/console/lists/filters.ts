import { linkedText } from "../kit/form/linked.ts";
import { amountDecimals } from "../kit/look/amounts.ts";
import type { FilterChip } from "../kit/query/query-list.ts";
import type { MessageKey } from "../kit/texts/messages.ts";
import { text as say } from "../kit/texts/texts.ts";
import type { Linked } from "../../contract/controls.ts";
import type { ScreenName } from "../../contract/screens.ts";
import { longestSearch } from "../../contract/wire.ts";
import { readAmounts } from "../../values/amount-ranges.ts";
import { formatAmount } from "../../values/money.ts";
import { asking, longestAsked, readAsked, writeAsked } from "../../values/asked.ts";
import type { MomentWord } from "../../values/moments.ts";
import { spokenMoment } from "../../values/moments.ts";
import { readTimes } from "./ranges.ts";

/** Name → text, as the address has it. */
export type Filters = Readonly<Record<string, string>>;

export interface FilterOption {
  readonly id: string;
  readonly label: string;
  readonly note: string;
}

/** One filter of a list: how address and list call name it, what it takes, and the column where `f` sets it. "q" searches all. */
export interface ListFilter<Row> {
  readonly name: string;
  /** In the list call `filter[<field>]`, or its from … to … of an amount or a time; the name unless told. */
  readonly field?: string;
  readonly title: MessageKey;
  readonly as?: "amount" | "time";
  /** Any of these; without them texts, any or none of which is asked for (values/asked.ts), as of records. */
  readonly choices?: readonly string[];
  /** Its values are records, by their uuids: all that the screen `to` lists, if one does, and those that rows name; `me`: or "me". */
  readonly record?: { readonly to?: ScreenName | undefined; readonly me?: true; of?(row: Row): Linked | null };
  /** Letters of a text at most; 100 unless told, of a search as many as the server takes. */
  readonly longest?: number;
  /** One of these is chosen instead of typed. */
  optionsOf?(rows: readonly Row[]): readonly FilterOption[];
  /** How one of its values reads, if not as it stands. */
  wordOf?(value: string, rows: readonly Row[]): string;
  /** Applies while the address names no other value: such a filter can be changed, but never removed. */
  readonly initial?: string;
  /** Besides the one of its own name. */
  readonly column?: string;
  /** What a row has in that column, for "filter by this value"; of a time its day is taken. */
  value?(row: Row): string;
}

/** The records that screens list, as far as they are loaded. */
export type KnownRecords = Readonly<Partial<Record<ScreenName, readonly Linked[]>>>;

/** The records a filter may name: those of its screen that are known, and those of these rows. */
export function recordsOf<Row>({ record }: ListFilter<Row>, rows: readonly Row[], known: KnownRecords): readonly Linked[] {
  const all = [...rows.flatMap((row) => record?.of?.(row) ?? []), ...((record?.to && known[record.to]) ?? [])];
  const textOf = ({ code, name }: Linked) => code ?? name;
  return [...new Map(all.map((one) => [one.uuid, one])).values()].toSorted((a, b) => (textOf(a) < textOf(b) ? -1 : 1));
}

const isSearch = (name: string): boolean => name === "q";
export const longestOf = ({ name, longest = isSearch(name) ? longestSearch : 100 }: ListFilter<never>): number => longest;

/** Whether its value names any texts or records, or what none of them must be (values/asked.ts). */
const isOfAny = ({ name, as, choices }: ListFilter<never>): boolean => !isSearch(name) && as === undefined && choices === undefined;

/** One value of a row as the address has it. */
export const soleValue = (filter: ListFilter<never>, value: string): string => (isOfAny(filter) ? writeAsked(asking(value)) : value);

/** Letters of all values at most. */
export const longestValue = (filter: ListFilter<never>): number => (isOfAny(filter) ? longestAsked : longestOf(filter));

/** All but the one with a field of its own. */
export const chosenFilters = <Row>(filters: readonly ListFilter<Row>[]) => filters.filter(({ name }) => !isSearch(name));

/** Whether somebody chose the filter's value: nobody chose an initial one. */
export const isChosen = ({ name, initial }: Pick<ListFilter<never>, "name" | "initial">, set: Filters): boolean =>
  set[name] !== undefined && set[name] !== initial;

const isUuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Whether a text can be that filter's value. */
export function isReadable(filter: ListFilter<never>, text: string): boolean {
  const { choices, as, record } = filter;
  if (choices) return text.split(",").every((part) => choices.includes(part));
  if (as === "amount") return readAmounts(text, amountDecimals()) !== null;
  if (as === "time") return readTimes(text, 0, 0) !== null;
  if (!isOfAny(filter)) return text.length > 0 && text.length <= longestOf(filter);
  const fits = (one: string) =>
    record === undefined ? one.length <= longestOf(filter) : isUuid.test(one) || (record.me === true && one === "me");
  return readAsked(text)?.of.every(fits) ?? false;
}

/** What the address asks for; what it says wrongly is left out. */
export function readFilters(filters: readonly ListFilter<never>[], search: Filters): Filters {
  const read = filters.flatMap((filter) => {
    const asked = search[filter.name]?.trim();
    const text = asked && isReadable(filter, asked) ? asked : filter.initial;
    return text === undefined ? [] : [[filter.name, text] as const];
  });
  return Object.fromEntries(read);
}

/** Filters as search parameters: those not set are taken out, and the record with them. */
export function filterSearch(filters: readonly ListFilter<never>[], set: Filters): Record<string, string | null> {
  return {
    ...Object.fromEntries(filters.map((filter) => [filter.name, isChosen(filter, set) ? (set[filter.name] ?? null) : null])),
    record: null,
  };
}

/** As the list call wants them at this time (ms), days being those of the zone `zoneMinutes` east of UTC. */
export function askedFilters(filters: readonly ListFilter<never>[], set: Filters, now: number, zoneMinutes: number): Filters {
  const asked = filters.flatMap(({ name, field = name, as }): [string, string | undefined][] => {
    const text = set[name];
    if (text === undefined) return [];
    if (as === undefined) return [[isSearch(name) ? name : `filter[${field}]`, text]];
    const range = as === "amount" ? readAmounts(text, amountDecimals()) : readTimes(text, now, zoneMinutes);
    return [
      [`filter[${field}_from]`, range?.from],
      [`filter[${field}_to]`, range?.to],
    ];
  });
  return Object.fromEntries(asked.filter((pair): pair is [string, string] => pair[1] !== undefined));
}

/** What is asked for, filter by filter, in the reader's words. */
export const filterChips = (filters: readonly ListFilter<never>[], set: Filters, known: KnownRecords): readonly FilterChip[] =>
  filters.flatMap((filter): FilterChip[] => {
    const value = set[filter.name];
    return value === undefined ? [] : [[say(filter.title), filterWords(filter, value, [], known)]];
  });

/** "today" and its like in the present language. */
export const momentWord = (word: MomentWord): string => say(`moment.${word}`);

/** A range of amounts as rows show them, in groups of three digits, without decimals where it has none: "5,000..9,000", "10,000,000.01..". */
function amountWords(text: string): string {
  const decimals = amountDecimals();
  const range = readAmounts(text, decimals);
  if (range === null) return text;
  const said = (end = ""): string => (end === "" ? "" : formatAmount(end, decimals).replace(/\.0+$/, ""));
  return range.from === range.to ? said(range.from) : `${said(range.from)}..${said(range.to)}`;
}

/** A filter's value as people read it, each of several choices in its own words. */
export function filterWords<Row>(filter: ListFilter<Row>, text: string, rows: readonly Row[], known: KnownRecords = {}): string {
  const { choices, as, record, wordOf } = filter;
  if (as === "time") return spokenMoment(text, momentWord);
  if (as === "amount") return amountWords(text);
  const records = record && recordsOf(filter, rows, known);
  const wordFor = (value: string): string => {
    if (records === undefined) return wordOf?.(value, rows) ?? value;
    if (value === "me") return say("query.me");
    const named = records.find(({ uuid }) => uuid === value);
    return named ? linkedText(named) : value.slice(0, 8);
  };
  const asked = choices ? { isNot: false, of: text.split(",") } : ((isOfAny(filter) ? readAsked(text) : null) ?? asking(text));
  const words = asked.of.map(wordFor).join(", ");
  return asked.isNot ? say("query.not", { value: words }) : words;
}
