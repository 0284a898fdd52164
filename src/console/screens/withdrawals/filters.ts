import type { TransactionStatus } from "../../../contract/transactions.ts";
import { transactionStatuses } from "../../../contract/transactions.ts";
import type { transactionSorts } from "../../../contract/transactions.ts";
import { withdrawalViews } from "../../../contract/withdrawals.ts";
import type { Withdrawal, WithdrawalView } from "../../../contract/withdrawals.ts";
import type { Sort } from "../../kit/grid/grid-column.ts";
import { text } from "../../kit/texts/texts.ts";
import { askedFilters, readFilters } from "../../lists/filters.ts";
import type { Filters, ListFilter } from "../../lists/filters.ts";
import { readSort, sortText as textOfSort } from "../../lists/sort-text.ts";
import type { TimeColumn } from "../../transactions/columns.ts";
import type { AskedList } from "./withdrawal-list.ts";

/** In the order of their chips. */
export const withdrawalFilters: readonly ListFilter<Withdrawal>[] = [
  { name: "q", title: "record.filter.q", column: "txn", value: (row) => row.txn_no },
  {
    name: "status",
    title: "transaction.column.status",
    choices: transactionStatuses,
    wordOf: (status) => text(`status.${status as TransactionStatus}`), // checked when the address was read
    column: "status",
    value: (row) => row.status,
  },
  { name: "amount", title: "transaction.column.amount", as: "amount", column: "amount", value: (row) => row.amount },
  { name: "created", title: "withdrawal.filter.created", as: "time", column: "age", value: (row) => row.created_at },
  { name: "approved", title: "withdrawal.filter.approved", as: "time", value: (row) => row.approved_at ?? "" },
  {
    name: "customer",
    field: "customer_name",
    title: "transaction.column.customer",
    column: "customer",
    value: (row) => row.customer_name,
  },
  { name: "member", title: "withdrawal.filter.member", value: (row) => row.member },
  { name: "bank", title: "withdrawal.column.bank", column: "bank", longest: 60, value: (row) => row.bank },
  { name: "account", field: "account_number", title: "withdrawal.filter.account", longest: 40, value: (row) => row.account_number },
  {
    name: "merchant",
    title: "transaction.column.merchant",
    pattern: /^[0-9a-f-]{36}$/,
    optionsOf(rows) {
      const merchants = new Map(rows.map(({ merchant }) => [merchant.uuid, merchant]));
      const sorted = [...merchants.values()].toSorted((a, b) => (a.name < b.name ? -1 : 1));
      return sorted.map(({ uuid, name, code }) => ({ id: uuid, label: name, note: code }));
    },
    wordOf: (uuid, rows) => rows.find(({ merchant }) => merchant.uuid === uuid)?.merchant.name ?? uuid.slice(0, 8),
    column: "merchant",
    value: (row) => row.merchant.uuid,
  },
];

export interface Asked {
  readonly view: WithdrawalView;
  readonly filters: Filters;
  readonly sort: readonly Sort[];
}

/** The column that stands for the order of time: age where all wait, since a decided row's age is how long it took. */
export const timeColumn = (view: WithdrawalView): TimeColumn => (view === "today" || view === "all" ? "created" : "age");

const sortColumns: Readonly<Record<string, (typeof transactionSorts)[number]>> = {
  age: "created_at",
  created: "created_at",
  amount: "amount",
  status: "status",
  customer: "customer_name",
  txn: "txn_no",
};

/** What the address asks for; what it says wrongly is left out. */
export function readPlace(search: Readonly<Record<string, string>>): Asked {
  const view = withdrawalViews.find((name) => name === search["view"]) ?? "queue";
  const sort = readSort(search["sort"], Object.values(sortColumns)).flatMap(({ id: field, desc }) => {
    const id = field === "created_at" ? timeColumn(view) : Object.keys(sortColumns).find((column) => sortColumns[column] === field);
    return id === undefined ? [] : [turned({ id, desc })];
  });
  return { view, filters: readFilters(withdrawalFilters, search), sort };
}

/** The older, the greater its age. */
const turned = ({ id, desc }: Sort): Sort => ({ id, desc: id === "age" ? !desc : desc });

/** The column that shows a view's order when none is chosen: none that of the work list, where what was put off stands at its time and not by its age. */
export const defaultSort = (view: WithdrawalView): readonly Sort[] =>
  view === "queue" ? [] : [turned({ id: timeColumn(view), desc: true })];

/** Columns as the address and the list call have them; null: the view's own order. */
export function sortText(sort: readonly Sort[]): string | null {
  return textOfSort(
    sort.flatMap((one) => {
      const { id, desc } = turned(one);
      return sortColumns[id] === undefined ? [] : [{ id: sortColumns[id], desc }];
    }),
  );
}

/** As the list call wants it. */
export function askedList({ view, filters, sort }: Asked, now: number, zoneMinutes: number): AskedList {
  const order = sortText(sort);
  return { view, ...(order !== null && { sort: order }), ...askedFilters(withdrawalFilters, filters, now, zoneMinutes) };
}
