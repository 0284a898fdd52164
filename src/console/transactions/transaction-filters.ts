import type { DecisionRow } from "../../contract/decisions.ts";
import type { TransactionStatus } from "../../contract/transactions.ts";
import { answers, transactionStatuses } from "../../contract/transactions.ts";
import { text } from "../kit/texts/texts.ts";
import type { ListFilter } from "../lists/filters.ts";

/** What any list of transactions can be filtered by; the kind of transaction decides over their order and adds its own. */
export const transactionFilters = {
  search: { name: "q", title: "record.filter.q", column: "txn", value: (row) => row.txn_no },
  status: {
    name: "status",
    title: "transaction.column.status",
    choices: transactionStatuses,
    wordOf: (status) => text(`status.${status as TransactionStatus}`), // checked when the address was read
    column: "status",
    value: (row) => row.status,
  },
  amount: { name: "amount", title: "transaction.column.amount", as: "amount", column: "amount", value: (row) => row.amount },
  created: { name: "created", title: "transaction.filter.created", as: "time", column: "age", value: (row) => row.created_at },
  approved: { name: "approved", title: "transaction.filter.approved", as: "time", value: (row) => row.approved_at ?? "" },
  claimed: {
    name: "claimed",
    title: "transaction.filter.claimed",
    choices: answers,
    wordOf: (answer) => text(`form.given.${answer as (typeof answers)[number]}`), // checked when the address was read
    column: "claim",
    value: (row) => (row.claim === null ? "no" : "yes"),
  },
  claimedBy: {
    name: "claimed_by",
    title: "transaction.filter.claimed-by",
    record: { me: true, of: ({ claim }) => claim && { uuid: claim.user, name: claim.name, code: null } },
  },
  customer: {
    name: "customer",
    field: "customer_name",
    title: "transaction.column.customer",
    column: "customer",
    value: (row) => row.customer_name,
  },
  member: { name: "member", title: "transaction.filter.member", value: (row) => row.member },
  merchant: {
    name: "merchant",
    title: "transaction.column.merchant",
    record: { to: "merchants", of: ({ merchant }) => merchant },
    column: "merchant",
    value: (row) => row.merchant.uuid,
  },
} as const satisfies Readonly<Record<string, ListFilter<DecisionRow>>>;
