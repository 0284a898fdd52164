import { accountStates, accountTypes, shownAccountStatuses } from "../../../contract/payment-accounts.ts";
import type { LiveBalance, LiveMeta, Show } from "../../../contract/live-balances.ts";
import { shows } from "../../../contract/live-balances.ts";
import { isAskedFor } from "../../../contract/live-shows.ts";
import { readAsked } from "../../../values/asked.ts";
import { money } from "../../../values/money.ts";
import type { Sort } from "../../kit/grid/grid-column.ts";
import type { MessageKey } from "../../kit/texts/messages.ts";
import { text } from "../../kit/texts/texts.ts";
import type { Filters, ListFilter } from "../../lists/filters.ts";
import { readFilters } from "../../lists/filters.ts";
import { readSort } from "../../lists/sort-text.ts";
import { liveSorts } from "./live-columns.ts";
import type { LiveAsked } from "./live-list.ts";
import type { Grouping, LimitName, LiveLine } from "./live-lines.ts";
import { byHeadroom, groupings, isAccount, usedPercent } from "./live-lines.ts";

/** What the address asks for. */
export interface LivePlace {
  readonly filters: Filters;
  readonly sort: readonly Sort[];
  readonly grouping: Grouping;
}

const ofAccount =
  (read: (row: LiveBalance) => string) =>
  (line: LiveLine): string =>
    isAccount(line) ? read(line) : "";

const words = (prefix: string) => ({ wordOf: (value: string) => text(`${prefix}.${value}` as MessageKey) }); // every value has its text

export const liveFilters: readonly ListFilter<LiveLine>[] = [
  { name: "q", title: "record.filter.q" },
  { name: "show", title: "live-balance.filter.show", choices: shows, ...words("live-balance.view") },
  {
    name: "bank",
    title: "payment-account.field.bank",
    column: "bank",
    optionsOf: (lines) =>
      [...new Set(lines.filter(isAccount).map(({ bank }) => bank))].toSorted().map((bank) => ({ id: bank, label: bank, note: "" })),
    value: ofAccount(({ bank }) => bank),
  },
  {
    name: "type",
    title: "payment-account.field.type",
    choices: accountTypes,
    ...words("payment-account.type"),
    value: ofAccount(({ type }) => type),
  },
  {
    name: "state",
    title: "payment-account.field.state",
    choices: accountStates,
    ...words("payment-account.state"),
    column: "state",
    value: ofAccount(({ state }) => state),
  },
  {
    name: "status",
    title: "payment-account.field.status",
    choices: shownAccountStatuses,
    ...words("status"),
    value: ofAccount(({ status }) => status),
  },
];

export function readLivePlace(search: Readonly<Record<string, string>>): LivePlace {
  const grouping = groupings.find((one) => one === search["group"]) ?? "bank";
  return { filters: readFilters(liveFilters, search), sort: readSort(search["sort"], liveSorts), grouping };
}

/** Built-in views in the order of their digits. */
export const liveViews: readonly { readonly id: "all" | Show; readonly search: Readonly<Record<string, string>> }[] = [
  { id: "all", search: {} },
  ...shows.map((show) => ({ id: show, search: { show } })),
];

const compare: Readonly<Record<string, (a: LiveBalance, b: LiveBalance) => number>> = {
  code: (a, b) => (a.code < b.code ? -1 : a.code > b.code ? 1 : 0),
  balance: (a, b) => Number(money(a.balance) - money(b.balance)),
  payable: (a, b) => Number(money(a.payable) - money(b.payable)),
  open: (a, b) => a.open_in.count + a.open_out.count - b.open_in.count - b.open_out.count,
  ...Object.fromEntries(
    (["deposit_daily", "deposit_monthly", "withdrawal_daily", "withdrawal_monthly"] as const satisfies readonly LimitName[]).map((name) => [
      name,
      (a: LiveBalance, b: LiveBalance) => (usedPercent(a[name]) ?? -1) - (usedPercent(b[name]) ?? -1),
    ]),
  ),
};

/** The accounts an address asks for, in its order: by headroom unless told. */
export function liveAsked({ filters, sort, grouping }: LivePlace, meta: () => LiveMeta | null): LiveAsked {
  const choicesOf = (name: string) => filters[name]?.split(",");
  const asked = {
    q: filters["q"],
    bank: readAsked(filters["bank"] ?? "") ?? undefined,
    show: shows.filter((show) => choicesOf("show")?.includes(show)),
    type: choicesOf("type"),
    state: choicesOf("state"),
    status: choicesOf("status"),
  };
  return {
    grouping,
    shows: (row) => isAskedFor(row, asked, meta()),
    order(a, b) {
      for (const { id, desc } of sort) {
        const by = compare[id]?.(a, b) ?? 0;
        if (by !== 0) return desc ? -by : by;
      }
      return byHeadroom(a, b);
    },
  };
}
