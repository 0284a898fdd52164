import type { DecisionDetail, DecisionRow } from "../../src/contract/decisions.ts";
import { merchantCallbackRoutes } from "../../src/contract/merchant-callbacks.ts";
import type { Permission } from "../../src/contract/permissions.ts";
import type { AnyCommand, Reason } from "../../src/console/kit/commands/command.ts";
import type { Context } from "../../src/console/kit/commands/context.ts";
import type { Services } from "../../src/console/kit/commands/services.ts";
import type { MessageKey } from "../../src/console/kit/texts/messages.ts";
import type { Approvals } from "./approval.ts";
import { deferWhy, handBack, looksFirst, plain, rejectRows, takeOver } from "./decision-acts.ts";
import type { DecisionActs } from "./decision-kind.ts";
import type { DecisionRules } from "./decision-rules.ts";
import { remark } from "./remark.ts";
import type { Rows } from "./rows.ts";
import { unlessAny } from "./rows.ts";

type Given<Row extends DecisionRow> = { one: readonly [Row]; many: Rows<Row> };

/** A command on records of a kind; `name`: its id after the subject. */
export interface RecordCommand<Row extends DecisionRow, T extends keyof Given<Row>> extends Pick<
  AnyCommand,
  "keys" | "danger" | "hint" | "careful" | "passing"
> {
  readonly name: string;
  readonly takes: T;
  readonly permission: Permission | readonly Permission[];
  refuse?(rows: Given<Row>[T], context: Context): Reason | null;
  run(rows: Given<Row>[T], services: Services, context: Context): void | Promise<void>;
}

type Place = Pick<DecisionActs<DecisionRow, DecisionDetail<DecisionRow>, never>, "subject" | "screen">;

/** The registry hands rows only to a command whose subject matches. */
export function recordCommand<Row extends DecisionRow, T extends keyof Given<Row>>(
  { subject, screen }: Place,
  { name, ...command }: RecordCommand<Row, T>,
): AnyCommand {
  return { ...command, id: `${subject}.${name}`, scope: "pane", desk: "decision", screen, subject };
}

type ScreenCommand = Pick<AnyCommand, "keys" | "hint" | "changes" | "desk" | "permission" | "refuse" | "run"> & { readonly name: string };

/** A command of the screen, whatever row the cursor is on. */
export const screenCommand = ({ subject, screen }: Place, { name, ...command }: ScreenCommand): AnyCommand => ({
  desk: "decision",
  ...command,
  id: `${subject}.${name}`,
  scope: "screen",
  screen,
  subject: null,
  takes: "none",
});

