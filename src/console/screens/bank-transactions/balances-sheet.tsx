import { useRef, useState } from "react";
import type { StatementBalance } from "../../../contract/bank-transactions.ts";
import { bankTransactionRoutes as routes } from "../../../contract/bank-transaction-routes.ts";
import { money } from "../../../values/money.ts";
import { Instant } from "../../api/instant.tsx";
import { useRead } from "../../api/use-api.ts";
import { Amount } from "../../kit/look/amount.tsx";
import { Icon } from "../../kit/look/icon.tsx";
import { SheetFrame } from "../../kit/sheets/sheet-frame.tsx";
import { useText } from "../../kit/texts/texts.ts";
import { Explained } from "./difference-explained.tsx";
import { ReadState } from "./read-sheet.tsx";
import { useRowArrows } from "../../kit/sheets/use-row-arrows.ts";

/** Each account's closing at the bank beside the ledger's, and of the one that is opened what explains the difference. */
export function BalancesSheet({ onClose }: { onClose(): void }) {
  const t = useText();
  const body = useRef<HTMLDivElement>(null);
  const arrows = useRowArrows(body);
  const read = useRead(routes.listStatementBalances, {});
  const balances = read.data?.data;
  const [open, setOpen] = useState<string | null>(null);
  return (
    <SheetFrame
      wide
      first={body}
      dialog={{ name: "form", aimless: true, acts: { confirm: onClose, close: onClose, toggle: () => undefined } }}
      title={t("statement-balance.title")}
    >
      <div className="statements" ref={body} tabIndex={-1} {...arrows}>
        <p className="t2">{t("statement-balance.about")}</p>
        {balances === undefined && <ReadState read={read} />}
        {balances?.length === 0 && <p className="t3">{t("statement-balance.none")}</p>}
        {balances !== undefined && balances.length > 0 && (
          <table className="tbl">
            <thead>
              <tr>
                <th scope="col">{t("bank-line.field.payment_account")}</th>
                <th scope="col">{t("statement-balance.at")}</th>
                <th scope="col" className="figure">
                  {t("statement-balance.bank")}
                </th>
                <th scope="col" className="figure">
                  {t("statement-balance.ledger")}
                </th>
                <th scope="col" className="figure">
                  {t("statement-balance.difference")}
                </th>
              </tr>
            </thead>
            <tbody>
              {balances.map((balance) => (
                <Balance
                  key={balance.payment_account.uuid}
                  balance={balance}
                  isOpen={open === balance.payment_account.uuid}
                  onToggle={() => setOpen(open === balance.payment_account.uuid ? null : balance.payment_account.uuid)}
                />
              ))}
            </tbody>
          </table>
        )}
      </div>
    </SheetFrame>
  );
}

function Balance({ balance, isOpen, onToggle }: { balance: StatementBalance; isOpen: boolean; onToggle(): void }) {
  const { payment_account: account, time, bank_balance, ledger_balance, difference } = balance;
  const agrees = money(difference) === 0n;
  return (
    <>
      <tr>
        <th scope="row" aria-label={account.code}>
          <button type="button" className="btn bare" aria-expanded={isOpen} onClick={onToggle}>
            <bdi className="mono strong">{account.code}</bdi> <bdi className="t2">{account.bank}</bdi>
          </button>
        </th>
        <td>
          <Instant at={time} />
        </td>
        <td className="figure">
          <Amount text={bank_balance} />
        </td>
        <td className="figure">
          <Amount text={ledger_balance} />
        </td>
        <td className={agrees ? "figure pass" : "figure warn"}>
          <span className="sum">
            {agrees && <Icon name="tick" size="xs" />}
            <Amount text={difference} />
          </span>
        </td>
      </tr>
      {isOpen && (
        <tr className="explained">
          <td colSpan={5}>
            <Explained account={account.uuid} />
          </td>
        </tr>
      )}
    </>
  );
}
