import { sql } from "kysely";
import type { merchantRoutes } from "../../contract/merchant-api.ts";
import { Refusal } from "../../contract/problems.ts";
import { amountText } from "../../values/money.ts";
import { actorOf } from "../audit/record.ts";
import type { MerchantCall } from "../call.ts";
import { inTenant } from "../db/scope.ts";
import type { Handlers } from "../handlers.ts";
import { once } from "../idempotency.ts";
import { createDeposit, createWithdrawal, reportDepositPaid } from "../payments/transactions.ts";
import type { Creating } from "../payments/transactions.ts";
import { merchantView } from "../payments/transaction-rows.ts";
import type { TransactionRow } from "../payments/transaction-rows.ts";

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** The merchant API. A merchant can access only its own transactions. */
export const merchantHandlers: Handlers<typeof merchantRoutes, MerchantCall> = {
  async createDeposit(call, { body }) {
    const data = await once(call, null, async (db) => {
      const { row, account } = await createDeposit(db, creating(call), body);
      const { bank, account_number, holder } = account;
      const answer = {
        transaction: merchantView(row),
        pay_into: { bank, account_number, holder },
        expires_at: row.expires_at?.toISOString() ?? null,
      };
      return { answer, transactionId: row.id, eventN: row.events };
    });
    call.deps.publisher.changed(call.tenant, "deposit", [data.transaction.uuid]);
    return { data };
  },

  async reportDepositPaid(call, { params, body }) {
    const data = await once(call, null, async (db) => {
      const row = await reportDepositPaid(db, creating(call), params.uuid, body);
      return { answer: merchantView(row), transactionId: row.id, eventN: row.events };
    });
    call.deps.publisher.changed(call.tenant, "deposit", [data.uuid]);
    return { data };
  },

  async createWithdrawal(call, { body }) {
    const data = await once(call, null, async (db) => {
      const row = await createWithdrawal(db, creating(call), body);
      return { answer: merchantView(row), transactionId: row.id, eventN: row.events };
    });
    call.deps.publisher.changed(call.tenant, "withdraw", [data.uuid]);
    return { data };
  },

  async listMerchantTransactions(call, { query }) {
    const { limit, cursor, merchant_txn_no } = query;
    if (cursor !== undefined && !uuid.test(cursor)) throw new Refusal("request.invalid", { cursor: ["Not a row of this list"] });
    const rows = await inTenant(call.deps.database, call.tenant, async (db) => {
      // newest first; the cursor is the last row's id
      const found = await sql<TransactionRow>`select * from transactions t
        where t.tenant_id = ${call.tenant} and t.merchant_id = ${call.caller.id}
          ${merchant_txn_no === undefined ? sql`` : sql`and t.merchant_txn_no = ${merchant_txn_no}`}
          ${
            cursor === undefined
              ? sql``
              : sql`and (t.created_at, t.id) < (select c.created_at, c.id from transactions c
                  where c.tenant_id = ${call.tenant} and c.merchant_id = ${call.caller.id} and c.id = ${cursor})`
          }
        order by t.created_at desc, t.id desc limit ${limit + 1}`.execute(db);
      return found.rows;
    });
    const page = rows.slice(0, limit);
    return { data: page.map(merchantView), meta: { next: rows.length > limit ? (page.at(-1)?.id ?? null) : null, previous: null } };
  },

  async readMerchantTransaction(call, { params }) {
    const row = await inTenant(call.deps.database, call.tenant, (db) =>
      db
        .selectFrom("transactions")
        .selectAll()
        .where("tenant_id", "=", call.tenant)
        .where("merchant_id", "=", call.caller.id)
        .where("id", "=", params.uuid)
        .executeTakeFirst(),
    );
    if (!row) throw new Refusal("not-found");
    return { data: merchantView(row) };
  },

  async readBalance(call) {
    const rows = await inTenant(call.deps.database, call.tenant, (db) =>
      db
        .selectFrom("ledger_accounts")
        .select(["kind", "balance"])
        .where("tenant_id", "=", call.tenant)
        .where("owner_id", "=", call.caller.id)
        .where("currency", "=", call.caller.currency)
        .where("kind", "in", ["wallet", "hold"])
        .execute(),
    );
    const of = (kind: string) => amountText(rows.find((row) => row.kind === kind)?.balance ?? "0");
    return { data: { currency: call.caller.currency, available: of("wallet"), held: of("hold") } };
  },
};

const creating = (call: MerchantCall): Creating => ({ tenant: call.tenant, merchant: call.caller.id, actor: actorOf(call) });
