import { useRef } from "react";
import type { z } from "zod";
import { isOpen } from "../../contract/transactions.ts";
import type { MoneyLine, Transaction } from "../../contract/transactions.ts";
import type { TransferDetail } from "../../contract/transfers.ts";
import { money } from "../../values/money.ts";
import { useFormats } from "../api/use-api.ts";
import { Amount } from "../kit/look/amount.tsx";
import { shownAmount } from "../kit/look/amounts.ts";
import { useStacked } from "../kit/look/use-stacked.ts";
import { useText } from "../kit/texts/texts.ts";

type Line = z.infer<typeof MoneyLine> | TransferDetail["money"][number];

/** What each account has before and after the decision. */
export function Money({ row, lines }: { row: Transaction; lines: readonly z.infer<typeof MoneyLine>[] }) {
  const t = useText();
  const formats = useFormats();
  if (lines.length === 0) return null;
  // what the bank will take is known of the account that would pay, before the row itself is charged
  const charges = isOpen(row) ? (lines.find(({ account }) => account === "bank-charges")?.change ?? row.charges) : row.charges;
  return (
    <section className="sec">
      <h2>
        {t("transaction.detail.money")}
        <span className="end">
          {t("transaction.detail.fee", {
            fee: formats.amount(row.fee),
            charges: formats.amount(charges),
            by: t(`transaction.borne.${row.charges_borne_by}`),
          })}
        </span>
      </h2>
      <MoneyTable lines={lines} />
    </section>
  );
}

/** Accounts of the ledger before, by how much, and after. */
export function MoneyTable({ lines }: { lines: readonly Line[] }) {
  const t = useText();
  const table = useRef<HTMLTableElement>(null);
  useStacked(table, lines);
  return (
    <table ref={table} className="tbl">
      <thead>
        <tr>
          <th>
            <span className="sr">{t("transaction.detail.money")}</span>
          </th>
          <th>{t("transaction.detail.before")}</th>
          <th>{t("transaction.detail.change")}</th>
          <th>{t("transaction.detail.after")}</th>
        </tr>
      </thead>
      <tbody>
        {lines.map((line) => (
          <tr key={`${line.account} ${line.label}`}>
            <td>
              {line.account === "payment-account" ? <bdi className="mono">{line.label}</bdi> : t(`transaction.money.${line.account}`)}
            </td>
            <td className="t2">
              <Amount text={line.before} />
            </td>
            <td>
              <bdi>{signed(line.change)}</bdi>
            </td>
            <td>
              <span className="strong">
                <Amount text={line.after} />
              </span>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** −4,852.00 for what leaves, +12.00 for what comes. */
function signed(amount: string): string {
  const shown = shownAmount(amount);
  return money(amount) > 0n ? `+${shown}` : shown;
}
