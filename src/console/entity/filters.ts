import { text } from "../kit/texts/texts.ts";
import type { Sort } from "../kit/grid/grid-column.ts";
import { askedFilters, readFilters } from "../lists/filters.ts";
import type { Filters, ListFilter } from "../lists/filters.ts";
import { readSort, sortText } from "../lists/sort-text.ts";
import type { ListQuery } from "./deps.ts";
import type { RecordRow } from "../kit/commands/desks.ts";
import { longestText } from "./column-filters.ts";
import type { Entity } from "./entity.ts";
import { choiceKey, labelKey } from "./entity.ts";

export interface Asked {
  readonly filters: Filters;
  readonly sort: readonly Sort[];
}

/** An entity's filters, each set in the column of its name. */
export const listFilters = (entity: Entity): readonly ListFilter<RecordRow>[] => [
  { name: "q", title: "record.filter.q", longest: longestText },
  ...entity.filters.map(({ field, ...rest }) => ({
    ...rest,
    name: field,
    title: labelKey(entity, field),
    ...(entity.window?.field === field && { initial: entity.window.initial }),
    wordOf(choice: string) {
      const key = rest.choices && choiceKey(entity, field, choice);
      return key ? text(key) : choice;
    },
    column: field,
  })),
];

/** What the address asks for; what it says wrongly is left out. */
export function readPlace(entity: Entity, search: Readonly<Record<string, string>>): Asked {
  const chosen = readSort(search["sort"], entity.sorts);
  const sort = chosen.length > 0 ? chosen : readSort(entity.order, entity.sorts);
  if (sort.length === 0) throw new Error(`${entity.screen} cannot be sorted by ${entity.order}`);
  return { filters: readFilters(listFilters(entity), search), sort };
}

/** As the list call wants it, at this time (ms), days being those of the zone `zoneMinutes` east of UTC. */
export const askedList = (entity: Entity, { filters, sort }: Asked, now: number, zoneMinutes: number): ListQuery => ({
  ...askedFilters(listFilters(entity), filters, now, zoneMinutes),
  sort: sortText(sort) ?? entity.order,
});

/** Whether a row may stand in the list of these filters, by what it tells itself about their choices; the server knows the rest. */
export function mayBelong(entity: Entity, filters: Filters, row: RecordRow): boolean {
  return entity.filters.every(({ field, choices, value }) => {
    const asked = filters[field];
    if (asked === undefined || choices === undefined) return true;
    const own = value(row);
    // what only the server can tell of it, as whether a downtime overlaps another, is not in the row
    return (own === "" && !(field in row)) || asked.split(",").includes(own);
  });
}
