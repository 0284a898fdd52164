import { bankTransactionRoutes } from "../../src/contract/bank-transaction-routes.ts";
import { isAllowed } from "../../src/contract/permissions.ts";
import type { Transfer } from "../../src/contract/transfers.ts";
import { transferRoutes as routes } from "../../src/contract/transfers.ts";
import type { AnyCommand, Reason } from "../../src/console/kit/commands/command.ts";
import { defineCommand } from "../../src/console/kit/commands/command.ts";
import type { Context } from "../../src/console/kit/commands/context.ts";
import type { CallOptions, Services } from "../../src/console/kit/commands/services.ts";
import { shownAmount } from "../../src/console/kit/look/amounts.ts";
import { bulk } from "../transactions/bulk.ts";
import { withReason } from "../transactions/decision-acts.ts";
import { matchLine, unlessSeen } from "../transactions/match-line.ts";
import { remark } from "../transactions/remark.ts";
import { receiptCommands } from "../transactions/receipts.ts";
import type { Rows } from "../transactions/rows.ts";
import { moneyOf, shortId, sumOf, unlessAny } from "../transactions/rows.ts";
import { intend, keyed, only, ref, sayRefused, spread } from "../transactions/sending.ts";
import { offerRecall, recall, tellAccounts } from "./recall.ts";

const common = { scope: "pane", screen: "transfers", subject: "transfer", desk: "transfers" } as const;

const routeFor = ({ awaits }: Transfer) => (awaits === "second" ? routes.secondApproveTransfers : routes.approveTransfers);

function decided({ status, approved_by, rejected_by }: Transfer): Reason | null {
  if (status === "pending") return null;
  const name = (status === "rejected" ? rejected_by : approved_by)?.name ?? "";
  if (status === "rejected") return { key: "transfer.refuse.rejected", words: { name } };
  return name === "" ? "transfer.refuse.by-lines" : { key: "transfer.refuse.approved", words: { name } };
}

/** Why a row is not approved by this operator. */
function approval(row: Transfer, { user, permissions }: Context): Reason | null {
  const against = decided(row);
  if (against !== null) return against;
  if (row.awaits === "second" && row.first_approved_by?.uuid === user) return "transaction.refuse.second-self";
  const { permission } = routeFor(row);
  return isAllowed(permissions, permission) ? null : { key: "refuse.no-right", words: { permission } };
}

/** Whoever may not reject may refuse what waits for them as the second person. */
function rejection(row: Transfer, { user, permissions }: Context): Reason | null {
  const against = decided(row);
  const [permission] = routes.rejectTransfers.permission;
  if (against !== null || isAllowed(permissions, permission)) return against;
  if (row.awaits !== "second") return { key: "refuse.no-right", words: { permission } };
  return row.first_approved_by?.uuid === user ? "transaction.refuse.second-self" : null;
}

const leftOut = (row: Transfer, context: Context): Reason | null =>
  approval(row, context) ?? (row.tier > 1 ? { key: "transaction.left-out.tier", words: { tier: row.tier } } : null);

async function send(rows: readonly Transfer[], services: Services, options: CallOptions) {
  const [first] = rows;
  if (first === undefined) return [];
  const confirmed = ({ tier, amount }: Transfer) => (tier > 1 ? { confirmed: { amount } } : {});
  const body = { rows: rows.map((row) => ({ ...ref(row), ...confirmed(row) })) };
  return (await services.call(routeFor(first), { body }, options)).data.outcomes;
}

/** Whom it pays, as a person says it. */
function payeeOf(
  { kind, target, merchant, bank, holder, account_number }: Transfer,
  services: Services,
): { payee: string; account: string } {
  if (kind === "adjustment") return { payee: merchant?.name ?? "", account: services.text("transfer.kind.adjustment") };
  if (holder !== null) return { payee: holder, account: [bank, account_number].filter(Boolean).join(" ") };
  if (target !== null) return { payee: target.code, account: target.bank };
  return { payee: merchant?.name ?? services.text("transfer.side.adjustment"), account: services.text(`transfer.kind.${kind}`) };
}

async function confirms(row: Transfer, services: Services): Promise<boolean> {
  const isSecond = row.awaits === "second";
  const notes = [
    ...(isSecond ? [services.text("transaction.ask.first-by", { name: row.first_approved_by?.name ?? "" })] : []),
    ...(row.awaits === "first" ? [services.text("transaction.ask.second-needed")] : []),
  ];
  const asked = {
    title: isSecond ? "transaction.ask.second" : "transfer.ask.approve",
    words: { id: shortId(row) },
    amount: shownAmount(row.amount),
    currency: row.currency,
    ...payeeOf(row, services),
    from: row.source?.code ?? null,
    notes,
  } as const;
  return (await services.ask("money", asked)) === true;
}

