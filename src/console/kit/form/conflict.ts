import type { RecordEvent } from "../../../contract/records.ts";

/** What a form writes over: of a version, which another may have raised meanwhile. */
export interface FormRow {
  readonly uuid: string;
  readonly version: number;
}
export interface FormDetail {
  readonly row: FormRow;
  /** Left out by records without one. */
  readonly history?: readonly RecordEvent[];
}

export type Side = "mine" | "theirs";
export type Values = Readonly<Record<string, string>>;

/** A field that is not as the other has left it. */
export interface Difference {
  readonly name: string;
  readonly mine: string;
  readonly theirs: string;
  readonly take: Side;
}

/** A record another changed while this one was being written. */
export interface Conflict {
  readonly row: FormRow;
  /** Who changed it last, and when; null when the history does not tell. */
  readonly by: { readonly name: string; readonly at: string } | null;
  readonly theirs: Values;
  readonly differences: readonly Difference[];
}

/** Each side keeps what only it touched; what both touched is the operator's to decide, their own first. */
export function conflictOf(base: Values, mine: Values, theirs: Values, { row, history = [] }: FormDetail): Conflict {
  const differences = Object.keys(mine).flatMap((name): Difference[] => {
    const [was, own, other] = [base[name] ?? "", mine[name] ?? "", theirs[name] ?? ""];
    return own === other ? [] : [{ name, mine: own, theirs: other, take: own === was ? "theirs" : "mine" }];
  });
  const last = history.toSorted((a, b) => (a.at < b.at ? 1 : -1))[0];
  return { row, by: last ? { name: last.by, at: last.at } : null, theirs, differences };
}

export function takeSide(conflict: Conflict, side: Side, name?: string): Conflict {
  const differences = conflict.differences.map((one) => (name === undefined || one.name === name ? { ...one, take: side } : one));
  return { ...conflict, differences };
}

/** What the record would become. */
export function settled({ theirs, differences }: Conflict, mine: Values): Values {
  const taken = differences.filter(({ take }) => take === "theirs").map(({ name }) => [name, theirs[name] ?? ""] as const);
  return { ...mine, ...Object.fromEntries(taken) };
}
