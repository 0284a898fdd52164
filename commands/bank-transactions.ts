import type { BankLine } from "../src/contract/bank-transactions.ts";
import { bankImportRoutes } from "../src/contract/bank-imports.ts";
import { ignoredAs, mostMatched } from "../src/contract/bank-transactions.ts";
import { bankTransactionRoutes as routes } from "../src/contract/bank-transaction-routes.ts";
import type { Permission } from "../src/contract/permissions.ts";
import type { AnyCommand, Reason } from "../src/console/kit/commands/command.ts";
import { defineCommand } from "../src/console/kit/commands/command.ts";
import type { Context } from "../src/console/kit/commands/context.ts";
import type { StatementSheet } from "../src/console/kit/commands/desks.ts";
import type { Services } from "../src/console/kit/commands/services.ts";
import { shownAmount } from "../src/console/kit/look/amounts.ts";
import { runAct } from "./run-act.ts";
import { actOnLines, offerUnmatch, unmatch } from "./transactions/bank-lines.ts";
import type { Lines } from "./transactions/bank-lines.ts";
import { bulkLimit } from "./transactions/rows.ts";
import { ref } from "./transactions/sending.ts";

/** Refused only when none of the lines can take it, or more than one request takes, before anything is asked. */
function unlessAny(rows: Lines, status: BankLine["status"], why: Reason): Reason | null {
  const able = rows.filter((row) => row.status === status);
  if (able.length > bulkLimit) return { key: "bank-line.refuse.too-many-lines", words: { most: bulkLimit } };
  return able.length > 0 ? null : why;
}

/** The lines an act is for: others among the marked ones are left out. */
const those = (rows: Lines, status: BankLine["status"]): Lines | null => {
  const [first, ...others] = rows.filter((row) => row.status === status);
  return first === undefined ? null : [first, ...others];
};

/** Answers whether it was matched; whoever may unmatch can take it back. */
async function match(
  line: BankLine,
  transactions: readonly { uuid: string; version: number }[],
  services: Services,
  context: Pick<Context, "permissions">,
): Promise<boolean> {
  const body = { rows: [{ ...ref(line), transactions: transactions.map(ref) }] };
  const way = `match ${transactions.map(({ uuid }) => uuid).join()}`;
  const done = await actOnLines(
    way,
    [line],
    services,
    (options) => services.call(routes.matchBankLines, { body }, options),
    "bank-line.said.matched",
  );
  const [matched] = done;
  if (matched === undefined) return false;
  offerUnmatch(matched, services, context);
  return true;
}

const step = (to: "right" | "left", former: "next" | "previous", key: string): AnyCommand =>
  defineCommand({
    id: `bank-line.suggestion-${to}`,
    formerly: [`bank-line.${former}-suggestion`],
    scope: "pane",
    screen: "bank-transactions",
    desk: "matching",
    subject: null,
    takes: "none",
    permission: routes.suggestForBankLine.permission,
    keys: [key],
    repeats: true,
    quiet: true,
    // Left and Right are screen directions, but suggestions run in reading order
    run: (_, __, { pane, rightToLeft }) => pane?.matching?.step((to === "right") === rightToLeft ? -1 : 1),
  });

const sheet = (id: `bank-line.${StatementSheet}`, name: StatementSheet, key: string, permission: Permission): AnyCommand =>
  defineCommand({
    id,
    scope: "screen",
    screen: "bank-transactions",
    desk: "imports",
    subject: null,
    takes: "none",
    permission,
    keys: [key],
    run: (_, __, { pane }) => pane?.imports?.show(name),
  });

