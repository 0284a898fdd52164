import type { Deposit } from "../../../contract/deposits.ts";
import { shownAmount } from "../../kit/look/amounts.ts";
import type { GridColumn } from "../../kit/grid/grid-column.ts";
import { titledWidth } from "../../kit/grid/title-width.ts";
import { iconElement } from "../../kit/look/icon-element.ts";
import { writtenText } from "../../kit/look/written.ts";
import { text } from "../../kit/texts/texts.ts";
import { claimColumn } from "../../transactions/claim-column.ts";
import type { DecisionColumnNeeds } from "../../transactions/claim-column.ts";
import { element } from "../../kit/grid/element.ts";
import { transactionColumns } from "../../transactions/columns.ts";
import { flagsColumn } from "../../transactions/flags-column.ts";
import { recordColumns } from "../../transactions/record-columns.ts";
import { waitsForUs } from "./waits-for-us.ts";

export function depositColumns(needs: DecisionColumnNeeds): readonly GridColumn<Deposit>[] {
  const { formats, room, time, t } = needs;
  const shared = transactionColumns({ ...needs, waits: waitsForUs });
  const isWide = room === "wide";
  const isDecided = time === "created";
  const differs = (row: Deposit): boolean => row.asked_amount !== null;
  return [
    shared.status,
    shared.age,
    shared.created,
    {
      ...shared.amount,
      className: (row) => (differs(row) ? "strong warn" : "strong"),
      hint: (row) => (row.asked_amount === null ? "" : text("deposit.asked-amount", { amount: shownAmount(row.asked_amount) })),
    },
    {
      id: "asked",
      titleKey: "deposit.column.asked",
      width: titledWidth(t("deposit.column.asked"), 88),
      align: "end",
      aside: !isWide,
      className: () => "t2",
      cell: { field: "asked_amount", as: "amount" },
      text: (row) => (row.asked_amount === null ? "" : formats.amount(row.asked_amount)),
      amount: (row) => row.asked_amount,
    },
    {
      id: "receive",
      titleKey: "transaction.column.receive",
      width: titledWidth(t("transaction.column.receive"), 96),
      align: "end",
      aside: !isWide || isDecided,
      className: () => "t2",
      cell: { field: "merchant_receive", as: "amount" },
      text: (row) => formats.amount(row.merchant_receive),
      amount: (row) => row.merchant_receive,
    },
    shared.customer,
    {
      id: "credited",
      titleKey: "deposit.column.credited",
      width: titledWidth(t("deposit.column.credited"), 96),
      mono: true,
      cell: { field: "payment_account.code", as: "text" },
      text: (row) => row.payment_account?.code ?? "",
    },
    {
      id: "reference",
      titleKey: "deposit.column.reference",
      width: 116,
      paintRoom: 20,
      cell: { field: "reference_no", as: "text" },
      text: (row) => row.reference_no ?? "",
      paint(cell) {
        const setReference = writtenText(element("bdi", "mono cut grow", cell));
        const receipt = cell.appendChild(iconElement("receipt", "icon size-s t3"));
        return (row) => {
          setReference(row.reference_no ?? "");
          receipt.style.display = row.has_receipt ? "" : "none";
        };
      },
    },
    shared.merchant,
    flagsColumn<Deposit>({
      titleKey: "deposit.column.flags",
      aside: isDecided && !isWide,
      t,
      wordOf: (flag) => text(`deposit.flag.${flag}`),
      words: "deposit.flag.",
      iconOf: (flag) => `flag-${flag}`,
      tones: { late: "", returned: "", limit: "fail", account: "fail" },
    }),
    shared.txn,
    claimColumn(needs),
    { ...shared.fee, aside: true },
    { ...shared.final, aside: true },
    ...recordColumns(formats).filter(({ id }) => id !== "reference"),
  ];
}
