import type { DecisionDetail, DecisionRow } from "../../contract/decisions.ts";
import { askedFilters, filterChips, readFilters } from "../lists/filters.ts";
import type { Api } from "../api/api.ts";
import { filterRecords } from "../lists/filter-records.ts";
import type { QueryListOfRecords } from "../lists/filter-records.ts";
import { shownAmount } from "../kit/look/amounts.ts";
import { text } from "../kit/texts/texts.ts";
import type { DecisionKind } from "./decision-kind.ts";
import { everything, viewOf } from "./decision-views.ts";

/** A list of transactions as query lines and pinned views ask it: a line asks all of them, whatever view is on screen. */
export function decisionQueryList<Row extends DecisionRow, Detail extends DecisionDetail<Row>>(
  { routes, filters, views }: DecisionKind<Row, Detail>,
  api: Api,
): QueryListOfRecords {
  const records = filterRecords(api, filters);
  return {
    records,
    route: routes.list,
    fields: records.fields,
    chips: (meaning) => filterChips(filters, meaning, records.known()),
    search: (meaning) => ({ view: everything.id, ...meaning }),
    query: (search, now, zoneMinutes) => ({
      view: viewOf(views, search["view"]).id,
      sort: "created_at",
      ...askedFilters(filters, readFilters(filters, search), now, zoneMinutes),
    }),
    rowOf(row) {
      const { uuid, txn_no, customer_name, amount, status } = row as Row; // a row of this list
      return { id: uuid, name: txn_no, note: `${customer_name} · ${text(`status.${status}`)}`, end: shownAmount(amount) };
    },
    sumOf: ({ sums = {} }) => sums["amount"] ?? null,
    madeAt: (row) => (row as Row).created_at,
  };
}
