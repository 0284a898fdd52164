import type { PayingAccount } from "../../../contract/transactions.ts";
import { shownAmounts } from "../../kit/look/amounts.ts";
import { CommandKey } from "../../kit/look/command-button.tsx";
import { Icon } from "../../kit/look/icon.tsx";
import { useText } from "../../kit/texts/texts.ts";
import { Room } from "../../transactions/room.tsx";

/** Accounts that may not pay shown at most, with why. */
const unfitShown = 2;

/** The account that would pay, what else may, and why others may not. */
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
      {fit.slice(0, 3).map((account) => (
        <div key={account.uuid} className="ln">
          <bdi className="mono strong">{account.code}</bdi>
          <bdi className="t2 cut">{account.holder}</bdi>
          {account.critical && <span className="tag warn">{t("payment-account.state.critical")}</span>}
          {account.suggested && <span className="tag end">{t("withdrawal.detail.suggested")}</span>}
          {account.daily_limit !== null && <Room used={account.daily_used} limit={account.daily_limit} of="day" end={!account.suggested} />}
        </div>
      ))}
      {unfit.slice(0, unfitShown).map((account) => {
        const why = account.unfit === null ? "" : t(`unfit.${account.unfit.code}`, shownAmounts(account.unfit.values));
        return (
          <div key={account.uuid} className="ck">
            <Icon name="cross" className="t3" />
            <span>
              <bdi className="mono">{account.code}</bdi>
            </span>
            <b title={why}>
              <bdi>{why}</bdi>
            </b>
          </div>
        );
      })}
    </section>
  );
}
