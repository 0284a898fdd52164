import { fieldOf } from "./named.ts";
import type { Api } from "../api/api.ts";
import type { Entity } from "./entity.ts";
import { askedFilters, filterChips, readFilters } from "../lists/filters.ts";
import { filterRecords } from "../lists/filter-records.ts";
import type { QueryListOfRecords } from "../lists/filter-records.ts";
import type { RecordRow } from "../kit/commands/desks.ts";
import { listFilters } from "./filters.ts";

/** Sums that stand for a whole list, in the order in which the first there is counts. */
const summed = ["amount", "balance", "closing", "wallet"] as const;

/** A list of plain records as query lines ask it. */
export function entityQueryList(entity: Entity, api: Api): QueryListOfRecords {
  const filters = listFilters(entity);
  const records = filterRecords(api, filters);
  const isTimed = entity.sorts.includes("created_at");
  return {
    records,
    route: entity.routes.list,
    fields: records.fields,
    chips: (meaning) => filterChips(filters, meaning, records.known()),
    search: (meaning) => meaning,
    query: (search, now, zoneMinutes) => ({
      ...askedFilters(filters, readFilters(filters, withInitial(entity, search)), now, zoneMinutes),
      sort: isTimed ? "created_at" : entity.order,
    }),
    rowOf(row) {
      const record = row as RecordRow; // a row of this list
      const [title, code] = [entity.titleOf(record), entity.codeOf(record)];
      return { id: record.uuid, name: title, note: code === title ? "" : code };
    },
    sumOf: ({ sums = {} }) => summed.map((field) => sums[field]).find((sum) => sum !== undefined) ?? null,
    madeAt: (row) => (isTimed ? String(fieldOf(row, "created_at") ?? "") || null : null),
  };
}

/** A list with a window always has one. */
const withInitial = ({ window }: Entity, search: Readonly<Record<string, string>>) =>
  window === undefined || search[window.field] !== undefined ? search : { ...search, [window.field]: window.initial };
