import { withdrawalRoutes, withdrawalViews } from "../src/contract/withdrawals.ts";
import type { AnyCommand, Reason } from "../src/console/kit/command.ts";
import { defineCommand } from "../src/console/kit/command.ts";
import type { Context } from "../src/console/kit/context.ts";
import { handBack, plain, reject, remark, takeOver } from "./withdrawal-acts.ts";
import { approveMany, approveOne, approveWith, recall } from "./withdrawal-approval.ts";
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
  unlessAny,
  whileUnread,
} from "./withdrawal-rules.ts";

const ofRecord = { scope: "pane", screen: "withdrawals", subject: "withdrawal" } as const;
const ofScreen = { scope: "screen", screen: "withdrawals", subject: null, takes: "none" } as const;
const { listWithdrawals, takeNextWithdrawal } = withdrawalRoutes;

const needsQueue = (_: readonly [], context: Context): Reason | null => (context.pane?.queue ? null : "withdrawal.refuse.elsewhere");
const needsDesk = (_: readonly [], context: Context): Reason | null => (context.pane?.desk ? null : "withdrawal.refuse.elsewhere");

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
        services.say("withdrawal.said.look-first");
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
      const failing = context.pane?.desk?.failing(row.uuid) ?? null;
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
        { title: "command.withdrawal.claim", done: "withdrawal.said.claimed" },
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
        { title: "command.withdrawal.release", done: "withdrawal.said.released" },
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
        { title: "command.withdrawal.defer", done: "withdrawal.said.deferred" },
        services,
        context,
      ),
  }),
  defineCommand({
    ...ofScreen,
    id: "withdrawal.take-next",
    permission: takeNextWithdrawal.permission,
    keys: ["n"],
    refuse: needsQueue,
    run: (_, __, context) => context.pane?.queue?.next(),
  }),
  defineCommand({
    ...ofScreen,
    id: "withdrawal.previous",
    permission: takeNextWithdrawal.permission,
    keys: ["Shift+n"],
    refuse: (_, context) => (context.pane?.queue?.active === true ? null : "withdrawal.refuse.no-queue"),
    run: (_, __, context) => context.pane?.queue?.previous(),
  }),
  defineCommand({
    ...ofScreen,
    id: "withdrawal.queue",
    permission: takeNextWithdrawal.permission,
    keys: ["q"],
    hint: true,
    refuse: needsQueue,
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
    run: ([row], services) => recall(row, services),
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
        { title: "command.withdrawal.send-callback", done: "withdrawal.said.callback-sent" },
        services,
        context,
      ),
  }),
  defineCommand({
    ...ofRecord,
    id: "withdrawal.history",
    takes: "one",
    permission: listWithdrawals.permission,
    keys: ["i"],
    run(_, services, context) {
      if (context.pane?.detail === null) services.shell.togglePane("detail");
      context.pane?.desk?.showHistory();
    },
  }),
  // by name; the digits are the view commands'
  ...withdrawalViews.map((view) =>
    defineCommand({
      ...ofScreen,
      id: `withdrawal.view-${view}`,
      permission: listWithdrawals.permission,
      run: (_, { go }) => go("withdrawals", { view }),
    }),
  ),
  defineCommand({
    ...ofScreen,
    id: "withdrawal.find",
    permission: listWithdrawals.permission,
    keys: ["/"],
    refuse: needsDesk,
    run: (_, __, context) => context.pane?.desk?.find(),
  }),
  defineCommand({
    ...ofScreen,
    id: "withdrawal.filter",
    permission: listWithdrawals.permission,
    keys: ["f"],
    refuse: needsDesk,
    run: (_, __, context) => context.pane?.desk?.filterColumn(),
  }),
  defineCommand({
    ...ofScreen,
    id: "withdrawal.filter-value",
    permission: listWithdrawals.permission,
    keys: ["Shift+f"],
    refuse: (rows, context) =>
      needsDesk(rows, context) ?? context.pane?.desk?.unfiltered() ?? (context.pane?.cursor ? null : "refuse.no-row"),
    run: (_, __, context) => context.pane?.desk?.filterByValue(),
  }),
  defineCommand({
    ...ofScreen,
    id: "withdrawal.drop-filter",
    permission: listWithdrawals.permission,
    keys: ["Shift+Backspace"],
    refuse: (_, context) => (context.pane?.desk?.hasFilters() ? null : "withdrawal.refuse.no-filter"),
    run: (_, __, context) => context.pane?.desk?.dropFilter(),
  }),
  defineCommand({
    ...ofScreen,
    id: "withdrawal.follow",
    permission: listWithdrawals.permission,
    keys: ["l"],
    run: (_, __, context) => context.pane?.desk?.follow(),
  }),
];
