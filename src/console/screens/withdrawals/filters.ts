import { transactionStatuses } from "../../../contract/transactions.ts";
import { withdrawalSorts, withdrawalViews } from "../../../contract/withdrawals.ts";
import type { Withdrawal, WithdrawalView } from "../../../contract/withdrawals.ts";
import { parseMoney } from "../../../values/money.ts";
import type { Sort } from "../../kit/grid/grid-column.ts";
import type { MessageKey } from "../../kit/messages.ts";
import type { AskedList } from "./withdrawal-list.ts";

/** Filters as the address has them, in the order of their chips. */
export const filterNames = ["q", "status", "amount", "created", "customer", "member", "bank", "account", "merchant"] as const;
export type FilterName = (typeof filterNames)[number];
export type Filters = Partial<Record<FilterName, string>>;

export const filterTitles = {
  q: "withdrawal.filter.q",
  status: "withdrawal.column.status",
  amount: "withdrawal.column.amount",
  created: "withdrawal.filter.created",
  customer: "withdrawal.column.customer",
  member: "withdrawal.filter.member",
  bank: "withdrawal.column.bank",
  account: "withdrawal.filter.account",
  merchant: "withdrawal.column.merchant",
} as const satisfies Record<FilterName, MessageKey>;

/** Column → the filter `f` sets there, with the value its cell has. Other columns cannot be filtered. */
export const columnFilters: Readonly<Record<string, { name: FilterName; value(row: Withdrawal): string }>> = {
  status: { name: "status", value: (row) => row.status },
  age: { name: "created", value: (row) => row.created_at.slice(0, 10) },
  amount: { name: "amount", value: (row) => row.amount },
  customer: { name: "customer", value: (row) => row.customer_name },
  bank: { name: "bank", value: (row) => row.bank },
  merchant: { name: "merchant", value: (row) => row.merchant.uuid },
  txn: { name: "q", value: (row) => row.txn_no },
};

type Range = { readonly from?: string; readonly to?: string };

/** "100..500", "100..", "..500", or one amount; null when it is none. */
export function readAmounts(text: string): Range | null {
  const [from = "", to = from, ...more] = text
    .replaceAll(",", "")
    .split("..")
    .map((part) => part.trim());
  if (more.length > 0 || (from === "" && to === "")) return null;
  if ([from, to].some((part) => part !== "" && parseMoney(part) === null)) return null;
  return { ...(from !== "" && { from }), ...(to !== "" && { to }) };
}

const windows = { m: 60_000, h: 3_600_000, d: 86_400_000 } as const;
const day = /^\d{4}-\d{2}-\d{2}$/;

/**
 * "last:30m", "last:24h", "last:7d", "2026-11-20", "2026-11-01..2026-11-20" (both days included): instants from and to.
 * A day begins at midnight of the zone `zoneMinutes` east of UTC. Null when it is none of these.
 */
export function readTimes(text: string, now: number, zoneMinutes: number): Range | null {
  const last = /^last:(\d{1,4})([mhd])$/.exec(text.trim());
  if (last) {
    const unit = windows[last[2] as keyof typeof windows]; // the pattern allows only these
    return { from: new Date(now - Number(last[1]) * unit).toISOString() };
  }
  const [from = "", to = from, ...more] = text.split("..").map((part) => part.trim());
  if (more.length > 0 || (from === "" && to === "") || [from, to].some((part) => part !== "" && !isDay(part))) return null;
  const midnight = (date: string, plus: number) => new Date(Date.parse(`${date}T00:00:00Z`) - zoneMinutes * 60_000 + plus).toISOString();
  return { ...(from !== "" && { from: midnight(from, 0) }), ...(to !== "" && { to: midnight(to, windows.d) }) };
}

function isDay(text: string): boolean {
  const at = Date.parse(`${text}T00:00:00Z`);
  return day.test(text) && !Number.isNaN(at) && new Date(at).toISOString().startsWith(text);
}

/** Whether a text can be that filter's value. */
export function isReadable(name: FilterName, text: string): boolean {
  if (name === "amount") return readAmounts(text) !== null;
  if (name === "created") return readTimes(text, 0, 0) !== null;
  if (name === "status") return text.split(",").every((part) => (transactionStatuses as readonly string[]).includes(part));
  if (name === "merchant") return /^[0-9a-f-]{36}$/.test(text);
  return text.length > 0 && text.length <= 100;
}

export interface Asked {
  readonly view: WithdrawalView;
  readonly filters: Filters;
  readonly sort: readonly Sort[];
}

const sortColumns: Readonly<Record<string, (typeof withdrawalSorts)[number]>> = {
  age: "created_at",
  amount: "amount",
  status: "status",
  customer: "customer_name",
  txn: "txn_no",
};

/** What the address asks for; what it says wrongly is left out. */
export function readPlace(search: Readonly<Record<string, string>>): Asked {
  const view = withdrawalViews.find((name) => name === search["view"]) ?? "queue";
  const filters: Filters = {};
  for (const name of filterNames) {
    const text = search[name]?.trim();
    if (text && isReadable(name, text)) filters[name] = text;
  }
  const [, minus = "", field = ""] = /^(-?)(\w+)$/.exec(search["sort"] ?? "") ?? [];
  const column = Object.keys(sortColumns).find((id) => sortColumns[id] === field);
  // the older, the greater its age
  const sort = column === undefined ? [] : [{ id: column, desc: column === "age" ? minus === "" : minus === "-" }];
  return { view, filters, sort };
}

/** The order of a view when none is chosen: the queue begins with the oldest. */
export const defaultSort = (view: WithdrawalView): Sort => ({ id: "age", desc: view === "queue" });

export function sortText([sort]: readonly Sort[]): string | null {
  const field = sort && sortColumns[sort.id];
  if (!sort || !field) return null;
  return (sort.id === "age" ? !sort.desc : sort.desc) ? `-${field}` : field;
}

/** As the list call wants it. */
export function askedList({ view, filters, sort }: Asked, now: number, zoneMinutes: number): AskedList {
  const amounts = filters.amount === undefined ? null : readAmounts(filters.amount);
  const times = filters.created === undefined ? null : readTimes(filters.created, now, zoneMinutes);
  const text = sortText(sort);
  return {
    view,
    ...(text !== null && { sort: text }),
    ...(filters.q !== undefined && { q: filters.q }),
    ...(filters.status !== undefined && { "filter[status]": filters.status }),
    ...(filters.customer !== undefined && { "filter[customer_name]": filters.customer }),
    ...(filters.member !== undefined && { "filter[member]": filters.member }),
    ...(filters.bank !== undefined && { "filter[bank]": filters.bank }),
    ...(filters.account !== undefined && { "filter[account_number]": filters.account }),
    ...(filters.merchant !== undefined && { "filter[merchant]": filters.merchant }),
    ...(amounts?.from !== undefined && { "filter[amount_from]": amounts.from }),
    ...(amounts?.to !== undefined && { "filter[amount_to]": amounts.to }),
    ...(times?.from !== undefined && { "filter[created_from]": times.from }),
    ...(times?.to !== undefined && { "filter[created_to]": times.to }),
  };
}
