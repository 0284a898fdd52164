import type { Check, PayingAccount } from "../../../contract/transactions.ts";
import { checkGlyphs, checkTones } from "../../kit/look/check-marks.ts";
import { CommandKey } from "../../kit/look/command-button.tsx";
import { Icon } from "../../kit/look/icon.tsx";
import { useText } from "../../kit/texts/texts.ts";
import { checkLine, unfitLine } from "./check-lines.ts";
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
            <bdi className="t2 cut">{account.holder}</bdi>
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
