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
    record: { to: "payment-accounts", of: ({ payment_account: account }) => account && { ...account, name: account.code } },
    column: "credited",
    value: (row) => row.payment_account?.uuid ?? "",
  },
  { name: "reference", title: "deposit.column.reference", column: "reference", value: (row) => row.reference_no ?? "" },
  merchant,
];
