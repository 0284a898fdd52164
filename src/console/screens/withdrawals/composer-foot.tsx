import type { PayoutPlan } from "../../../contract/payouts.ts";
import { formatCount } from "../../../values/counts.ts";
import { money, moneyText } from "../../../values/money.ts";
import { Icon } from "../../kit/look/icon.tsx";
import { shownAmount } from "../../kit/look/amounts.ts";
import { useText } from "../../kit/texts/texts.ts";
import { isPaid } from "./composer-plan.ts";
import type { ComposerState } from "./composer-work.ts";

/** What leaves the accounts, what it costs, and whose word it needs. */
export function ComposerSums({ plan, currency }: { plan: PayoutPlan; currency: string }) {
  const t = useText();
  const { placed, payable_after } = plan;
  return (
    <div className="composer-sums">
      <div>
        <span className="label">{t("payout.sum.leaves")}</span>
        <div className="composer-figure">
          <bdi>{shownAmount(moneyText(money(placed.amount) + money(placed.charges)))}</bdi> <small>{currency}</small>
        </div>
        <dl>
          <Line label={t("payout.count", { count: placed.count })} amount={placed.amount} />
          <Line label={t("payout.sum.charges")} amount={placed.charges} />
          <Line label={t("payout.sum.payable-after")} amount={payable_after} />
        </dl>
      </div>
      <div>
        <span className="label">{t("payout.sum.tier")}</span>
        <TierScale plan={plan} />
        <TierNote plan={plan} />
      </div>
    </div>
  );
}

function Line({ label, amount }: { label: string; amount: string }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>
        <bdi>{shownAmount(amount)}</bdi>
      </dd>
    </div>
  );
}

/** Where the sum stands among the tiers: each third of the scale is one. */
function TierScale({ plan: { tier, tiers, placed } }: { plan: PayoutPlan }) {
  const t = useText();
  const [confirm, second] = [shownAmount(tiers.confirm_from), shownAmount(tiers.second_from)];
  const ranges = [
    t("payout.tier.below", { amount: confirm }),
    t("payout.tier.below", { amount: second }),
    t("payout.tier.from", { amount: second }),
  ];
  return (
    <div className="composer-tiers" role="img" aria-label={t("payout.tier.spoken", { tier, amount: shownAmount(placed.amount) })}>
      {ranges.map((range, at) => (
        <span key={range} className={at + 1 === tier ? "is-here" : at + 1 < tier ? "is-below" : undefined}>
          <i />
          {t("payout.tier.name", { tier: at + 1 })}
          <b>
            <bdi>{range}</bdi>
          </b>
        </span>
      ))}
    </div>
  );
}

function TierNote({ plan: { tier, second, placed } }: { plan: PayoutPlan }) {
  const t = useText();
  if (placed.count === 0) return null;
  if (tier === 3 || second === placed.count)
    return (
      <p className="ck is-warn">
        <Icon name="users" size="s" className="warn" />
        <span>{t("payout.tier.second-needed")}</span>
      </p>
    );
  if (second > 0)
    return (
      <p className="ck is-warn">
        <Icon name="users" size="s" className="warn" />
        <span>{t("payout.tier.second-some", { count: second })}</span>
      </p>
    );
  return tier === 2 ? <p className="t2">{t("payout.tier.confirm-needed")}</p> : null;
}

/** How far the payouts are, and what became of them. */
export function ComposerProgress({ state: { paid, stage } }: { state: ComposerState }) {
  const t = useText();
  const all = [...paid.values()];
  const done = all.filter(({ as }) => as === "done").length;
  const second = all.filter(({ as }) => as === "second").length;
  const failed = all.filter(({ as }) => as === "failed" || as === "unanswered").length;
  const stopped = all.filter(({ as }) => as === "stopped").length;
  return (
    <div className="composer-progress">
      {stage === "running" && <p className="t2">{t("payout.progress")}</p>}
      <p className="composer-counts" role="status">
        <span className="pass">
          <Icon name="tick" size="xs" />
          {t("sheet.bulk.done")} {formatCount(done)}
        </span>
        {second > 0 && (
          <span className="warn">
            <Icon name="users" size="xs" />
            {t("payout.paid.second")} {formatCount(second)}
          </span>
        )}
        <span className={failed > 0 ? "fail" : "t2"}>
          <Icon name="cross" size="xs" />
          {t("sheet.bulk.failed")} {formatCount(failed)}
        </span>
        {stopped > 0 && (
          <span className="t2">
            {t("sheet.bulk.skipped")} {formatCount(stopped)}
          </span>
        )}
      </p>
    </div>
  );
}

/** Withdrawals of the plan that have been answered, and all that are sent. */
export function progressOf({ paid, plan }: ComposerState): { readonly settled: number; readonly of: number } {
  const settled = [...paid.values()].filter((one) => isPaid(one) || one.as === "failed").length;
  return { settled, of: Math.max(1, plan?.placed.count ?? 1) };
}
