import type { Deposit } from "../../../contract/deposits.ts";
import type { ListFilter } from "../../lists/filters.ts";
import { transactionFilters } from "../../transactions/transaction-filters.ts";

const { search, status, amount, created, approved, customer, member, merchant } = transactionFilters;

/** In the order of their chips. */
export const depositFilters: readonly ListFilter<Deposit>[] = [search, status, amount, created, approved, customer, member, merchant];
