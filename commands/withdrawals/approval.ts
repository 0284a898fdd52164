import type { PayingAccount } from "../../src/contract/transactions.ts";
import type { Withdrawal } from "../../src/contract/withdrawals.ts";
import { withdrawalRoutes } from "../../src/contract/withdrawals.ts";
import type { Context } from "../../src/console/kit/commands/context.ts";
import type { CallOptions, Services } from "../../src/console/kit/commands/services.ts";
import { groupedNumber } from "../../src/console/kit/look/account-number.ts";
import { shownAmount, shownAmounts } from "../../src/console/kit/look/amounts.ts";
import { bulk } from "../transactions/bulk.ts";
import { moneyOf, shortId, sumOf } from "../transactions/rows.ts";
import type { Rows } from "../transactions/rows.ts";
import { intend, keyed, only, ref, sayDone, sayRefused, spread } from "../transactions/sending.ts";
import type { Outcome } from "../transactions/sending.ts";
import { subject } from "./acts.ts";
import { awaitsSecond, isFree, leftOutOfBulk } from "./rules.ts";

interface Approval {
  readonly account?: string;
  readonly confirmed?: true;
}

const confirmation = (row: Withdrawal) => ({ amount: row.amount, holder: row.holder });

/** The row as the approval must find it: a free one is claimed first. */
async function held(row: Withdrawal, services: Services): Promise<Outcome<Withdrawal>> {
  if (!isFree(row)) return { uuid: row.uuid, done: true, row };
  const { data } = await services.call(withdrawalRoutes.claimWithdrawals, { body: { rows: [ref(row)] } });
  return only(data.outcomes);
}

interface Approved extends Approval {
  /** Free rows are claimed by the same request. */
  readonly claims?: true;
}

/** One request: rows that all await the second approval, or none that does. */
async function sendApprovals(
  rows: readonly Withdrawal[],
  { account, confirmed: isConfirmed, claims }: Approved,
  services: Services,
  options: CallOptions,
): Promise<readonly Outcome<Withdrawal>[]> {
  if (rows.some(awaitsSecond)) {
    const body = { rows: rows.map((row) => ({ ...ref(row), confirmed: confirmation(row) })) };
    return (await services.call(withdrawalRoutes.secondApproveWithdrawals, { body }, options)).data.outcomes;
  }
  const body = {
    rows: rows.map((row) => ({
      ...ref(row),
      ...(account !== undefined && { payment_account: account }),
      ...(isConfirmed && { confirmed: confirmation(row) }),
      ...(claims && isFree(row) && { claim: claims }),
    })),
  };
  return (await services.call(withdrawalRoutes.approveWithdrawals, { body }, options)).data.outcomes;
}

async function confirmed(row: Withdrawal, services: Services, chosen?: PayingAccount): Promise<boolean> {
  const from = chosen ?? row.paying_account;
  const second = awaitsSecond(row);
  const notes = [
    ...(row.flags.length > 0
      ? [services.text("withdrawal.ask.flags", { flags: row.flags.map((flag) => services.text(`withdrawal.flag.${flag}`)).join(", ") })]
      : []),
    ...(second ? [services.text("transaction.ask.first-by", { name: row.first_approved_by?.name ?? "" })] : []),
    ...(from?.critical === true ? [services.text("withdrawal.pays-critical", { account: from.code })] : []),
    ...(!second && row.tier === 3 ? [services.text("transaction.ask.second-needed")] : []),
  ];
  const asked = {
    title: second ? "transaction.ask.second" : "transaction.ask.approve",
    words: { id: shortId(row) },
    amount: shownAmount(row.amount),
    currency: row.currency,
    payee: row.holder,
    account: services.text("withdrawal.ask.account", { bank: row.bank, number: groupedNumber(row.account_number) }),
    from: from === null ? null : services.text("withdrawal.ask.pays-from", { account: from.code }),
    notes,
  } as const;
  return (await services.ask("money", asked)) === true;
}

