import { shownAmount } from "../../kit/look/amounts.ts";
import type { GridColumn } from "../../kit/grid/grid-column.ts";
import { paintStatus } from "../../kit/look/status.tsx";
import { text } from "../../kit/texts/texts.ts";
import type { FakeWithdrawal } from "./fake-withdrawals.ts";

export function practiceColumns(): readonly GridColumn<FakeWithdrawal>[] {
  return [
    {
      id: "status",
      titleKey: "transaction.column.status",
      width: 108,
      paintRoom: 18,
      text: (row) => text(`status.${row.status}`),
      paint(cell) {
        const write = paintStatus(cell);
        return (row) => write(row.status);
      },
    },
    {
      id: "amount",
      titleKey: "transaction.column.amount",
      width: 96,
      align: "end",
      className: () => "strong",
      text: (row) => shownAmount(row.amount),
    },
    { id: "customer", titleKey: "transaction.column.customer", width: 160, minWidth: 100, grow: 1, text: (row) => row.customer_name },
    { id: "bank", titleKey: "withdrawal.column.bank", width: 120, className: () => "t2", text: (row) => row.bank },
    { id: "merchant", titleKey: "transaction.column.merchant", width: 120, className: () => "t2", text: (row) => row.merchant },
    { id: "txn", titleKey: "transaction.column.txn", width: 140, mono: true, text: (row) => row.txn_no },
  ];
}
