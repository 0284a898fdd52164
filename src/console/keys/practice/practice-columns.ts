import { shownAmount } from "../../kit/amounts.ts";
import type { GridColumn } from "../../kit/grid/grid-column.ts";
import { paintStatus } from "../../kit/status.tsx";
import { text } from "../../kit/texts.ts";
import type { FakeWithdrawal } from "./fake-withdrawals.ts";

export function practiceColumns(): readonly GridColumn<FakeWithdrawal>[] {
  return [
    {
      id: "status",
      titleKey: "withdrawal.column.status",
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
      titleKey: "withdrawal.column.amount",
      width: 96,
      align: "end",
      className: () => "strong",
      text: (row) => shownAmount(row.amount),
    },
    { id: "customer", titleKey: "withdrawal.column.customer", width: 160, minWidth: 100, grow: 1, text: (row) => row.customer_name },
    { id: "bank", titleKey: "withdrawal.column.bank", width: 120, className: () => "t2", text: (row) => row.bank },
    { id: "merchant", titleKey: "withdrawal.column.merchant", width: 120, className: () => "t2", text: (row) => row.merchant },
    { id: "txn", titleKey: "withdrawal.column.txn", width: 140, mono: true, text: (row) => row.txn_no },
  ];
}
