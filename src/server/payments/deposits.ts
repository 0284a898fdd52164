import { sql } from "kysely";
import type { Deposit, DepositDetail, DepositQuery, DepositView } from "../../contract/deposits.ts";
import { countedDepositViews } from "../../contract/deposits.ts";
import { depositRoutes } from "../../contract/deposit-routes.ts";
import { Refusal } from "../../contract/problems.ts";
import type { Received } from "../../contract/route.ts";
import type { RowRef } from "../../contract/wire.ts";
import type { StaffCall } from "../call.ts";
import { inTenant } from "../db/scope.ts";
import type { Handlers } from "../handlers.ts";
import { once } from "../idempotency.ts";
import { onRows } from "./acts.ts";
import { claim, defer, release, renew, takeNext, takeOver } from "./claims.ts";
import { handBack, reject, remark, resendCallback } from "./decisions.ts";
import { approve, process, recall, reopen, secondApprove } from "./deposit-decisions.ts";
import { depositKind } from "./deposit-kind.ts";
import { depositDetail, depositView, loadDepositFacts } from "./deposit-rows.ts";
import { createManualDeposit } from "./manual-deposit.ts";
import { openListOf } from "./open-totals.ts";
import type { OpenList } from "./open-totals.ts";
import type { Branch } from "./transaction-filters.ts";
import { anyRow, countTransactions, listTransactions, todaysBranches } from "./transaction-list.ts";
import type { KnownDeposit } from "./transaction-rows.ts";
import { findDeposit } from "./transaction-rows.ts";

/** The rows of each view, as ranges of an index. */
function branchesOf(view: DepositView, { caller, currencyFacts, tenant, currency }: StaffCall): Branch[] {
  switch (view) {
    case "queue":
      return [{ statuses: ["process"] }];
    case "mine":
      return [{ statuses: ["process"], given: { claimed_by: caller.id } }];
    case "waiting":
      return [{ statuses: ["pending"] }];
    case "late":
      return [{ statuses: ["expired"], where: sql`and t.id in (select late_deposits(${tenant}::uuid, ${currency}::text))` }];
    case "second":
      return [{ statuses: ["process"], given: { first_approved: true } }];
    case "today":
      return todaysBranches(currencyFacts);
    case "all":
      return [anyRow];
  }
}

/** As `openWithdrawals`. */
export const openDeposits = (call: StaffCall, query: DepositQuery): OpenList | null =>
  openListOf(branchesOf(query.view, call), query, call.caller.id);

async function list(call: StaffCall, { query }: Received<typeof depositRoutes.listDeposits>) {
  const { deps, tenant, currency } = call;
  return inTenant(deps.database, tenant, async (db) => {
    const { rows, meta } = await listTransactions<KnownDeposit>(
      db,
      { tenant, currency, kind: "deposit", caller: call.caller.id },
      query,
      branchesOf(query.view, call),
      query.view === "queue" ? "due_at" : "-created_at",
    );
    const facts = await loadDepositFacts(db, rows);
    return { data: rows.map((row) => depositView(row, facts)), meta };
  });
}

/** Bank lines are shown only to who may see them. */
const shownTo = ({ caller }: StaffCall, detail: DepositDetail): DepositDetail =>
  caller.permissions.has("pas.transaction.bank-transactions.view") ? detail : { ...detail, lines: { matched: null, suggestions: [] } };

/** Claims before approving, under a key derived from the act's, so that a repeated act finds its claim. */
const claimFirst = (call: StaffCall, ref: RowRef): Promise<Deposit> =>
  once(call, `${ref.uuid}:claim`, (db) => claim(db, depositKind, call, ref));

