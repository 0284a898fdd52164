import { Refusal } from "../../contract/problems.ts";
import type { Received } from "../../contract/route.ts";
import type { RowRef } from "../../contract/wire.ts";
import type { Withdrawal, WithdrawalQuery, WithdrawalView } from "../../contract/withdrawals.ts";
import { countedViews, withdrawalRoutes } from "../../contract/withdrawals.ts";
import type { StaffCall } from "../call.ts";
import { inTenant } from "../db/scope.ts";
import type { Handlers } from "../handlers.ts";
import { once } from "../idempotency.ts";
import { onRows } from "./acts.ts";
import { claim, defer, release, renew, takeNext, takeOver } from "./claims.ts";
import { handBack, reject, remark, resendCallback } from "./decisions.ts";
import { openListOf } from "./open-totals.ts";
import type { OpenList } from "./open-totals.ts";
import type { Branch } from "./transaction-filters.ts";
import { anyRow, countTransactions, listTransactions, todaysBranches } from "./transaction-list.ts";
import type { KnownWithdrawal } from "./transaction-rows.ts";
import { findWithdrawal } from "./transaction-rows.ts";
import { refer } from "./reference.ts";
import { approve, recall, secondApprove } from "./withdrawal-decisions.ts";
import { withdrawalKind } from "./withdrawal-kind.ts";
import { judge, loadDecisionFacts, withdrawalDetail, withdrawalView } from "./withdrawal-rows.ts";

/** The rows of each view, as ranges of an index. */
export function branchesOf(view: WithdrawalView, { caller, currencyFacts }: StaffCall): Branch[] {
  switch (view) {
    case "queue":
      return [{ statuses: ["pending", "process"] }];
    case "mine":
      return [{ statuses: ["process"], given: { claimed_by: caller.id } }];
    case "process":
      return [{ statuses: ["process"] }];
    case "second":
      return [{ statuses: ["process"], given: { first_approved: true } }];
    case "today":
      return todaysBranches(currencyFacts);
    case "all":
      return [anyRow];
  }
}

/** The order of a view when none is asked for. */
export const defaultSortOf = (view: WithdrawalView): string => (view === "queue" ? "due_at" : "-created_at");

/** The rows of a list as `readOpenTotals` takes them; null: they are not all open, or a filter needs its own statement. */
export const openWithdrawals = (call: StaffCall, query: WithdrawalQuery): OpenList | null =>
  openListOf(branchesOf(query.view, call), query, call.caller.id);

async function list(call: StaffCall, { query }: Received<typeof withdrawalRoutes.listWithdrawals>) {
  const { deps, tenant, currency } = call;
  return inTenant(deps.database, tenant, async (db) => {
    const { rows, meta } = await listTransactions<KnownWithdrawal>(
      db,
      { tenant, currency, kind: "withdrawal", caller: call.caller.id },
      query,
      branchesOf(query.view, call),
      defaultSortOf(query.view),
    );
    const facts = await loadDecisionFacts(db, rows);
    return { data: rows.map((row) => withdrawalView(row, facts, judge(row, facts))), meta };
  });
}

/** Claims before approving, under a key derived from the act's, so that a repeated act finds its claim. */
const claimFirst = (call: StaffCall, ref: RowRef): Promise<Withdrawal> =>
  once(call, `${ref.uuid}:claim`, (db) => claim(db, withdrawalKind, call, ref));

export const withdrawalHandlers: Handlers<typeof withdrawalRoutes, StaffCall> = {
  listWithdrawals: list,

  async countWithdrawals(call) {
    const { deps, tenant, currency } = call;
    const views = Object.fromEntries(countedViews.map((view) => [view, branchesOf(view, call)]));
    const scope = { tenant, currency, kind: "withdrawal", caller: call.caller.id } as const;
    return { data: await inTenant(deps.database, tenant, (db) => countTransactions(db, scope, views)) };
  },

  async readWithdrawal({ deps, tenant, currency }, { params: { uuid } }) {
    return inTenant(deps.database, tenant, async (db) => {
      const found = await findWithdrawal(db, { tenant, uuid, currency }, "read");
      if (!found) throw new Refusal("not-found");
      return { data: await withdrawalDetail(db, found.row, found.settings) };
    });
  },

  async takeNextWithdrawal(call, { body: { skip } }) {
    const data = await once(call, null, (db) => takeNext(db, withdrawalKind, call, skip));
    call.deps.publisher.changed(call.tenant, "withdraw", [data.row.uuid]);
    return { data };
  },

  claimWithdrawals: (call, { body: { rows } }) => onRows(call, "withdraw", rows, (db, ref) => claim(db, withdrawalKind, call, ref)),

  async renewWithdrawalClaims(call, { body: { uuids } }) {
    return { data: await inTenant(call.deps.database, call.tenant, (db) => renew(db, withdrawalKind, call, uuids)) };
  },

  releaseWithdrawals: (call, { body: { rows } }) => onRows(call, "withdraw", rows, (db, ref) => release(db, withdrawalKind, call, ref)),

  deferWithdrawals: (call, { body: { rows, reason } }) =>
    onRows(call, "withdraw", rows, (db, ref) => defer(db, withdrawalKind, call, ref, reason)),

  takeOverWithdrawals: (call, { body: { rows, reason } }) =>
    onRows(call, "withdraw", rows, (db, ref) => takeOver(db, withdrawalKind, call, ref, reason)),

  async approveWithdrawals(call, { body: { rows } }) {
    const { permission } = withdrawalRoutes.claimWithdrawals;
    if (rows.some((ref) => ref.claim === true) && !call.caller.permissions.has(permission))
      throw new Refusal("permission.missing", { permission });
    return onRows(
      call,
      "withdraw",
      rows,
      (db, ref, touched) => approve(db, call, ref, touched),
      async (ref) => (ref.claim === true ? { ...ref, version: (await claimFirst(call, ref)).version } : ref),
    );
  },

  secondApproveWithdrawals: (call, { body: { rows } }) =>
    onRows(call, "withdraw", rows, (db, ref, touched) => secondApprove(db, call, ref, touched)),

  handBackWithdrawals: (call, { body: { rows, reason } }) =>
    onRows(call, "withdraw", rows, (db, ref) => handBack(db, withdrawalKind, call, ref, reason)),

  rejectWithdrawals: (call, { body: { rows, reason } }) =>
    onRows(call, "withdraw", rows, (db, ref) => reject(db, withdrawalKind, call, ref, reason)),

  recallWithdrawals: (call, { body: { rows } }) => onRows(call, "withdraw", rows, (db, ref, touched) => recall(db, call, ref, touched)),

  sendWithdrawalCallbacks: (call, { body: { rows } }) =>
    onRows(call, "withdraw", rows, (db, ref) => resendCallback(db, withdrawalKind, call, ref)),

  async remarkWithdrawal(call, { params: { uuid }, body: { version, remark: text } }) {
    const data = await once(call, null, (db) => remark(db, withdrawalKind, call, { uuid, version }, text));
    call.deps.publisher.changed(call.tenant, "withdraw", [uuid]);
    return { data };
  },

  async referWithdrawal(call, { params: { uuid }, body: { version, ...reference } }) {
    const data = await once(call, null, (db) => refer(db, call, { uuid, version }, reference));
    call.deps.publisher.changed(call.tenant, "withdraw", [uuid]);
    return { data };
  },
};
