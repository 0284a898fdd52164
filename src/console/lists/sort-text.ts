import { mostSorts } from "../../contract/wire.ts";
import type { Sort } from "../kit/grid/grid-column.ts";
import type { Services } from "../kit/commands/services.ts";

/** "-amount,created_at" as the list call has it: its fields and their directions. What is none of `fields`, or comes again, is left out. */
export function readSort(text: string | null | undefined, fields: readonly string[]): readonly Sort[] {
  const sort: Sort[] = [];
  for (const part of (text ?? "").split(",")) {
    const [, minus, id = ""] = /^(-?)(\w+)$/.exec(part) ?? [];
    if (fields.includes(id) && !sort.some((other) => other.id === id)) sort.push({ id, desc: minus === "-" });
  }
  return sort.slice(0, mostSorts);
}

/** Null: no column. */
export function sortText(sort: readonly Sort[]): string | null {
  const parts = sort.slice(0, mostSorts).map(({ id, desc }) => (desc ? `-${id}` : id));
  return parts.length === 0 ? null : parts.join(",");
}

/**
 * The order that is asked for, or, where it was taken away and the one shown is the list's own, that one with its falling columns turned:
 * taking away what nobody has chosen would change nothing.
 */
export const orTurned = (asked: readonly Sort[], shown: readonly Sort[], isChosen: boolean): readonly Sort[] =>
  asked.length > 0 || isChosen ? asked : shown.filter(({ desc }) => desc).map(({ id }) => ({ id, desc: false }));

/** Whether a list in this order begins with its earliest or its latest: only then may a time be gone to. */
export const leadsByTime = (sort: string | undefined, field: string): "rising" | "falling" | null => {
  const [first] = (sort ?? "").split(",");
  return first === field ? "rising" : first === `-${field}` ? "falling" : null;
};

/** Says why a further column does not sort. */
export function tellMost(services: Services, sort: readonly Sort[]): void {
  if (sort.length > mostSorts) services.say("record.said.sort-most", { count: mostSorts }, "warn");
}
