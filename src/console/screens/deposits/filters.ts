import type { Deposit } from "../../../contract/deposits.ts";
import type { ListFilter } from "../../lists/filters.ts";
import { transactionFilters } from "../../transactions/transaction-filters.ts";

const { search, status, amount, created, approved, claimed, claimedBy, customer, member, merchant } = transactionFilters;

/** In the order of their chips. */
export const depositFilters: readonly ListFilter<Deposit>[] = [
  search,
  status,
  amount,
  created,
  approved,
  claimed,
  claimedBy,
  customer,
  member,
  {
    name: "account",
    field: "payment_account",
    title: "deposit.column.credited",
    pattern: /^[0-9a-f-]{36}$/,
    optionsOf(rows) {
      const accounts = new Map(
        rows.flatMap(({ payment_account: account }) => (account === null ? [] : [[account.uuid, account.code] as const])),
      );
      const sorted = [...accounts].toSorted(([, one], [, other]) => (one < other ? -1 : 1));
      return sorted.map(([id, label]) => ({ id, label, note: "" }));
    },
    wordOf: (uuid, rows) => rows.find(({ payment_account: account }) => account?.uuid === uuid)?.payment_account?.code ?? uuid.slice(0, 8),
    column: "credited",
    value: (row) => row.payment_account?.uuid ?? "",
  },
  { name: "reference", title: "deposit.column.reference", column: "reference", value: (row) => row.reference_no ?? "" },
  merchant,
];
