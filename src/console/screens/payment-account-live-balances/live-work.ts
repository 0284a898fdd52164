import type { QueryClient } from "@tanstack/react-query";
import type { LiveBalanceDetail } from "../../../contract/live-balances.ts";
import { liveBalanceRoutes as routes } from "../../../contract/live-balances.ts";
import type { Api } from "../../api/api.ts";
import { atMostEvery } from "../../api/at-most-every.ts";
import type { BalancesDesk, ListDesk } from "../../kit/commands/desks.ts";
import type { Services } from "../../kit/commands/services.ts";
import { Details } from "../../lists/details.ts";
import { filterRecords } from "../../lists/filter-records.ts";
import type { ListNow } from "../../lists/list-desk.ts";
import { listDesk } from "../../lists/list-desk.ts";
import { ListPanes } from "../../lists/list-panes.ts";
import type { LiveLine } from "./live-lines.ts";
import { groupings, isAccount } from "./live-lines.ts";
import { LiveList } from "./live-list.ts";
import type { LivePlace } from "./live-place.ts";
import { liveAsked, liveFilters } from "./live-place.ts";

/** ms between two readings of the account looked at, however fast it changes: its figures are in its row at once. */
const detailPause = 1_000;

export interface LiveNeeds {
  readonly api: Api;
  readonly services: Services;
  readonly queries: QueryClient;
  readonly tenant: string;
  readonly currency: string | null;
}

/** The screen as it has just been drawn. */
interface Drawn extends ListNow {
  readonly asked: LivePlace;
}

/** The live balances at work: their list, its panes, and what they lend the commands. */
export class LiveWork {
  readonly list: LiveList;
  readonly panes: ListPanes<LiveLine>;
  readonly details: Details<LiveBalanceDetail>;
  readonly listDesk: ListDesk;
  readonly balances: BalancesDesk;
  readonly #detailAgain = atMostEvery(detailPause, () => this.#forget());
  readonly #forgotten = new Set<string>();
  #drawn: Drawn | null = null;
  #began = false;

  constructor({ api, services, queries, tenant, currency }: LiveNeeds) {
    this.list = new LiveList({
      read: (uuids) =>
        api.call(routes.listLiveBalances, { query: uuids === null ? {} : { "filter[uuid]": uuids.join(",") } }, { background: true }),
      days: async () => (await api.call(routes.listLiveDays, { query: {} }, { background: true })).data,
      now: () => api.time.now(),
      patched: (uuids) => {
        for (const uuid of uuids) this.#forgotten.add(uuid);
        this.#detailAgain.soon();
      },
    });
    this.panes = new ListPanes<LiveLine>({
      source: this.list.source,
      services,
      place: () => this.#now().place,
      isRecord: isAccount,
      aimOf: (line) => (isAccount(line) ? { id: line.code, note: `${line.bank} · ${line.holder}` } : { id: null, note: "" }),
      bring: async (uuid) => this.list.source.get(uuid) !== undefined,
    });
    this.panes.begin();
    this.details = new Details({
      queries,
      scope: [tenant, currency, "live-balance"],
      read: async (uuid, signal) => (await api.call(routes.readLiveBalance, { params: { uuid } }, { background: true, signal })).data,
    });
    this.listDesk = listDesk({
      screen: "payment-account-live-balances",
      view: routes.listLiveBalances.permission,
      filters: liveFilters,
      records: filterRecords(api, liveFilters),
      services,
      panes: this.panes,
      query: () => ({}),
      filtersHere: true,
      linked: ({ uuid }) => ({ screen: "payment-accounts", to: { search: { record: uuid } } }),
      now: () => this.#now(),
    });
    this.balances = {
      toggleWall: () => services.shell.zoomPane(),
      group: () => {
        const { asked, place } = this.#now();
        const next = groupings[(groupings.indexOf(asked.grouping) + 1) % groupings.length];
        place.set({ group: next === "bank" ? null : (next ?? null) }, true);
      },
      next: () => {
        const { rows } = this.list.source;
        const here = rows.findIndex(({ uuid }) => uuid === this.panes.grid?.cursorRow()?.uuid);
        const urgent = (line: LiveLine) => isAccount(line) && line.attention;
        const found = rows.find((line, at) => at > here && urgent(line)) ?? rows.find(urgent);
        if (found === undefined) services.say("live-balance.said.all-well");
        else this.panes.grid?.scrollToId(found.uuid);
      },
    };
  }

  #now(): Drawn {
    if (this.#drawn === null) throw new Error("the screen is not drawn yet");
    return this.#drawn;
  }

  draw(drawn: Drawn): void {
    this.#drawn = drawn;
  }

  /** Another question is answered from the accounts that are there. */
  ask(asked: LivePlace): void {
    this.panes.begin();
    this.list.show(liveAsked(asked, this.list.meta));
    if (!this.#began) {
      this.#began = true;
      void this.list.reload().then(() => this.panes.leaveHeading());
    } else this.panes.leaveHeading();
  }

  #forget(): void {
    for (const uuid of this.#forgotten) this.details.forget(uuid);
    this.#forgotten.clear();
  }

  /** The next one is there before the cursor comes to it. */
  lookAhead({ row }: LiveBalanceDetail): void {
    const next = this.list.source.at(this.list.source.indexOf(row.uuid) + 1);
    if (next && isAccount(next)) this.details.ahead(next);
  }

  close(): void {
    this.#detailAgain.stop();
  }
}
