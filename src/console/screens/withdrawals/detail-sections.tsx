import { CommandKey } from "../../kit/command-button.tsx";
import type { z } from "zod";
import type { Check, PayingAccount, RelatedTransaction } from "../../../contract/transactions.ts";
import { isOpen } from "../../../contract/transactions.ts";
import type { Withdrawal, WithdrawalDetail } from "../../../contract/withdrawals.ts";
import { Instant } from "../../api/instant.tsx";
import { useApi, useFormats } from "../../api/use-api.ts";
import { Amount } from "../../kit/amount.tsx";
import { checkGlyphs, checkTones } from "../../kit/check-marks.ts";
import { Icon } from "../../kit/icon.tsx";
import type { MessageKey } from "../../kit/messages.ts";
import { Status } from "../../kit/status.tsx";
import { useText } from "../../kit/texts.ts";
import { checkLine, signed, unfitLine } from "./check-lines.ts";
import { roomClass, usedShare } from "./columns.ts";

const order = { fail: 0, warn: 1, unknown: 2, notice: 3, pass: 4 } as const;

export function Checks({ checks }: { checks: readonly Check[] }) {
  const t = useText();
  const count = (result: Check["result"]) => checks.filter((check) => check.result === result).length;
  const sorted = checks.toSorted((a, b) => order[a.result] - order[b.result]);
  return (
    <section className="sec">
      <h2>
        {t("withdrawal.detail.checks")}
        <span className="end">
          {(["pass", "notice", "warn", "fail", "unknown"] as const).map((result) => (
            <span key={result} className={count(result) > 0 ? checkTones[result] : ""}>
              <Icon name={checkGlyphs[result]} />
              {count(result)}
              <span className="sr">{t(`check.result.${result}`)}</span>
            </span>
          ))}
        </span>
      </h2>
      {sorted.map((check) => {
        const { title, value } = checkLine(check, t);
        const tinted = check.result === "warn" || check.result === "fail" ? ` is-${check.result}` : "";
        return (
          <div key={check.name} className={`ck${tinted}`}>
            <Icon name={checkGlyphs[check.result]} className={checkTones[check.result]} />
            <span>
              <span className="sr">{t(`check.result.${check.result}`)}: </span>
              {title}
            </span>
            <b title={value}>
              <bdi>{value}</bdi>
            </b>
          </div>
        );
      })}
    </section>
  );
}

/** Accounts that may not pay shown at most, with why. */
const unfitShown = 2;

export function PaysFrom({ accounts }: { accounts: readonly PayingAccount[] }) {
  const t = useText();
  const fit = accounts.filter((account) => account.unfit === null);
  const unfit = accounts.filter((account) => account.unfit !== null && account.unfit.code !== "purpose" && account.unfit.code !== "method");
  return (
    <section className="sec">
      <h2>
        {t("withdrawal.detail.pays-from")}
        <span className="end">
          {t("withdrawal.detail.other-account")} <CommandKey id="withdrawal.approve-with" />
        </span>
      </h2>
      {fit.length === 0 && (
        <div className="ck is-fail">
          <Icon name="cross" className="fail" />
          <span>{t("withdrawal.detail.no-fit")}</span>
        </div>
      )}
      {fit.slice(0, 3).map((account) => {
        const share = account.daily_limit === null ? null : usedShare(account.daily_used, account.daily_limit);
        return (
          <div key={account.uuid} className="ln">
            <bdi className="mono strong">{account.code}</bdi>
            <span className="t2 cut">{account.holder}</span>
            {account.critical && <span className="tag warn">{t("payment-account.state.critical")}</span>}
            {account.suggested && <span className="tag end">{t("withdrawal.detail.suggested")}</span>}
            {share !== null && (
              <span
                className={`${roomClass(share)} wide${account.suggested ? "" : " end"}`}
                title={t("withdrawal.used-share", { percent: Math.round(share) })}
              >
                <i style={{ "--v": `${share}%` }} />
              </span>
            )}
          </div>
        );
      })}
      {unfit.slice(0, unfitShown).map((account) => (
        <div key={account.uuid} className="ck">
          <Icon name="cross" className="t3" />
          <span>
            <bdi className="mono">{account.code}</bdi>
          </span>
          <b title={unfitLine(account, t)}>
            <bdi>{unfitLine(account, t)}</bdi>
          </b>
        </div>
      ))}
    </section>
  );
}

export function Money({ row, lines }: { row: Withdrawal; lines: WithdrawalDetail["money"] }) {
  const t = useText();
  const formats = useFormats();
  if (lines.length === 0) return null;
  // what the bank will take is known of the account that would pay, before the row itself is charged
  const charges = isOpen(row) ? (lines.find(({ account }) => account === "bank-charges")?.change ?? row.charges) : row.charges;
  return (
    <section className="sec">
      <h2>
        {t("withdrawal.detail.money")}
        <span className="end">
          {t("withdrawal.detail.fee", {
            fee: formats.amount(row.fee),
            charges: formats.amount(charges),
            by: t(`withdrawal.borne.${row.charges_borne_by}`),
          })}
        </span>
      </h2>
      <table className="tbl">
        <thead>
          <tr>
            <th>
              <span className="sr">{t("withdrawal.detail.money")}</span>
            </th>
            <th>{t("withdrawal.detail.before")}</th>
            <th>{t("withdrawal.detail.change")}</th>
            <th>{t("withdrawal.detail.after")}</th>
          </tr>
        </thead>
        <tbody>
          {lines.map((line) => (
            <tr key={line.account}>
              <td>
                {line.account === "payment-account" ? <bdi className="mono">{line.label}</bdi> : t(`withdrawal.money.${line.account}`)}
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
    </section>
  );
}

export function Related({
  title,
  rows,
  total,
}: {
  title: MessageKey;
  rows: readonly z.infer<typeof RelatedTransaction>[];
  total: WithdrawalDetail["customer_total"] | null;
}) {
  const t = useText();
  const formats = useFormats();
  const { time } = useApi();
  const today = formats.day(time.now());
  return (
    <section className="sec">
      <h2>
        {t(title)}
        <span className="end">
          <bdi>{total === null ? rows.length : `${total.count} · ${formats.amount(total.amount)}`}</bdi>
        </span>
      </h2>
      {rows.length === 0 && <p className="ln t3">{t("withdrawal.detail.first-of-customer")}</p>}
      {rows.map((row) => (
        <div key={row.uuid} className="ln">
          <span className="of-status">
            <Status status={row.status} />
          </span>
          <bdi className="id">
            …<b>{row.txn_no.slice(-6)}</b>
          </bdi>
          <span className="t3">
            <Instant at={row.created_at} as={formats.day(row.created_at) === today ? "clock" : "day"} />
          </span>
          <span className="num">
            <Amount text={row.amount} />
          </span>
        </div>
      ))}
    </section>
  );
}
