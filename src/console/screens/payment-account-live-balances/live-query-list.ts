import type { LiveBalance } from "../../../contract/live-balances.ts";
import { liveBalanceRoutes } from "../../../contract/live-balances.ts";
import { shownAmount } from "../../kit/look/amounts.ts";
import type { Api } from "../../api/api.ts";
import { filterRecords } from "../../lists/filter-records.ts";
import type { QueryListOfRecords } from "../../lists/filter-records.ts";
import { askedFilters, filterChips, readFilters } from "../../lists/filters.ts";
import { liveFilters } from "./live-place.ts";

/** The live balances as query lines and pinned views ask them. */
export const liveQueryList = (api: Api): QueryListOfRecords => {
  const records = filterRecords(api, liveFilters);
  return {
    records,
    route: liveBalanceRoutes.listLiveBalances,
    fields: records.fields,
    chips: (meaning) => filterChips(liveFilters, meaning, records.known()),
    search: (meaning) => meaning,
    query: (search, now, zoneMinutes) => ({
      ...askedFilters(liveFilters, readFilters(liveFilters, search), now, zoneMinutes),
      sort: "created_at",
    }),
    rowOf(row) {
      const { uuid, code, bank, holder, balance } = row as LiveBalance; // a row of this list
      return { id: uuid, name: code, note: `${bank} · ${holder}`, end: shownAmount(balance) };
    },
    sumOf: ({ sums = {} }) => sums["balance"] ?? null,
    madeAt: (row) => (row as LiveBalance).created_at, // as above
  };
};