async function approveOne(row: Transfer, services: Services, context: Context): Promise<void> {
  const intent = intend("approve", [row]);
  if (row.tier > 1 && !(await confirms(row, services))) return;
  const outcome = only(await keyed(intent, (options) => send([row], services, options)));
  if (outcome.done) {
    const { awaits } = outcome.row;
    const said = awaits === "second" ? "transaction.said.first-approved" : "transaction.said.approved";
    services.say(said, { id: shortId(row), amount: moneyOf(row) }, "done");
    if (awaits === null) offerRecall(outcome.row, services, context);
  } else sayRefused(services, row, outcome.problem);
  spread(services, "transfer", [outcome]);
  tellAccounts(row, services);
}

async function approveMany(rows: Rows<Transfer>, services: Services, context: Context): Promise<void> {
  const done = await bulk(
    rows,
    {
      subject: "transfer",
      title: "transfer.ask.approve-many",
      against: leftOut,
      way: (row) => routeFor(row).path,
      async send(some, options) {
        const outcomes = await send(some, services, options);
        for (const outcome of outcomes) if (outcome.done && outcome.row.awaits === null) offerRecall(outcome.row, services, context);
        return outcomes;
      },
    },
    services,
    context,
  );
  if (done.length === 0) return;
  for (const row of done) tellAccounts(row, services);
  const words = { count: done.length, amount: `${shownAmount(sumOf(done))} ${rows[0].currency}` };
  services.say("transaction.said.approved-many", words, "done");
}

/** What is decided about a transfer, and its receipts. */
export const decidingCommands: readonly AnyCommand[] = [
  // One command for confirmation, first and second approval: `a` means "yes" to whatever the record waits for.
  defineCommand({
    ...common,
    id: "transfer.approve",
    takes: "many",
    permission: [routes.approveTransfers.permission, routes.secondApproveTransfers.permission],
    keys: ["a"],
    hint: true,
    danger: "money",
    refuse: (rows, context) => (rows.length > 1 ? unlessAny(rows, context, leftOut) : approval(rows[0], context)),
    run: (rows, services, context) => (rows.length > 1 ? approveMany(rows, services, context) : approveOne(rows[0], services, context)),
  }),
  defineCommand({
    ...common,
    id: "transfer.reject",
    takes: "one",
    permission: routes.rejectTransfers.permission,
    keys: ["r"],
    hint: true,
    danger: "money",
    refuse: ([row], context) => rejection(row, context),
    async run([row], services) {
      const words = { id: shortId(row), amount: moneyOf(row) };
      const of = { subject: "transfer", act: "reject", route: routes.rejectTransfers, title: "transfer.ask.reject", words } as const;
      await withReason({ ...of, done: "transfer.said.rejected" }, row, services);
      tellAccounts(row, services);
    },
  }),
  defineCommand({
    ...common,
    id: "transfer.hand-back",
    takes: "one",
    permission: routes.handBackTransfers.permission,
    keys: ["Shift+h"],
    danger: "money",
    refuse([row], { user }) {
      if (row.awaits !== "second") return decided(row) ?? "transfer.refuse.not-awaited";
      return row.first_approved_by?.uuid === user ? "transaction.refuse.second-self" : null;
    },
    run([row], services) {
      const words = { id: shortId(row), name: row.first_approved_by?.name ?? "" };
      const of = {
        subject: "transfer",
        act: "hand-back",
        route: routes.handBackTransfers,
        title: "transaction.ask.hand-back",
        words,
      } as const;
      return withReason({ ...of, done: "transfer.said.handed-back" }, row, services);
    },
  }),
  defineCommand({
    ...common,
    id: "transfer.match",
    takes: "one",
    permission: bankTransactionRoutes.matchBankLines.permission,
    keys: ["m"],
    danger: "money",
    refuse([{ status, lines }], context) {
      if (status === "rejected") return "transfer.refuse.ended";
      return lines.matched < lines.needed ? unlessSeen(context) : lines.needed === 0 ? "transfer.refuse.no-bank" : "transfer.refuse.proven";
    },
    async run([row], services, context) {
      const of = { subject: "transfer", title: "transfer.ask.match", done: "transfer.said.matched" } as const;
      if (await matchLine(of, row, services, context)) tellAccounts(row, services);
    },
  }),
  defineCommand({
    ...common,
    id: "transfer.remark",
    takes: "one",
    permission: routes.remarkTransfer.permission,
    keys: ["e", "F2"],
    run([row], services) {
      const { uuid, version } = row;
      const sent = async (text: string) =>
        (await services.call(routes.remarkTransfer, { params: { uuid }, body: { version, remark: text } })).data;
      return remark(row, "transfer", sent, services);
    },
  }),
  // No key on purpose; while the window is open `z` recalls.
  defineCommand({
    ...common,
    id: "transfer.recall",
    takes: "one",
    permission: routes.recallTransfers.permission,
    danger: "money",
    refuse([row]) {
      if (row.status === "pending") return null;
      return row.status === "approved" && row.recallable_until !== null ? null : (decided(row) ?? "transfer.refuse.recall-closed");
    },
    run: ([row], services) => recall(row, services),
  }),
  ...receiptCommands({ subject: "transfer", screen: "transfers" }),
];
