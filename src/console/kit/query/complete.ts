import { folded } from "./nearest.ts";
import type { QueryField } from "./query-field.ts";
import { fieldCalled, isFlag, isTimeWord } from "./query-field.ts";
import { written } from "./query-values.ts";

/** What may be written in the place of a part of a line. */
export interface Completion {
  readonly from: number;
  readonly to: number;
  readonly text: string;
  /** How it is offered, and what of. */
  readonly label: string;
  readonly note: string;
}

/** What is said beside a completion: its word in the reader's language, or the field it is of. */
export const noteOf = ({ text, label, note }: Completion): string => (label === text || `${label}:` === text ? note : label);

const most = 8;
/** Whether one of some words begins with a part. */
function beginning(part: string): (words: readonly string[]) => boolean {
  const asked = folded(part);
  return (words) => words.some((word) => folded(word).startsWith(asked));
}

/** Where the part of the line that ends at the caret begins: after the last blank outside quotation marks that follows no colon. */
function startOf(line: string, caret: number): number {
  let [start, isQuoted] = [0, false];
  for (let at = 0; at < caret; at++) {
    if (line[at] === '"') isQuoted = !isQuoted;
    else if (/\s/.test(line[at] ?? "") && !isQuoted && !line.slice(start, at).trimEnd().endsWith(":")) start = at + 1;
  }
  return start;
}

/** What the part of the line before the caret may become: fields, and values of the field it names, by their own name or the reader's word. */
export function completionsOf(line: string, caret: number, fields: readonly QueryField[]): readonly Completion[] {
  const start = startOf(line, caret);
  const typed = line.slice(start, caret);
  const body = typed.startsWith("-") ? typed.slice(1) : typed;
  const from = start + typed.length - body.length;
  const offer = (at: number, text: string, label: string, note: string): Completion => ({ from: at, to: caret, text, label, note });
  const colon = body.indexOf(":");
  if (colon >= 0) {
    const key = body.slice(0, colon);
    const field = fieldCalled(fields, key);
    if (field === undefined) return [];
    const value = body.slice(colon + 1).trimStart();
    const part = value.slice(value.lastIndexOf(",") + 1);
    const at = caret - part.length;
    const begins = beginning(part.replace(/^"/, ""));
    const offers = (field.choices ?? [])
      .filter(({ id, words }) => begins([id, ...words]))
      .map(({ id, words: [word = id, more = word] }) =>
        // a record is written by what tells it apart, its code, and shown by its name
        field.kind === "record" && id !== "me"
          ? offer(at, written(word), more, field.words[0] ?? field.name)
          : offer(at, id, word, field.words[0] ?? field.name),
      );
    return offers.filter(({ text }) => text !== part).slice(0, most);
  }
  if (body === "") return [];
  const begins = beginning(body);
  const named = fields
    .filter(({ name, words }) => name !== "q" && begins([name, ...words]))
    .map((field) => offer(from, isFlag(field) ? field.name : `${field.name}:`, field.name, field.words[0] ?? ""));
  const values = fields
    .filter((field) => field.kind === "choices" && !isFlag(field))
    .flatMap((field) =>
      (field.choices ?? [])
        .filter(({ id, words }) => begins([id, ...words]))
        .map(({ id, words }) => offer(from, `${field.name}:${id}`, words[0] ?? id, field.words[0] ?? field.name)),
    );
  const timed = fields.find(({ kind }) => kind === "time");
  const times = (timed?.choices ?? [])
    .filter((word) => isTimeWord(word) && begins([word.id, ...word.words]))
    .map(({ id, words }) => offer(from, id, words[0] ?? id, timed?.words[0] ?? ""));
  const spans = (timed?.spans ?? [])
    .filter(({ id, words }) => begins([id, ...words]))
    .map(({ id, words }) => offer(from, id === "age" ? "age>" : `${id}:`, words[0] ?? id, timed?.words[0] ?? ""));
  const mine = fields
    .filter(({ kind, choices }) => kind === "record" && choices?.some(({ id, words }) => id === "me" && begins([id, ...words])))
    .map((field) => offer(from, `${field.name}:me`, "me", field.words[0] ?? field.name));
  return [...named, ...values, ...times, ...spans, ...mine].filter(({ text }) => text !== body).slice(0, most);
}
