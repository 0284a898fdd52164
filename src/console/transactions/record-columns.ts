import type { Transaction } from "../../contract/transactions.ts";
import type { Formats } from "../api/formats.ts";
import { instantTitle } from "../api/instant.tsx";
import type { GridColumn } from "../kit/grid/grid-column.ts";
import { text } from "../kit/texts/texts.ts";
import { reasonName } from "./reason-name.ts";

type Column = GridColumn<Transaction>;

/** "last-action" → "last_action". */
const nameOf = (id: string): string => id.replaceAll("-", "_");

/** A time of the record, in full. */
function timeColumn(
  id: "created" | "payment-date" | "processed" | "approved" | "rejected" | "expired" | "completed" | "last-action",
  formats: Formats,
  read: (row: Transaction) => string | null,
): Column {
  return {
    id,
    titleKey: `transaction.column.${id}`,
    width: 156, // whole in the Arabic face, too
    whole: true,
    className: () => "t2",
    cell: { field: id === "payment-date" ? "payment_date" : `${nameOf(id)}_at`, as: "time" },
    text: (row) => formats.time(read(row)),
    time: read,
    hint(row) {
      const at = read(row);
      return at === null ? "" : instantTitle(formats, at, "whole");
    },
  };
}

export const createdColumn = (formats: Formats): Column => timeColumn("created", formats, (row) => row.created_at);

/** Who did what when, and the numbers others know the transaction by: chosen where wanted, and in every copy of a row and every file. */
export function recordColumns(formats: Formats): readonly Column[] {
  const person = (
    id: "processed-by" | "approved-by" | "rejected-by" | "last-action-by",
    read: (row: Transaction) => { name: string } | null,
  ): Column => ({
    id,
    titleKey: `transaction.column.${id}`,
    width: 120,
    cell: { field: `${nameOf(id)}.name`, as: "text" },
    text: (row) => read(row)?.name ?? "",
  });
  const amount = (id: "charges" | "previous", read: (row: Transaction) => string | null): Column => ({
    id,
    titleKey: `transaction.column.${id}`,
    width: 112,
    align: "end",
    className: () => "t2",
    cell: { field: id === "previous" ? "previous_balance" : id, as: "amount" },
    text: (row) => (read(row) === null ? "" : formats.amount(read(row))),
    amount: read,
  });
  const columns: readonly Column[] = [
    { id: "member", titleKey: "transaction.column.member", width: 104, text: (row) => row.member },
    {
      id: "merchant-number",
      titleKey: "transaction.column.merchant-number",
      width: 136,
      mono: true,
      cell: { field: "merchant_txn_no", as: "text" },
      text: (row) => row.merchant_txn_no ?? "",
    },
    {
      id: "reference",
      titleKey: "transaction.column.reference",
      width: 136,
      mono: true,
      cell: { field: "reference_no", as: "text" },
      text: (row) => row.reference_no ?? "",
    },
    {
      id: "source",
      titleKey: "transaction.column.source",
      width: 120,
      cell: { field: "source", as: "choice", words: ["transaction.source."] },
      text: (row) => text(`transaction.source.${row.source}`),
    },
    timeColumn("payment-date", formats, (row) => row.payment_date),
    timeColumn("processed", formats, (row) => row.processed_at),
    person("processed-by", (row) => row.processed_by),
    timeColumn("approved", formats, (row) => row.approved_at),
    person("approved-by", (row) => row.approved_by),
    timeColumn("rejected", formats, (row) => row.rejected_at),
    person("rejected-by", (row) => row.rejected_by),
    {
      id: "reason",
      titleKey: "transaction.column.reason",
      width: 140,
      cell: { field: "reject_reason", as: "choice", words: ["reason."] },
      text: (row) => (row.reject_reason === null ? "" : reasonName(row.reject_reason)),
    },
    timeColumn("expired", formats, (row) => row.expired_at),
    timeColumn("completed", formats, (row) => row.completed_at),
    timeColumn("last-action", formats, (row) => row.last_action_at),
    person("last-action-by", (row) => row.last_action_by),
    amount("charges", (row) => row.charges),
    {
      id: "charges-type",
      titleKey: "transaction.column.charges-type",
      width: 120,
      cell: { field: "charges_type", as: "choice", words: ["transaction.charges-type."] },
      text: (row) => text(`transaction.charges-type.${row.charges_type}`),
    },
    amount("previous", (row) => row.previous_balance),
    { id: "remark", titleKey: "transaction.column.remark", width: 160, text: (row) => row.remark ?? "" },
  ];
  return columns.map((column) => ({ ...column, aside: true }));
}