export const depositHandlers: Handlers<typeof depositRoutes, StaffCall> = {
  listDeposits: list,

  async countDeposits(call) {
    const { deps, tenant, currency } = call;
    const views = Object.fromEntries(countedDepositViews.map((view) => [view, branchesOf(view, call)]));
    const scope = { tenant, currency, kind: "deposit", caller: call.caller.id } as const;
    return { data: await inTenant(deps.database, tenant, (db) => countTransactions(db, scope, views)) };
  },

  async readDeposit(call, { params: { uuid } }) {
    const { deps, tenant, currency } = call;
    return inTenant(deps.database, tenant, async (db) => {
      const found = await findDeposit(db, { tenant, uuid, currency }, "read");
      if (!found) throw new Refusal("not-found");
      return { data: shownTo(call, await depositDetail(db, found.row, found.settings)) };
    });
  },

  async createManualDeposit(call, { body }) {
    const data = await once(call, null, (db) => createManualDeposit(db, call, body));
    call.deps.publisher.changed(call.tenant, "deposit", [data.uuid]);
    return { data };
  },

  async takeNextDeposit(call, { body: { skip } }) {
    const data = await once(call, null, (db) => takeNext(db, depositKind, call, skip));
    call.deps.publisher.changed(call.tenant, "deposit", [data.row.uuid]);
    return { data: shownTo(call, data) };
  },

  claimDeposits: (call, { body: { rows } }) => onRows(call, "deposit", rows, (db, ref) => claim(db, depositKind, call, ref)),

  async renewDepositClaims(call, { body: { uuids } }) {
    return { data: await inTenant(call.deps.database, call.tenant, (db) => renew(db, depositKind, call, uuids)) };
  },

  releaseDeposits: (call, { body: { rows } }) => onRows(call, "deposit", rows, (db, ref) => release(db, depositKind, call, ref)),

  deferDeposits: (call, { body: { rows, reason } }) =>
    onRows(call, "deposit", rows, (db, ref) => defer(db, depositKind, call, ref, reason)),

  takeOverDeposits: (call, { body: { rows, reason } }) =>
    onRows(call, "deposit", rows, (db, ref) => takeOver(db, depositKind, call, ref, reason)),

  processDeposits: (call, { body: { rows } }) => onRows(call, "deposit", rows, (db, ref) => process(db, call, ref)),

  async approveDeposits(call, { body: { rows } }) {
    const { permission } = depositRoutes.claimDeposits;
    if (rows.some((ref) => ref.claim === true) && !call.caller.permissions.has(permission))
      throw new Refusal("permission.missing", { permission });
    return onRows(
      call,
      "deposit",
      rows,
      (db, ref, touched) => approve(db, call, ref, touched),
      async (ref) => (ref.claim === true ? { ...ref, version: (await claimFirst(call, ref)).version } : ref),
    );
  },

  secondApproveDeposits: (call, { body: { rows } }) =>
    onRows(call, "deposit", rows, (db, ref, touched) => secondApprove(db, call, ref, touched)),

  handBackDeposits: (call, { body: { rows, reason } }) =>
    onRows(call, "deposit", rows, (db, ref) => handBack(db, depositKind, call, ref, reason)),

  rejectDeposits: (call, { body: { rows, reason } }) =>
    onRows(call, "deposit", rows, (db, ref) => reject(db, depositKind, call, ref, reason)),

  recallDeposits: (call, { body: { rows } }) => onRows(call, "deposit", rows, (db, ref, touched) => recall(db, call, ref, touched)),

  reopenDeposits: (call, { body: { rows, reason } }) => onRows(call, "deposit", rows, (db, ref) => reopen(db, call, ref, reason)),

  sendDepositCallbacks: (call, { body: { rows } }) =>
    onRows(call, "deposit", rows, (db, ref) => resendCallback(db, depositKind, call, ref)),

  async remarkDeposit(call, { params: { uuid }, body: { version, remark: text } }) {
    const data = await once(call, null, (db) => remark(db, depositKind, call, { uuid, version }, text));
    call.deps.publisher.changed(call.tenant, "deposit", [uuid]);
    return { data };
  },
};
