import { withdrawalRoutes, withdrawalViews } from "../../src/contract/withdrawals.ts";
import type { AnyCommand } from "../../src/console/kit/commands/command.ts";
import { defineCommand } from "../../src/console/kit/commands/command.ts";
import { unlessAny } from "../transactions/rows.ts";
import { handBack, plain, reject, remark, takeOver } from "./acts.ts";
import { approveMany, approveOne, approveWith, recall } from "./approval.ts";
import {
  againstApproval,
  againstBlindness,
  againstCallback,
  againstClaim,
  againstDefer,
  againstHandBack,
  againstRecall,
  againstRejection,
  againstRelease,
  againstTakeOver,
  awaitsSecond,
  leftOutOfBulk,
  whileUnread,
} from "./rules.ts";

const ofRecord = { scope: "pane", desk: "decision", screen: "withdrawals", subject: "withdrawal" } as const;
const ofScreen = { scope: "screen", desk: "decision", screen: "withdrawals", subject: null, takes: "none" } as const;
const ofQueue = { ...ofScreen, desk: "queue" } as const;
const { listWithdrawals, takeNextWithdrawal } = withdrawalRoutes;

export const withdrawalCommands: readonly AnyCommand[] = [
  // One command for first and second approval: `a` means "yes" to whatever the record waits for.
  defineCommand({
    ...ofRecord,
    id: "withdrawal.approve",
    takes: "many",
    permission: [withdrawalRoutes.approveWithdrawals.permission, withdrawalRoutes.secondApproveWithdrawals.permission],
    keys: ["a"],
    danger: "money",
    hint: true,
    passing: whileUnread,
    refuse(rows, context) {
      if (rows.length > 1) return unlessAny(rows, context, leftOutOfBulk);
      return againstApproval(rows[0], context) ?? againstBlindness(rows[0], context);
    },
    run(rows, services, context) {
      if (rows.length > 1) return approveMany(rows, services, context);
      if (context.pane?.detail === null) {
        services.shell.togglePane("detail");
        services.say("transaction.said.look-first");
        return undefined;
      }
      return approveOne(rows[0], services, context);
    },
  }),
  defineCommand({
    ...ofRecord,
    id: "withdrawal.approve-with",
    takes: "one",
    permission: withdrawalRoutes.approveWithdrawals.permission,
    keys: ["Shift+a"],
    danger: "money",
    passing: whileUnread,
    refuse([row], context) {
      const blind = againstBlindness(row, context);
      // another account may pass what the suggested one fails
      const failing = context.pane?.decision?.failing(row.uuid) ?? null;
      return (
        againstApproval(row, context) ??
        (awaitsSecond(row) ? "withdrawal.refuse.account-chosen" : null) ??
        (failing === null ? blind : null)
      );
    },
    run: ([row], services, context) => approveWith(row, services, context),
  }),
  defineCommand({
    ...ofRecord,
    id: "withdrawal.reject",
    takes: "many",
    permission: withdrawalRoutes.rejectWithdrawals.permission,
    keys: ["r"],
    danger: "money",
    hint: true,
    refuse: (rows, context) => unlessAny(rows, context, againstRejection),
    run: (rows, services, context) => reject(rows, againstRejection, services, context),
  }),
  defineCommand({
    ...ofRecord,
    id: "withdrawal.claim",
    takes: "many",
    permission: withdrawalRoutes.claimWithdrawals.permission,
    keys: ["t"],
    refuse: (rows, context) => unlessAny(rows, context, againstClaim),
    run: (rows, services, context) =>
      plain(
        withdrawalRoutes.claimWithdrawals,
        rows,
        againstClaim,
        { title: "command.withdrawal.claim", done: "transaction.said.claimed" },
        services,
        context,
      ),
  }),
  defineCommand({
    ...ofRecord,
    id: "withdrawal.release",
    takes: "many",
    permission: withdrawalRoutes.releaseWithdrawals.permission,
    keys: ["Shift+t"],
    refuse: (rows, context) => unlessAny(rows, context, againstRelease),
    run: (rows, services, context) =>
      plain(
        withdrawalRoutes.releaseWithdrawals,
        rows,
        againstRelease,
        { title: "command.withdrawal.release", done: "transaction.said.released" },
        services,
        context,
      ),
  }),
  defineCommand({
    ...ofRecord,
    id: "withdrawal.take-over",
    takes: "one",
    permission: withdrawalRoutes.takeOverWithdrawals.permission,
    refuse: ([row], context) => againstTakeOver(row, context),
    run: ([row], services) => takeOver(row, services),
  }),
  defineCommand({
    ...ofRecord,
    id: "withdrawal.defer",
    takes: "many",
    permission: withdrawalRoutes.deferWithdrawals.permission,
    keys: ["h"],
    refuse: (rows, context) => unlessAny(rows, context, againstDefer),
    run: (rows, services, context) =>
      plain(
        withdrawalRoutes.deferWithdrawals,
        rows,
        againstDefer,
        { title: "command.withdrawal.defer", done: "transaction.said.deferred" },
        services,
        context,
      ),
  }),
  defineCommand({
    ...ofQueue,
    id: "withdrawal.take-next",
    permission: takeNextWithdrawal.permission,
    keys: ["n"],
    run: (_, __, context) => context.pane?.queue?.next(),
  }),
  defineCommand({
    ...ofQueue,
    id: "withdrawal.previous",
    permission: takeNextWithdrawal.permission,
    keys: ["Shift+n"],
    refuse: (_, context) => (context.pane?.queue?.active === true ? null : "transaction.refuse.no-queue"),
    run: (_, __, context) => context.pane?.queue?.previous(),
  }),
  defineCommand({
    ...ofQueue,
    id: "withdrawal.queue",
    permission: takeNextWithdrawal.permission,
    keys: ["q"],
    hint: true,
    run(_, __, context) {
      const queue = context.pane?.queue;
      if (queue?.active === true) queue.leave();
      else queue?.enter();
    },
  }),
  defineCommand({
    ...ofRecord,
    id: "withdrawal.remark",
    takes: "one",
    permission: withdrawalRoutes.remarkWithdrawal.permission,
    keys: ["e", "F2"],
    run: ([row], services) => remark(row, services),
  }),
  defineCommand({
    ...ofRecord,
    id: "withdrawal.hand-back",
    takes: "one",
    permission: withdrawalRoutes.handBackWithdrawals.permission,
    keys: ["Shift+h"],
    danger: "money",
    refuse: ([row], context) => againstHandBack(row, context),
    run: ([row], services) => handBack(row, services),
  }),
  // No key on purpose; while the window is open `z` recalls.
  defineCommand({
    ...ofRecord,
    id: "withdrawal.recall",
    takes: "one",
    permission: withdrawalRoutes.recallWithdrawals.permission,
    danger: "money",
    refuse: ([row]) => againstRecall(row),
    run: ([row], services, context) => recall(row, services, context),
  }),
  defineCommand({
    ...ofRecord,
    id: "withdrawal.send-callback",
    careful: true,
    takes: "many",
    permission: withdrawalRoutes.sendWithdrawalCallbacks.permission,
    refuse: (rows, context) => unlessAny(rows, context, againstCallback),
    run: (rows, services, context) =>
      plain(
        withdrawalRoutes.sendWithdrawalCallbacks,
        rows,
        againstCallback,
        { title: "command.withdrawal.send-callback", done: "transaction.said.callback-sent" },
        services,
        context,
      ),
  }),
  // by name; the digits are the view commands'
  ...withdrawalViews.map((view) =>
    defineCommand({
      ...ofScreen,
      id: `withdrawal.view-${view}`,
      permission: listWithdrawals.permission,
      run: (_, { go }) => go("withdrawals", { search: { view } }),
    }),
  ),
  defineCommand({
    ...ofScreen,
    id: "withdrawal.follow",
    permission: listWithdrawals.permission,
    keys: ["l"],
    run: (_, __, context) => context.pane?.decision?.follow(),
  }),
];
