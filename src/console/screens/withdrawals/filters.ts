import type { Withdrawal } from "../../../contract/withdrawals.ts";
import type { ListFilter } from "../../lists/filters.ts";
import { transactionFilters } from "../../transactions/transaction-filters.ts";

const { search, status, amount, created, approved, claimed, claimedBy, customer, member, merchant } = transactionFilters;

/** In the order of their chips. */
export const withdrawalFilters: readonly ListFilter<Withdrawal>[] = [
  search,
  status,
  amount,
  created,
  approved,
  claimed,
  claimedBy,
  customer,
  member,
  { name: "bank", title: "withdrawal.column.bank", column: "bank", longest: 60, value: (row) => row.bank },
  { name: "account", field: "account_number", title: "withdrawal.filter.account", longest: 40, value: (row) => row.account_number },
  merchant,
  // of a bulk file, as the audit log names it
  { name: "payout_file", title: "withdrawal.filter.payout-file", record: {} },
];
