import type { PayoutPlan } from "../../../contract/payouts.ts";
import { useText } from "../../kit/texts/texts.ts";
import { shownAmount } from "../../kit/look/amounts.ts";

/** What the list comes to, beneath it. */
export function ComposerTotal({ plan }: { plan: PayoutPlan }) {
  const t = useText();
  const { placed, cannot, left_out } = plan;
  const sameBank = plan.rows.filter(({ ground }) => ground === "same-bank").length;
  const others = [
    ...(cannot.count > 0 ? [t("payout.total.cannot", { count: cannot.count })] : []),
    ...(left_out.count > 0 ? [t("payout.total.left-out", { count: left_out.count })] : []),
    ...(sameBank > 0 ? [t("payout.total.same-bank", { count: sameBank, of: placed.count })] : []),
  ];
  return (
    <div className="composer-total">
      <b>
        <bdi>{shownAmount(placed.amount)}</bdi>
      </b>
      <b>
        <bdi>{shownAmount(placed.charges)}</bdi>
      </b>
      <span>
        <b>
          {t("payout.count", { count: placed.count })} · {t("payout.accounts-of", { count: placed.accounts })}
        </b>{" "}
        <span className="t2">{others.join(" · ")}</span>
      </span>
    </div>
  );
}
