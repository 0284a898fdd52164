import type { Withdrawal } from "../../../contract/withdrawals.ts";
import type { Formats } from "../../api/formats.ts";
import { instantTitle } from "../../api/instant.tsx";
import { groupedNumber } from "../../kit/account-number.ts";
import type { GridColumn } from "../../kit/grid/grid-column.ts";
import { reasonName } from "./reason-name.ts";

type Column = GridColumn<Withdrawal>;

/** A time of the record, in full. */
function timeColumn(
  id: "created" | "processed" | "approved" | "rejected" | "expired" | "completed",
  formats: Formats,
  read: (row: Withdrawal) => string | null,
): Column {
  return {
    id,
    titleKey: `withdrawal.column.${id}`,
    width: 152,
    whole: true,
    className: () => "t2",
    text: (row) => formats.time(read(row)),
    time: read,
    hint(row) {
      const at = read(row);
      return at === null ? "" : instantTitle(formats, at, "whole");
    },
  };
}

export const createdColumn = (formats: Formats): Column => timeColumn("created", formats, (row) => row.created_at);

const accountColumn: Column = {
  id: "account",
  titleKey: "withdrawal.column.account",
  width: 140,
  mono: true,
  text: (row) => row.account_number,
  shown: (row) => groupedNumber(row.account_number),
};

/** Who did what when, and the numbers others know the withdrawal by: chosen where wanted, and in every copy of a row and every file. */
export function recordColumns(formats: Formats): readonly Column[] {
  const person = (id: "processed-by" | "approved-by" | "rejected-by", read: (row: Withdrawal) => { name: string } | null): Column => ({
    id,
    titleKey: `withdrawal.column.${id}`,
    width: 120,
    text: (row) => read(row)?.name ?? "",
  });
  const columns: readonly Column[] = [
    accountColumn,
    { id: "member", titleKey: "withdrawal.column.member", width: 104, text: (row) => row.member },
    {
      id: "merchant-number",
      titleKey: "withdrawal.column.merchant-number",
      width: 136,
      mono: true,
      text: (row) => row.merchant_txn_no ?? "",
    },
    { id: "reference", titleKey: "withdrawal.column.reference", width: 136, mono: true, text: (row) => row.reference_no ?? "" },
    timeColumn("processed", formats, (row) => row.processed_at),
    person("processed-by", (row) => row.processed_by),
    timeColumn("approved", formats, (row) => row.approved_at),
    person("approved-by", (row) => row.approved_by),
    timeColumn("rejected", formats, (row) => row.rejected_at),
    person("rejected-by", (row) => row.rejected_by),
    {
      id: "reason",
      titleKey: "withdrawal.column.reason",
      width: 140,
      text: (row) => (row.reject_reason === null ? "" : reasonName(row.reject_reason)),
    },
    timeColumn("expired", formats, (row) => row.expired_at),
    timeColumn("completed", formats, (row) => row.completed_at),
  ];
  return columns.map((column) => ({ ...column, aside: true }));
}
