import { folded } from "./nearest.ts";

/** One of several values a field may have: as it is sent, and what people call it. */
export interface QueryChoice {
  readonly id: string;
  readonly words: readonly string[];
}

/** What a line can ask of a list: one of its filters. */
export interface QueryField {
  /** As the address has it; `q` are words that are searched for. */
  readonly name: string;
  /** What else it is called: in the reader's language, then in English. */
  readonly words: readonly string[];
  readonly kind: "text" | "choices" | "record" | "amount" | "time";
  /** Of a time: "today" and its like. */
  readonly choices?: readonly QueryChoice[];
  /** Of a time: how the reader calls what asks of the list's own, as "since". */
  readonly spans?: readonly QueryChoice[];
  /** Decimals of the currency, of an amount. */
  readonly decimals?: number;
  /** Whether a text can be its value, as the address has it. */
  reads(value: string): boolean;
}

/** Words that are a time of their own accord, and what is asked of the list's own time: "last:2h", "since:09:00", "age>10m". */
const timeWords: readonly string[] = ["today", "yesterday", "tomorrow", "week", "month"];
export const isTimeWord = ({ id }: QueryChoice): boolean => timeWords.includes(id);
export const timeSpans = ["age", "last", "since", "before"] as const;

/** Whether its name alone says yes, and “-name” says no. */
export const isFlag = ({ choices = [] }: QueryField): boolean => choices[0]?.id === "yes" && choices.length <= 2;

/** Whether a text is its name or one of its words, whatever its case and accents. */
export const isCalled = ({ name, words }: Pick<QueryField, "name" | "words">, text: string): boolean =>
  [name, ...words].some((word) => folded(word) === folded(text));
/** The choice of this id, or else of such a word. */
export const called = (choices: readonly QueryChoice[], text: string) =>
  choices.find(({ id }) => id === text) ?? choices.find((choice) => isCalled({ name: choice.id, words: choice.words }, text));
export const choiceCalled = ({ choices = [] }: QueryField, text: string) => called(choices, text);

/** A field by its name, before any that has such a word. */
export const fieldCalled = (fields: readonly QueryField[], text: string) =>
  fields.find(({ name }) => folded(name) === folded(text)) ?? fields.find((field) => isCalled(field, text));

/** The amount and the time that are meant where none is named: the list's first. */
export const ownAmount = (fields: readonly QueryField[]) =>
  fields.find(({ name }) => name === "amount") ?? fields.find(({ kind }) => kind === "amount");
export const ownTime = (fields: readonly QueryField[]) => fields.find(({ kind }) => kind === "time");
