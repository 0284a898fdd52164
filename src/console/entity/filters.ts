import type { Sort } from "../kit/grid/grid-column.ts";
import type { ListQuery } from "./doors.ts";
import type { Entity } from "./entity.ts";

/** Field → text, as the address has it; "q" searches all. */
export type Filters = Readonly<Record<string, string>>;

export interface Asked {
  readonly filters: Filters;
  readonly sort: Sort;
}

/** Names of an entity's filters, in the order of their chips. */
export const filterNames = ({ filters }: Entity): readonly string[] => ["q", ...filters.map(({ field }) => field)];

/** Whether a text can be that filter's value. */
export function isReadable({ filters }: Entity, name: string, text: string): boolean {
  const choices = filters.find(({ field }) => field === name)?.choices;
  if (choices) return text.split(",").every((part) => choices.includes(part));
  return text.length > 0 && text.length <= 60;
}

/** "-name" as a column and its direction; null when the list cannot be sorted so. */
export function readSort({ sorts }: Entity, text: string | null | undefined): Sort | null {
  const desc = text?.startsWith("-") === true;
  const id = desc ? text?.slice(1) : text;
  return id != null && sorts.includes(id) ? { id, desc } : null;
}

export const sortText = ({ id, desc }: Sort): string => (desc ? `-${id}` : id);

/** What the address asks for; what it says wrongly is left out. */
export function readPlace(entity: Entity, search: Readonly<Record<string, string>>): Asked {
  const filters = filterNames(entity).flatMap((name) => {
    const text = search[name]?.trim();
    return text && isReadable(entity, name, text) ? [[name, text] as const] : [];
  });
  const sort = readSort(entity, search["sort"]) ?? readSort(entity, entity.order);
  if (sort === null) throw new Error(`${entity.screen} cannot be sorted by ${entity.order}`);
  return { filters: Object.fromEntries(filters), sort };
}

/** Filters as search parameters: those not set are taken out. */
export function filterSearch(entity: Entity, filters: Filters): Record<string, string | null> {
  return { ...Object.fromEntries(filterNames(entity).map((name) => [name, null])), ...filters };
}

/** As the list call wants it. */
export function askedList({ filters, sort }: Asked): ListQuery {
  const named = Object.entries(filters).map(([name, text]) => [name === "q" ? "q" : `filter[${name}]`, text]);
  return { ...Object.fromEntries(named), sort: sortText(sort) };
}
