import { isOpen } from "../../../contract/transactions.ts";
import type { Withdrawal } from "../../../contract/withdrawals.ts";
import { groupedNumber } from "../../kit/look/account-number.ts";
import type { GridColumn } from "../../kit/grid/grid-column.ts";
import { text } from "../../kit/texts/texts.ts";
import { writtenClass, writtenText } from "../../kit/look/written.ts";
import { claimColumn } from "../../transactions/claim-column.ts";
import type { DecisionColumnNeeds } from "../../transactions/claim-column.ts";
import { element } from "../../kit/grid/element.ts";
import { transactionColumns } from "../../transactions/columns.ts";
import { flagsColumn } from "../../transactions/flags-column.ts";
import { recordColumns } from "../../transactions/record-columns.ts";
import { usedHue, usedShare } from "../../kit/look/used-bar.tsx";

export function withdrawalColumns(needs: DecisionColumnNeeds): readonly GridColumn<Withdrawal>[] {
  const { formats, room, time } = needs;
  const shared = transactionColumns(needs);
  const narrow = room === "narrow";
  const isWide = room === "wide";
  const isDecided = time === "created";
  return [
    shared.status,
    shared.age,
    shared.created,
    shared.amount,
    shared.fee,
    shared.final,
    shared.customer,
    {
      id: "bank",
      titleKey: "withdrawal.column.bank",
      width: 132,
      whole: true,
      paintRoom: 6,
      cell: { field: "bank_end", as: "text" },
      text: (row) => `${row.bank} ${row.account_number.slice(-4)}`,
      paint(cell) {
        const setBank = writtenText(element("bdi", "grow cut t2", cell));
        const setEnd = writtenText(element("bdi", "l4", cell));
        return (row) => {
          setBank(row.bank);
          setEnd(row.account_number.slice(-4));
        };
      },
    },
    shared.merchant,
    {
      id: "paying",
      titleKey: "withdrawal.column.paying",
      width: narrow ? 104 : 124,
      paintRoom: 50,
      cell: { field: "paying_account.code", as: "text" },
      text: (row) => row.paying_account?.code ?? text("withdrawal.no-account"),
      className: (row) => (row.paying_account?.critical === true && isOpen(row) ? "warn" : ""),
      hint: (row) =>
        row.paying_account?.critical === true && isOpen(row) ? text("withdrawal.pays-critical", { account: row.paying_account.code }) : "",
      paint(cell) {
        const setCode = writtenText(element("bdi", "mono", cell));
        const bar = element("span", "room", cell);
        const fill = element("i", "", bar);
        const setClass = writtenClass(bar);
        let shown: number | null | undefined;
        return (row) => {
          const account = row.paying_account;
          setCode(account?.code ?? "–");
          const share = account?.limit ? usedShare(account.used, account.limit) : null;
          if (share === shown) return;
          shown = share;
          bar.hidden = share === null;
          if (share === null) return;
          setClass(`room ${usedHue(share)}`);
          fill.style.setProperty("--v", `${share}%`);
          bar.title = text("transaction.used-share.day", { percent: Math.round(share) });
        };
      },
    },
    flagsColumn<Withdrawal>({
      titleKey: "withdrawal.column.flags",
      aside: isDecided && !isWide,
      t: needs.t,
      wordOf: (flag) => text(`withdrawal.flag.${flag}`),
      words: "withdrawal.flag.",
      iconOf: (flag) => `flag-${flag}`,
      tones: { "first-payee": "", returned: "", exported: "", limit: "fail" },
    }),
    shared.txn,
    claimColumn(needs),
    accountColumn,
    ...recordColumns(formats),
  ];
}

/** Whole, where the bank's column has its end only. */
const accountColumn: GridColumn<Withdrawal> = {
  id: "account",
  titleKey: "withdrawal.column.account",
  width: 140,
  mono: true,
  aside: true,
  cell: { field: "account_number", as: "text" },
  text: (row) => row.account_number,
  shown: (row) => groupedNumber(row.account_number),
};