/** What only bank lines have. */
export const bankLineCommands: readonly AnyCommand[] = [
  defineCommand({
    id: "bank-line.match",
    scope: "pane",
    desk: "matching",
    subject: "bank-line",
    takes: "one",
    permission: routes.matchBankLines.permission,
    keys: ["m"],
    hint: true,
    danger: "money",
    passing: ["bank-line.refuse.looking"],
    refuse([line], { pane }) {
      if (line.status !== "unmatched") return "bank-line.refuse.not-unmatched";
      if (pane?.matching?.knows(line.uuid) !== true) return "bank-line.refuse.looking";
      const chosen = pane.matching.chosen(line.uuid);
      if (chosen === null) return "bank-line.refuse.nothing-fits";
      return chosen.transactions.length > mostMatched ? { key: "bank-line.refuse.too-many", words: { most: mostMatched } } : null;
    },
    async run([line], services, { pane, permissions }) {
      const chosen = pane?.matching?.chosen(line.uuid);
      if (!chosen) return;
      await runAct("bank-line", line, services, async () => {
        if (await match(line, chosen.transactions, services, { permissions })) pane?.matching?.matched(chosen.id);
      });
    },
  }),
  defineCommand({
    id: "bank-line.unmatch",
    scope: "pane",
    subject: "bank-line",
    takes: "many",
    permission: routes.unmatchBankLines.permission,
    keys: ["Shift+m"],
    danger: "money",
    refuse: (lines) => unlessAny(lines, "matched", "bank-line.refuse.not-matched"),
    async run(lines, services) {
      const matched = those(lines, "matched");
      if (matched === null) return;
      const reason = await services.ask("text", {
        title: "bank-line.ask.unmatch",
        label: "bank-line.ask.reason",
        words: { count: matched.length, amount: shownAmount(matched[0].amount) },
        initial: "",
        maximum: 500,
        refuse: (typed) => (typed.trim() === "" ? "bank-line.refuse.no-reason" : null),
      });
      if (reason !== null) await unmatch(matched, reason.trim(), services);
    },
  }),
  step("right", "next", "ArrowRight"),
  step("left", "previous", "ArrowLeft"),
  defineCommand({
    id: "bank-line.import",
    scope: "screen",
    screen: "bank-transactions",
    desk: "imports",
    subject: null,
    takes: "none",
    permission: bankImportRoutes.uploadBankFile.permission,
    keys: ["Shift+i"],
    run(_, __, { pane }) {
      const line = pane?.subject === "bank-line" ? pane.cursor : null;
      pane?.imports?.open(line !== null && "payment_account" in line ? (line as BankLine).payment_account : undefined); // the row of that subject
    },
  }),
  sheet("bank-line.rules", "rules", "Shift+u", routes.readBankRules.permission),
  sheet("bank-line.payers", "payers", "Shift+y", routes.listPayers.permission),
  sheet("bank-line.balances", "balances", "Shift+b", routes.listStatementBalances.permission),
  // No key, so that no line leaves the work list by mistake.
  defineCommand({
    id: "bank-line.ignore",
    scope: "pane",
    subject: "bank-line",
    takes: "many",
    careful: true,
    permission: routes.ignoreBankLines.permission,
    refuse: (lines) => unlessAny(lines, "unmatched", "bank-line.refuse.not-unmatched"),
    async run(lines, services) {
      const unmatched = those(lines, "unmatched");
      if (unmatched === null) return;
      const words = { count: unmatched.length, amount: shownAmount(unmatched[0].amount) };
      const chosen = await services.ask("choice", {
        title: "bank-line.ask.ignore",
        words,
        options: ignoredAs.map((id) => ({ id, label: services.text(`bank-line.ignored_as.${id}`), note: "", refused: null })),
      });
      const ignore_as = ignoredAs.find((kind) => kind === chosen);
      if (ignore_as === undefined) return;
      const needsReason = ignore_as === "other";
      const reason = await services.ask("text", {
        title: "bank-line.ask.ignore",
        label: needsReason ? "bank-line.ask.reason" : "sheet.text.reason-optional",
        words,
        initial: "",
        maximum: 500,
        refuse: (typed) => (needsReason && typed.trim() === "" ? "bank-line.refuse.no-reason" : null),
      });
      if (reason === null) return;
      const body = { rows: unmatched.map(ref), ignore_as, reason: reason.trim() };
      const way = `ignore ${ignore_as} ${body.reason}`;
      await actOnLines(
        way,
        unmatched,
        services,
        (options) => services.call(routes.ignoreBankLines, { body }, options),
        "bank-line.said.ignored",
      );
    },
  }),
  defineCommand({
    id: "bank-line.take-back",
    scope: "pane",
    subject: "bank-line",
    takes: "many",
    permission: routes.takeBackBankLines.permission,
    refuse: (lines) => unlessAny(lines, "ignored", "bank-line.refuse.not-ignored"),
    async run(lines, services) {
      const ignored = those(lines, "ignored");
      if (ignored === null) return;
      const body = { rows: ignored.map(ref) };
      await actOnLines(
        "take back",
        ignored,
        services,
        (options) => services.call(routes.takeBackBankLines, { body }, options),
        "bank-line.said.taken-back",
      );
    },
  }),
];
