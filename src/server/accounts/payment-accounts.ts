import { sql } from "kysely";
import type { paymentAccountRoutes } from "../../contract/payment-accounts.ts";
import { paymentAccountColumns } from "../../contract/payment-accounts.ts";
import { Refusal } from "../../contract/problems.ts";
import { rateLimitGroupRoutes } from "../../contract/rate-limit-groups.ts";
import { countedTo } from "../../contract/records.ts";
import { plainNumber } from "../../contract/wire.ts";
import { amountText } from "../../values/money.ts";
import type { StaffCall } from "../call.ts";
import type { Scoped } from "../db/scope.ts";
import type { Handlers } from "../handlers.ts";
import { once } from "../idempotency.ts";
import { rateGroupOfAccount } from "../rate-limits/assignment.ts";
import { recomputeCritical } from "../payments/critical.ts";
import { linkedGroups, groupsOfAccount } from "../payment-groups/group-links.ts";
import { linked } from "../records/links.ts";
import { recordHandlers } from "../records/record-handlers.ts";
import type { Uses } from "../records/record-kind.ts";
import { announced } from "../transfers/transfers.ts";
import type { AccountRow } from "./account-rows.ts";
import { accountDetail, accountsOf, accountView } from "./account-rows.ts";
import { accountFaults, columnsOf, limitFaults } from "./account-rules.ts";
import { clearBalance } from "./clear-balance.ts";
import { holdHandlers } from "./holds.ts";
import { lockLedgerAccounts, lockLimits } from "./locks.ts";
import { noticeKeyHandlers } from "./notice-key.ts";
import { countOpen } from "./open-items.ts";

/** The transactions, ledger entries and payment groups of the account, and its balance. */
async function usesOf(db: Scoped, call: StaffCall, { id, balance, ledger_account_id, groups }: AccountRow): Promise<Uses> {
  const { tenant } = call;
  const used = await sql<{ transactions: number; entries: number }>`select
      (select count(*)::integer from (select from transactions where tenant_id = ${tenant} and payment_account_id = ${id}
        limit ${countedTo}) t) as transactions,
      (select least(last_seq, ${countedTo})::integer from ledger_accounts where tenant_id = ${tenant} and id = ${ledger_account_id}) as entries
    `.execute(db);
  const names = (await linkedGroups(db, tenant, groups)).map(({ name }) => name);
  return { ...used.rows[0], open: await countOpen(db, call, id), balance: amountText(balance), groups: names };
}

const { list, read, create, update, changeStatus, remove, perform } = recordHandlers({
  entity: "payment-account",
  live: "paymentAccount",
  table: "payment_accounts",
  currency: true,
  columns: paymentAccountColumns,
  stored: {
    bank: { sort: [{ name: "bank_key", type: "text" }] },
    holder: { sort: [{ name: "holder_key", type: "text" }] },
    status: { column: "shown_status" },
    // accounts never used sort first
    last_used_at: { sort: [{ name: "last_used_at", type: "timestamptz", missing: "-infinity" }] },
  },
  rows: accountsOf,
  view: accountView,
  nameOf: ({ code }) => code,
  fixed: ({ code, bank, account_number }: Pick<AccountRow, "code" | "bank" | "account_number">) => ({
    code,
    bank,
    account_number: plainNumber(account_number),
  }),
  fields: columnsOf,
  parts: { groups: linked(groupsOfAccount), rate_limit_group: rateGroupOfAccount },
  detail: accountDetail,
  faults(_, { caller }, { row, now, changed }) {
    const permission = rateLimitGroupRoutes.assignRateLimitAccounts.permission;
    const assigns = changed.rate_limit_group !== undefined && (row !== null || changed.rate_limit_group !== "");
    if (assigns && !caller.permissions.has(permission)) throw new Refusal("permission.missing", { permission });
    return { ...(row && limitFaults(row, changed)), ...accountFaults(now) };
  },
  constraints: {
    payment_accounts_tenant_id_code_key: { code: ["Already taken"] },
    payment_accounts_tenant_id_bank_account_number_key: { account_number: ["Already taken at this bank"] },
  },
  async made(db, { currency }, id) {
    const { rows } = await sql<{ ledger_account_id: string }>`select ledger_account('payment-account', ${currency}, ${id})
      as ledger_account_id`.execute(db);
    return rows[0] ?? {};
  },
  async lock(db, call, id, act) {
    if (act === "update") await lockLimits(db, call, id);
    await lockLedgerAccounts(db, call, [id]);
  },
  async written(db, { tenant }, id) {
    await recomputeCritical(db, tenant, [id]);
  },
  uses: usesOf,
  async release(db, { tenant }, { id }) {
    await db.deleteFrom("limit_usage").where("tenant_id", "=", tenant).where("payment_account_id", "=", id).execute();
  },
});

export const paymentAccountHandlers: Handlers<typeof paymentAccountRoutes, StaffCall> = {
  listPaymentAccounts: list,
  readPaymentAccount: read,
  createPaymentAccount: create,
  updatePaymentAccount: update,
  changePaymentAccountStatus: changeStatus,
  deletePaymentAccount: remove,
  ...noticeKeyHandlers(perform),
  ...holdHandlers(perform),

  clearPaymentAccount: async (call, { params: { uuid }, body }) => ({
    data: await announced(call, (touched) => once(call, null, (db) => clearBalance(db, call, uuid, body, touched))),
  }),
};
