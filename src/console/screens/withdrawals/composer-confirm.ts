import type { Outcome } from "../../../contract/decisions.ts";
import type { PayoutPlan } from "../../../contract/payouts.ts";
import type { Withdrawal } from "../../../contract/withdrawals.ts";
import type { Call } from "../../api/call.ts";
import type { GridHandle } from "../../kit/commands/grid-handle.ts";
import type { Services } from "../../kit/commands/services.ts";
import { unmark } from "../../kit/commands/unmark.ts";
import { shownAmount } from "../../kit/look/amounts.ts";
import { isPaid } from "./composer-plan.ts";
import type { Asked } from "./composer-plan.ts";
import { createComposer } from "./composer-work.ts";
import type { ComposerState, ComposerWork } from "./composer-work.ts";

interface Deps {
  readonly call: Call;
  readonly services: Pick<Services, "ask" | "text" | "say" | "changed">;
  readonly list: GridHandle<Withdrawal> | null;
  readonly currency: string;
}

/** Accounts that a confirmation names. */
const namedAccounts = 6;

/** A composer for this selection, with what it asks and what it tells the list behind. */
export function newWork(asked: Asked, { call, services, list, currency }: Deps): ComposerWork {
  /** Tier 1 is confirmed in the composer; from tier 2 on the sum is repeated, as an approval repeats its amount. */
  async function confirmed(plan: PayoutPlan): Promise<boolean> {
    const placed = plan.rows.filter(({ account }) => account !== null);
    const largest = Math.max(plan.tier, ...placed.map(({ tier }) => tier));
    if (largest === 1) return true;
    const paying = plan.accounts.filter(({ count }) => count > 0);
    const codes = paying.slice(0, namedAccounts).map(({ code }) => code);
    const flagged = placed.filter(({ flags }) => flags.length > 0).length;
    const critical = paying.filter((account) => account.critical);
    const answer = await services.ask("money", {
      title: "withdrawal.ask.approve-many",
      words: { count: placed.length },
      amount: shownAmount(plan.placed.amount),
      currency,
      payee: services.text("payout.count", { count: placed.length }),
      account: paying.length > codes.length ? `${codes.join(", ")} …` : codes.join(", "),
      labels: { payee: "payout.ask.what", account: "payout.accounts" },
      from: null,
      notes: [
        ...(plan.tier === 3 ? [services.text("payout.tier.second-needed")] : []),
        ...(plan.tier < 3 && plan.second > 0 ? [services.text("payout.tier.second-some", { count: plan.second })] : []),
        ...(flagged > 0 ? [services.text("payout.ask.flagged", { count: flagged })] : []),
        ...critical.map(({ code }) => services.text("withdrawal.pays-critical", { account: code })),
      ],
    });
    return answer === true;
  }

  /** What was paid is no longer marked; the others stay so. */
  function settled(outcomes: readonly Outcome<Withdrawal>[]): void {
    const done = new Set(outcomes.filter((outcome) => outcome.done).map(({ uuid }) => uuid));
    if (list !== null) unmark(list, done);
    services.changed(
      "withdrawal",
      outcomes.map((outcome) => (outcome.done ? outcome.row : { uuid: outcome.uuid })),
    );
  }

  function ended({ paid }: ComposerState): void {
    const all = [...paid.values()];
    const done = all.filter(isPaid).length;
    const stopped = all.filter(({ as }) => as === "stopped").length;
    const words = { done, failed: all.length - done - stopped, skipped: stopped };
    services.say("sheet.bulk.summary", words, words.failed > 0 ? "warn" : "done");
  }

  return createComposer({ call, confirmed, settled, ended }, asked);
}
