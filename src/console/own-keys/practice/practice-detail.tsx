import { groupedNumber } from "../../kit/look/account-number.ts";
import { shownAmount } from "../../kit/look/amounts.ts";
import { checkGlyphs, checkTones } from "../../kit/look/check-marks.ts";
import { CommandButton } from "../../kit/look/command-button.tsx";
import { Icon } from "../../kit/look/icon.tsx";
import { Status } from "../../kit/look/status.tsx";
import { StrongEnd } from "../../kit/look/strong-end.tsx";
import { useText } from "../../kit/texts/texts.ts";
import { useKit } from "../../kit/use-kit.ts";
import { checksOf } from "./fake-withdrawals.ts";
import type { CheckLine, FakeWithdrawal } from "./fake-withdrawals.ts";

/** A record as the withdrawals screen shows it: payee, checks, and commands with their keys. */
export function PracticeDetail({ row }: { row: FakeWithdrawal | null }) {
  const t = useText();
  const { context } = useKit();
  return (
    <aside className="detail" aria-label={t("pane.detail")}>
      <div className="body" tabIndex={-1}>
        {row !== null && (
          <>
            <div className="decide">
              <div className="top">
                <Status status={row.status} />
                {row.claimed && <span className="tag acc">{t("transaction.you")}</span>}
                <span className="end">
                  <StrongEnd id={row.txn_no} />
                </span>
              </div>
              <div className="amt">
                <bdi>{shownAmount(row.amount)}</bdi>
                <small>{context.read().currency}</small>
              </div>
              <div className="payee cut">
                <bdi>{row.holder}</bdi>
              </div>
              <div className="acct">
                <span className="t2 cut">{row.bank}</span>
                <bdi className="mono pan">{groupedNumber(row.account_number)}</bdi>
              </div>
              <div className="acct small t3">
                <span className="t2 cut">{row.merchant}</span>
                <span>·</span>
                <bdi className="cut">{row.customer_name}</bdi>
              </div>
            </div>
            <section className="sec">
              <h2>{t("transaction.detail.checks")}</h2>
              {checksOf(row).map((check) => (
                <Check key={check.name} check={check} />
              ))}
            </section>
          </>
        )}
      </div>
      <div className="acts">
        <div className="bar">
          <CommandButton id="withdrawal.approve" look="go">
            {t("transaction.acts.approve")}
          </CommandButton>
          <CommandButton id="withdrawal.reject" look="no">
            {t("transaction.acts.reject")}
          </CommandButton>
          <CommandButton id="withdrawal.defer">{t("transaction.acts.defer")}</CommandButton>
          <CommandButton id="withdrawal.take-next">{t("transaction.acts.next")}</CommandButton>
        </div>
      </div>
    </aside>
  );
}

function Check({ check: { name, result, value } }: { check: CheckLine }) {
  const t = useText();
  const shown =
    name === "same-payee"
      ? value === "0"
        ? t("check.none")
        : t("practice.check.duplicate")
      : value === ""
        ? t("practice.check.waits")
        : value;
  return (
    <div className={result === "fail" ? "ck is-fail" : "ck"}>
      <Icon name={checkGlyphs[result]} className={checkTones[result]} />
      <span>
        <span className="sr">{t(`check.result.${result}`)}: </span>
        {t(`check.${name}`, { account: "MBB-01", hours: 24 })}
      </span>
      <b title={shown}>
        <bdi>{shown}</bdi>
      </b>
    </div>
  );
}
