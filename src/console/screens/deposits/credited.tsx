import type { CreditedAccount } from "../../../contract/deposits.ts";
import { groupedNumber } from "../../kit/look/account-number.ts";
import { Amount } from "../../kit/look/amount.tsx";
import { shownAmount } from "../../kit/look/amounts.ts";
import { useText } from "../../kit/texts/texts.ts";
import { Room } from "../../transactions/room.tsx";

/** The account the money comes to, and how much of its limits is used with it. */
export function Credited({ account, open }: { account: CreditedAccount; open: boolean }) {
  const t = useText();
  const limits = [
    { of: "day", used: account.daily_used, limit: account.daily_limit },
    { of: "month", used: account.monthly_used, limit: account.monthly_limit },
  ] as const;
  return (
    <section className="sec credited">
      <h2>
        {t("deposit.detail.credited")}
        {account.status !== "active" && (
          <span className="end">
            <span className="tag warn">{t(`status.${account.status}`)}</span>
          </span>
        )}
      </h2>
      <div className="ln">
        <bdi className="mono strong">{account.code}</bdi>
        <bdi className="t2 cut">{account.holder}</bdi>
        {account.critical && <span className="tag warn">{t("payment-account.state.critical")}</span>}
        <bdi className="mono end">{groupedNumber(account.account_number)}</bdi>
      </div>
      {open &&
        limits.map(({ of, used, limit }) =>
          limit === null ? null : (
            <div key={of} className="ln">
              <span className="name t3">{t(`deposit.detail.${of}`)}</span>
              <span className="t2">
                <Amount text={used} /> / <bdi>{shownAmount(limit)}</bdi>
              </span>
              <Room used={used} limit={limit} of={of} />
            </div>
          ),
        )}
    </section>
  );
}