/** What can be taken back counts down in the status bar, with its key. */
function offerRecall(row: Withdrawal, services: Services, context: Context): void {
  const seconds = context.pane?.decision?.settings.recall_seconds ?? 0;
  if (row.status !== "approved" || row.recallable_until === null || seconds === 0) return;
  services.pushUndo({
    id: `recall ${row.uuid}`,
    text: "transaction.undo.approved",
    words: { id: shortId(row), amount: moneyOf(row) },
    until: performance.now() + seconds * 1000,
    back: () => recall(row, services, context),
    again: { command: "withdrawal.approve", uuid: row.uuid },
  });
}

function sayApproved(row: Withdrawal, services: Services, context: Context): void {
  const words = { id: shortId(row), amount: moneyOf(row) };
  if (row.status === "process") return services.say("transaction.said.first-approved", words, "done");
  offerRecall(row, services, context);
  const left = context.pane?.decision?.left([row.uuid]) ?? null;
  if (left === null) return services.say("transaction.said.approved", words, "done");
  services.say("transaction.said.approved-left", { ...words, count: left }, "done");
}

export async function approveOne(row: Withdrawal, services: Services, context: Context, account?: PayingAccount): Promise<void> {
  const intent = intend("approve", [row]);
  const approval: Approval = account === undefined ? {} : { account: account.uuid };
  let sure = false;
  if (row.tier > 1 || awaitsSecond(row)) {
    if (!(await confirmed(row, services, account))) return;
    sure = true;
  }
  const claim = await held(row, services);
  if (!claim.done) {
    sayRefused(services, row, claim.problem);
    return spread(services, subject, [claim]);
  }
  const send = async (under: typeof intent, how: Approval) =>
    only(await keyed(under, (options) => sendApprovals([claim.row], how, services, options)));
  let outcome = await send(intent, sure ? { ...approval, confirmed: true } : approval);
  // a check that turned to a warning meanwhile raised the tier
  if (!outcome.done && !sure && outcome.problem.code === "withdrawal.confirm-needed") {
    if (!(await confirmed(claim.row, services, account))) return spread(services, subject, [outcome]);
    outcome = await send(intend("approve", [claim.row]), { ...approval, confirmed: true });
  }
  if (outcome.done) sayApproved(outcome.row, services, context);
  else sayRefused(services, row, outcome.problem);
  spread(services, subject, [outcome]);
}

/** The suggestion, then what else may pay, then what may not. */
const byUse = (a: PayingAccount, b: PayingAccount): number =>
  Number(b.suggested) - Number(a.suggested) || Number(a.unfit !== null) - Number(b.unfit !== null);

/** Lets the operator choose the paying account; those that may not pay say why. */
export async function approveWith(row: Withdrawal, services: Services, context: Context): Promise<void> {
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
  if (account) await approveOne(row, services, context, account);
}

/** `context`: of the list it is taken back in; the cursor is on it again there, because it may come in above what is in view. */
export async function recall(row: Withdrawal, services: Services, context: Context): Promise<void> {
  const intent = intend("recall", [row]);
  const { data } = await keyed(intent, (all) => services.call(withdrawalRoutes.recallWithdrawals, { body: { rows: [ref(row)] } }, all));
  spread(services, subject, data.outcomes);
  const back = only(data.outcomes);
  // with as many claims as are allowed it came back free
  const free = back.done && back.row.claim === null;
  // in the queue one that came back free is not the one to decide
  if (back.done && !(free && context.pane?.queue?.active === true)) context.pane?.grid?.scrollToId(row.uuid);
  sayDone(services, [row], data.outcomes, free ? "withdrawal.said.recalled-free" : "transaction.said.recalled");
}

export async function approveMany(rows: Rows<Withdrawal>, services: Services, context: Context): Promise<void> {
  const done = await bulk(
    rows,
    {
      subject,
      title: "withdrawal.ask.approve-many",
      against: leftOutOfBulk,
      way: (row) => (awaitsSecond(row) ? "second-approve" : "approve"),
      async send(slice, options) {
        const outcomes = await sendApprovals(slice, { claims: true }, services, options);
        for (const outcome of outcomes) if (outcome.done) offerRecall(outcome.row, services, context);
        return outcomes;
      },
    },
    services,
    context,
  );
  if (done.length > 0)
    services.say(
      "transaction.said.approved-many",
      { count: done.length, amount: `${shownAmount(sumOf(done))} ${rows[0].currency}` },
      "done",
    );
}
