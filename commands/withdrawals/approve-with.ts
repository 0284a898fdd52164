import type { PayingAccount } from "../../src/contract/transactions.ts";
import { withdrawalRoutes } from "../../src/contract/withdrawals.ts";
import type { Withdrawal } from "../../src/contract/withdrawals.ts";
import type { AnyCommand } from "../../src/console/kit/commands/command.ts";
import type { Context } from "../../src/console/kit/commands/context.ts";
import type { Services } from "../../src/console/kit/commands/services.ts";
import { shownAmount, shownAmounts } from "../../src/console/kit/look/amounts.ts";
import { looksFirst } from "../transactions/decision-acts.ts";
import { recordCommand } from "../transactions/decision-commands.ts";
import { awaitsSecond } from "../transactions/decision-rules.ts";
import { moneyOf, shortId } from "../transactions/rows.ts";
import { approvals, rules, withdrawalActs } from "./decision.ts";

/** The suggestion, then what else may pay, then what may not. */
const byUse = (a: PayingAccount, b: PayingAccount): number =>
  Number(b.suggested) - Number(a.suggested) || Number(a.unfit !== null) - Number(b.unfit !== null);

/** Lets the operator choose the paying account; those that may not pay say why. */
async function chooseAccount(row: Withdrawal, services: Services, context: Context): Promise<void> {
  const accounts =
    context.pane?.decision?.accounts(row.uuid) ??
    (await services.call(withdrawalRoutes.readWithdrawal, { params: { uuid: row.uuid } })).data.accounts;
  const chosen = await services.ask("choice", {
    title: "withdrawal.ask.account-choice",
    words: { id: shortId(row), amount: moneyOf(row) },
    money: true,
    options: accounts.toSorted(byUse).map(({ uuid, code, holder, unfit, balance_after, suggested, critical }) => ({
      id: uuid,
      label: `${code} ${holder}`,
      note: [
        services.text(suggested ? "withdrawal.ask.after-suggested" : "withdrawal.ask.after", { amount: shownAmount(balance_after) }),
        ...(critical ? [services.text("payment-account.state.critical")] : []),
      ].join(" · "),
      refused: unfit === null ? null : services.text(`unfit.${unfit.code}`, shownAmounts(unfit.values)),
    })),
  });
  const account = accounts.find(({ uuid }) => uuid === chosen);
  if (account) await approvals.one(row, services, context, account);
}

export const approveWith: AnyCommand = recordCommand<Withdrawal, "one">(withdrawalActs, {
  name: "approve-with",
  takes: "one",
  permission: withdrawalRoutes.approveWithdrawals.permission,
  keys: ["Shift+a"],
  danger: "money",
  passing: rules.whileUnread,
  refuse([row], context) {
    const blind = rules.blindness(row, context);
    // another account may pass what the suggested one fails
    const failing = context.pane?.decision?.failing(row.uuid) ?? null;
    return (
      rules.approval(row, context) ?? (awaitsSecond(row) ? "withdrawal.refuse.account-chosen" : null) ?? (failing === null ? blind : null)
    );
  },
  async run([row], services, context) {
    if (!looksFirst(services, context)) await chooseAccount(row, services, context);
  },
});
