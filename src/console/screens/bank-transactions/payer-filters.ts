import type { Payer } from "../../../contract/bank-transactions.ts";
import { payerColumns } from "../../../contract/bank-transactions.ts";
import { text } from "../../kit/texts/texts.ts";
import type { ListFilter } from "../../lists/filters.ts";

/** What the known payers can be asked for. */
export const payerFilters: readonly ListFilter<Payer>[] = [
  { name: "q", title: "payer.find" },
  {
    name: "status",
    title: "bank-line.field.status",
    choices: payerColumns.status.of,
    wordOf: (status) => text(status === "revoked" ? "status.revoked" : "status.active"),
  },
  { name: "name", title: "bank-line.field.name" },
  { name: "member", title: "transaction.filter.member" },
  { name: "last_at", title: "payer.last", as: "time" },
  { name: "created_at", title: "bank-line.field.created_at", as: "time" },
];