/** What anybody who decides on a kind of transaction can do, in the order of the palette; the first approves. */
export function decisionCommands<Row extends DecisionRow, Detail extends DecisionDetail<Row>, Choice>(
  kind: DecisionActs<Row, Detail, Choice>,
  rules: DecisionRules<Row>,
  approvals: Approvals<Row, Choice>,
): readonly [AnyCommand, ...AnyCommand[]] {
  const { subject, routes } = kind;
  const { second } = routes;
  const ofMany = (command: Omit<RecordCommand<Row, "many">, "takes">) => recordCommand<Row, "many">(kind, { ...command, takes: "many" });
  const ofOne = (command: Omit<RecordCommand<Row, "one">, "takes">) => recordCommand<Row, "one">(kind, { ...command, takes: "one" });
  const ofQueue = (command: Omit<ScreenCommand, "desk" | "permission">) =>
    screenCommand(kind, { ...command, desk: "queue", permission: routes.takeNext.permission });
  const plainCommand = (
    name: string,
    act: { readonly route: "claim" | "release" | "defer" | "sendCallback"; readonly done: MessageKey; readonly against: Rule<Row> },
    more: Pick<AnyCommand, "keys" | "careful"> = {},
  ) => {
    const { against, done } = act;
    const title = `command.${subject}.${name}` as MessageKey; // keys made from ids are checked by keymap.test
    const route = routes[act.route];
    return ofMany({
      ...more,
      name,
      permission: route.permission,
      refuse: (rows, context) => unlessAny(rows, context, against),
      run: (rows, services, context) => plain({ subject, route, against, title, done }, rows, services, context),
    });
  };

  // One command for first and second approval: `a` means "yes" to whatever the record waits for.
  const approve = ofMany({
    name: "approve",
    permission: second ? [routes.approve.permission, second.approve.permission] : routes.approve.permission,
    keys: ["a"],
    danger: "money",
    hint: true,
    passing: rules.whileUnread,
    refuse(rows, context) {
      if (rows.length > 1) return unlessAny(rows, context, rules.leftOutOfBulk);
      return rules.approval(rows[0], context) ?? rules.blindness(rows[0], context);
    },
    run(rows, services, context) {
      if (rows.length > 1) return approvals.many(rows, services, context);
      return looksFirst(services, context) ? undefined : approvals.one(rows[0], services, context);
    },
  });

  return [
    approve,
    ofMany({
      name: "reject",
      permission: routes.reject.permission,
      keys: ["r"],
      danger: "money",
      hint: true,
      refuse: (rows, context) => unlessAny(rows, context, rules.rejection),
      run: (rows, services, context) => rejectRows(kind, rules.rejection, rows, services, context),
    }),
    plainCommand("claim", { route: "claim", done: "transaction.said.claimed", against: rules.claim }, { keys: ["t"] }),
    plainCommand("release", { route: "release", done: "transaction.said.released", against: rules.release }, { keys: ["Shift+t"] }),
    ofOne({
      name: "take-over",
      permission: routes.takeOver.permission,
      refuse: ([row], context) => rules.takeOver(row, context),
      run: ([row], services) => takeOver(routes.takeOver, subject, row, services),
    }),
    plainCommand("defer", { route: "defer", done: "transaction.said.deferred", against: rules.defer }, { keys: ["h"] }),
    ofMany({
      name: "defer-why",
      permission: routes.defer.permission,
      keys: ["Shift+u"],
      refuse: (rows, context) => unlessAny(rows, context, rules.defer),
      run: (rows, services, context) => deferWhy(kind, rules.defer, rows, services, context),
    }),
    ofQueue({ name: "take-next", keys: ["n"], changes: true, run: (_, __, context) => context.pane?.queue?.next() }),
    ofQueue({
      name: "previous",
      keys: ["Shift+n"],
      refuse: (_, context) => (context.pane?.queue?.active === true ? null : "transaction.refuse.no-queue"),
      run: (_, __, context) => context.pane?.queue?.previous(),
    }),
    ofQueue({
      name: "queue",
      keys: ["q"],
      hint: true,
      changes: true,
      run(_, __, context) {
        const queue = context.pane?.queue;
        if (queue?.active === true) queue.leave();
        else queue?.enter();
      },
    }),
    ofOne({
      name: "remark",
      permission: routes.remark.permission,
      keys: ["e", "F2"],
      run: ([row], services) => {
        const { uuid, version } = row;
        const send = async (text: string): Promise<Row> =>
          (await services.call(routes.remark, { params: { uuid }, body: { version, remark: text } })).data;
        return remark(row, subject, send, services);
      },
    }),
    ...(second === undefined
      ? []
      : [
          ofOne({
            name: "hand-back",
            permission: second.handBack.permission,
            keys: ["Shift+h"],
            danger: "money",
            refuse: ([row], context) => rules.handBack(row, context),
            run: ([row], services) => handBack(second.handBack, subject, row, services),
          }),
        ]),
    // No key on purpose; while the window is open `z` recalls.
    ofOne({
      name: "recall",
      permission: routes.recall.permission,
      danger: "money",
      refuse: ([row]) => rules.recall(row),
      run: ([row], services, context) => approvals.recall(row, services, context),
    }),
    plainCommand(
      "send-callback",
      { route: "sendCallback", done: "transaction.said.callback-sent", against: rules.callback },
      { careful: true },
    ),
    {
      ...ofOne({
        name: "callbacks",
        permission: merchantCallbackRoutes.listMerchantCallbacks.permission,
        keys: ["Shift+w"],
        run: ([{ txn_no }], { go }) => go("merchant-callbacks", { search: { txn_no, created_at: "2000-01-01.." } }),
      }),
      leadsTo: "merchant-callbacks",
    },
    // by name; the digits are the view commands'
    ...kind.views.map((view) =>
      screenCommand(kind, {
        name: `view-${view}`,
        permission: routes.list.permission,
        run: (_, { go }) => go(kind.screen, { search: { view } }),
      }),
    ),
  ];
}

type Rule<Row> = (row: Row, context: Context) => Reason | null;
