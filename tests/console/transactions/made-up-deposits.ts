import { z } from "zod";
import { decisionFields } from "../../../src/contract/decisions.ts";
import type { DecisionRoutes } from "../../../src/contract/decisions.ts";
import { defineRoutes } from "../../../src/contract/route.ts";
import { Check, GivenReason, HistoryEvent, transactionFields } from "../../../src/contract/transactions.ts";
import { ListMeta, outcomeOf, RowRef, Uuid } from "../../../src/contract/wire.ts";
import type { MessageKey } from "../../../src/console/kit/texts/messages.ts";
import type { DecisionKind } from "../../../src/console/transactions/decision-kind.ts";
import { everything, mine, workList } from "../../../src/console/transactions/decision-views.ts";
import { transactionFilters } from "../../../src/console/transactions/transaction-filters.ts";
import { approvalsOf } from "../../../commands/transactions/approval.ts";
import { decisionCommands } from "../../../commands/transactions/decision-commands.ts";
import type { DecisionActs } from "../../../commands/transactions/decision-kind.ts";
import { decisionRules } from "../../../commands/transactions/decision-rules.ts";
import { aWithdrawal } from "../withdrawals/rows.ts";

// A kind of transaction that is none of the product's: what the server would have of it, and what tells it from the others.

const MadeUp = z.object({ ...transactionFields, ...decisionFields, slip: z.string() });
export type MadeUp = z.infer<typeof MadeUp>;
const MadeUpDetail = z.object({ row: MadeUp, checks: z.array(Check), history: z.array(HistoryEvent) });
type MadeUpDetail = z.infer<typeof MadeUpDetail>;

const outcomes = z.object({ outcomes: z.array(outcomeOf(MadeUp)) });
const params = z.object({ uuid: Uuid });
const read = { method: "GET", permission: "pas.transaction.deposits.view" } as const;
const write = { method: "POST", permission: "pas.transaction.deposits.process" } as const;
const onRows = (act: string) => ({ ...write, path: `/made-up/${act}`, body: z.object({ rows: z.array(RowRef) }), answer: outcomes });
const reason = z.string();
const claim = z.literal(true).optional();

const routes = defineRoutes({
  list: { ...read, path: "/made-up", query: z.object({}), answer: z.array(MadeUp), meta: ListMeta },
  counts: { ...read, path: "/made-up/counts", answer: z.record(z.string(), z.int()) },
  read: { ...read, path: "/made-up/{uuid}", params, answer: MadeUpDetail },
  takeNext: { ...write, path: "/made-up/take-next", body: z.object({}), answer: MadeUpDetail },
  claim: onRows("claim"),
  renew: {
    ...write,
    path: "/made-up/renew",
    body: z.object({ uuids: z.array(Uuid) }),
    answer: z.object({ held: z.array(z.object({ uuid: Uuid, until: z.string() })), lost: z.array(Uuid) }),
  },
  release: onRows("release"),
  defer: onRows("defer"),
  takeOver: { ...onRows("take-over"), body: z.object({ rows: z.array(RowRef), reason: reason.optional() }) },
  approve: { ...onRows("approve"), body: z.object({ rows: z.array(RowRef.extend({ claim, slip: z.string() })) }) },
  reject: {
    ...onRows("reject"),
    permission: ["pas.transaction.deposits.reject", "pas.transaction.deposits.process"],
    body: z.object({ rows: z.array(RowRef), reason: GivenReason }),
  },
  recall: onRows("recall"),
  sendCallback: onRows("send-callback"),
  remark: { ...write, path: "/made-up/{uuid}/remark", params, body: z.object({ version: z.int(), remark: z.string() }), answer: MadeUp },
}) satisfies DecisionRoutes<MadeUp, MadeUpDetail>;

const own = (sentence: string): MessageKey => `deposit.${sentence}` as MessageKey; // those of the kind whose name it goes by

export const madeUpDeposits: DecisionKind<MadeUp, MadeUpDetail> = {
  subject: "deposit",
  screen: "deposits",
  live: "deposit",
  routes,
  views: [workList, mine, everything],
  filters: [transactionFilters.search, transactionFilters.status],
  settingsOf: (config) => config.withdrawals,
  own,
};

const acts: DecisionActs<MadeUp, MadeUpDetail, never> = {
  subject: "deposit",
  screen: "deposits",
  routes,
  views: ["queue", "mine", "all"],
  own,
  payeeOf: (row) => row.merchant.name,
  confirmation: (row) => ({ payee: row.merchant.name, account: row.slip, from: null, flags: [], warnings: [] }),
  sent: ({ slip }) => ({ slip }),
};
const rules = decisionRules(acts);
export const madeUpCommands = decisionCommands(acts, rules, approvalsOf(acts, rules));

/** A made-up deposit nobody has in hand. */
export const aMadeUp = (more: Partial<MadeUp> = {}): MadeUp => ({
  ...MadeUp.parse({ ...aWithdrawal({ status: "pending", claim: null }), type: "deposit", txn_no: "D1", slip: "S1" }),
  ...more,
});
