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
    pattern: /^(me|[0-9a-f-]{36})$/,
    optionsOf(rows) {
      const holders = new Map(rows.flatMap(({ claim }) => (claim === null ? [] : [[claim.user, claim.name] as const])));
      const sorted = [...holders].toSorted(([, one], [, other]) => (one < other ? -1 : 1));
      return [{ id: "me", label: text("query.me"), note: "" }, ...sorted.map(([id, label]) => ({ id, label, note: "" }))];
    },
    wordOf: (id, rows) => (id === "me" ? text("query.me") : (rows.find(({ claim }) => claim?.user === id)?.claim?.name ?? id.slice(0, 8))),
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
} as const satisfies Readonly<Record<string, ListFilter<DecisionRow>>>;
