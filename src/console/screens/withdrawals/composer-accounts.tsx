import { memo } from "react";
import type { PayoutAccount } from "../../../contract/payouts.ts";
import { money, moneyText } from "../../../values/money.ts";
import { shownAmount, shownAmounts } from "../../kit/look/amounts.ts";
import { useText } from "../../kit/texts/texts.ts";
import { share } from "./composer-rows.ts";

interface AccountProps {
  readonly account: PayoutAccount;
  readonly id: string;
  /** Empty: there are more accounts than keys. */
  readonly keyCap: string;
  /** It pays the line under the cursor. */
  readonly isHere: boolean;
  /** The keys act on it. */
  readonly isAimed: boolean;
}

const plus = (...amounts: readonly string[]): string => moneyText(amounts.reduce((all, amount) => all + money(amount), 0n));

/** A day's limit nine tenths used is near; so is a balance that leaves less than a quarter of the reserve above it. */
function warnings({ payable_after, reserve, daily_limit, daily_left_after }: PayoutAccount, isOff: boolean) {
  if (isOff) return { balance: undefined, day: undefined };
  const tightBalance = money(payable_after) * 4n < money(reserve);
  const tightDay = daily_limit !== null && daily_left_after !== null && money(daily_left_after) * 10n < money(daily_limit);
  return { balance: tightBalance ? "warn" : undefined, day: tightDay ? "warn" : undefined };
}

/** A paying account with what the plan leaves of its balance and its day. */
export const ComposerAccount = memo(function ComposerAccount({ account, id, keyCap, isHere, isAimed }: AccountProps) {
  const t = useText();
  const { code, bank, holder, count, amount, charges, balance, balance_after, hold, reserve, payable_after } = account;
  const isOff = account.left_out || (account.unfit !== null && count === 0);
  const tight = warnings(account, isOff);
  const leaves = plus(amount, charges);
  const paying = isHere ? "composer-part is-here" : "composer-part is-paid";
  const left = money(payable_after) > 0n ? payable_after : "0.00";
  const spoken = t("payout.account.balance-bar", {
    balance: shownAmount(balance),
    after: shownAmount(balance_after),
    reserve: shownAmount(reserve),
    hold: shownAmount(hold),
  });
  return (
    <div
      id={id}
      role="option"
      aria-selected={isAimed}
      tabIndex={-1}
      className={`composer-account${isHere ? " is-here" : ""}${isAimed ? " is-aimed" : ""}${isOff ? " is-off" : ""}`}
    >
      <div className="composer-name">
        {keyCap !== "" && <kbd>{keyCap}</kbd>}
        <bdi className="mono strong">{code}</bdi>
        <bdi className="t2">{bank}</bdi>
        <bdi className="t3 cut grow">{holder}</bdi>
        <AccountState account={account} />
      </div>
      <div className="composer-lefts">
        <span>
          <span>{t("payout.account.balance-after")}</span>
          <span>
            <b className={tight.balance}>
              <bdi>{shownAmount(balance_after)}</bdi>
            </b>{" "}
            <bdi>≥ {shownAmount(plus(reserve, hold))}</bdi>
          </span>
        </span>
        <span title={monthText(account, t)}>
          <span>{t("payout.account.day-after")}</span>
          {account.daily_limit === null ? (
            <span>{t("payout.account.no-limit")}</span>
          ) : (
            <span>
              <b className={tight.day}>
                <bdi>{shownAmount(account.daily_left_after)}</bdi>
              </b>{" "}
              <span className="composer-limit">{t("payout.account.of", { limit: shownAmount(account.daily_limit) })}</span>
            </span>
          )}
        </span>
        <span className="composer-bar" role="img" aria-label={spoken} title={spoken}>
          <i className="composer-part is-reserve" style={{ "--v": `${share(reserve, balance)}%` }} />
          <i className="composer-part" style={{ "--v": `${share(left, balance)}%` }} />
          <i className={paying} style={{ "--v": `${share(leaves, balance)}%` }} />
          <i className="composer-part is-held" style={{ "--v": `${share(hold, balance)}%` }} />
        </span>
        {account.daily_limit === null ? <span /> : <DayBar account={account} limit={account.daily_limit} paying={paying} />}
      </div>
    </div>
  );
});

function DayBar({ account, limit, paying }: { account: PayoutAccount; limit: string; paying: string }) {
  const t = useText();
  const { amount, daily_used, daily_left_after } = account;
  const used = share(daily_used, limit);
  const spoken = t("payout.account.day-bar", {
    used: shownAmount(daily_used),
    after: shownAmount(daily_left_after),
    limit: shownAmount(limit),
  });
  return (
    <span className="composer-bar" role="img" aria-label={spoken} title={spoken}>
      <i className={`composer-part is-held${used >= 100 ? " is-full" : used >= 90 ? " is-near" : ""}`} style={{ "--v": `${used}%` }} />
      <i className={paying} style={{ "--v": `${share(amount, limit)}%` }} />
    </span>
  );
}

function monthText({ monthly_limit, monthly_left_after }: PayoutAccount, t: ReturnType<typeof useText>): string | undefined {
  if (monthly_limit === null) return undefined;
  return t("payout.account.month-after", { left: shownAmount(monthly_left_after), limit: shownAmount(monthly_limit) });
}

/** What it pays, or why it pays nothing. */
function AccountState({ account: { left_out, unfit, critical, count, amount } }: { account: PayoutAccount }) {
  const t = useText();
  if (left_out) return <span className="tag">{t("payout.account.left-out")}</span>;
  if (count > 0)
    return (
      <span className="end">
        {critical && <span className="tag warn">{t("payment-account.state.critical")}</span>} <span className="t2">{count} ·</span>{" "}
        <b>
          <bdi>{shownAmount(amount)}</bdi>
        </b>
      </span>
    );
  if (unfit !== null)
    return (
      <span className="tag fail end">
        <bdi>{t(`unfit.${unfit.code}`, shownAmounts(unfit.values))}</bdi>
      </span>
    );
  return <span className="t3 end">{t("payout.account.none")}</span>;
}
