import type { merchantRoutes } from "../../contract/merchant-api.ts";
import { amountText } from "../../values/money.ts";
import { actorOf } from "../audit/record.ts";
import type { MerchantCall } from "../call.ts";
import { inTenant } from "../db/scope.ts";
import { addDepositReceipt } from "../files/receipt-handlers.ts";
import type { Handlers } from "../handlers.ts";
import { once } from "../idempotency.ts";
import { createDeposit, createWithdrawal, reportDepositPaid } from "../payments/transactions.ts";
import type { Creating } from "../payments/transactions.ts";
import { cancelWithdrawal } from "./cancel.ts";
import { listTransactions } from "./list.ts";
import { listGames, listProviders } from "./providers.ts";
import { completed, readTransaction } from "./read.ts";
import { sendTestCallback } from "../outbox/test-callback.ts";
import { readView } from "./view.ts";

/** The merchant API. A merchant can access only its own transactions. */
export const merchantHandlers: Handlers<typeof merchantRoutes, MerchantCall> = {
  async createDeposit(call, { body }) {
    const data = await once(call, null, async (db) => {
      const { row, account } = await createDeposit(db, creating(call), body);
      const { bank, account_number, holder } = account;
      const answer = {
        transaction: readView(row),
        pay_into: { bank, account_number, holder },
        expires_at: row.expires_at?.toISOString() ?? null,
      };
      return { answer, transactionId: row.id, eventN: row.events };
    });
    call.deps.publisher.changed(call.tenant, "deposit", [data.transaction.uuid]);
    return { data: { ...data, transaction: await completed(call, data.transaction) } };
  },

  async reportDepositPaid(call, { params, body }) {
    const data = await once(call, null, async (db) => {
      const row = await reportDepositPaid(db, creating(call), params.uuid, body);
      return { answer: readView(row), transactionId: row.id, eventN: row.events };
    });
    call.deps.publisher.changed(call.tenant, "deposit", [data.uuid]);
    return { data: await completed(call, data) };
  },

  async sendDepositReceipt(call, { params: { uuid }, file }) {
    const data = await addDepositReceipt(call, uuid, file, readView);
    return { data: await completed(call, data) };
  },

  async createWithdrawal(call, { body }) {
    const data = await once(call, null, async (db) => {
      const row = await createWithdrawal(db, creating(call), body);
      return { answer: readView(row), transactionId: row.id, eventN: row.events };
    });
    call.deps.publisher.changed(call.tenant, "withdraw", [data.uuid]);
    return { data: await completed(call, data) };
  },

  async cancelWithdrawal(call, { params }) {
    const data = await once(call, null, async (db) => {
      const row = await cancelWithdrawal(db, creating(call), params.uuid);
      return { answer: readView(row), transactionId: row.id, eventN: row.events };
    });
    call.deps.publisher.changed(call.tenant, "withdraw", [data.uuid]);
    return { data: await completed(call, data) };
  },

  listMerchantTransactions: (call, { query }) => listTransactions(call, query),

  async readMerchantTransaction(call, { params }) {
    return { data: await readTransaction(call, params.uuid) };
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

  listMyProviders: async (call) => ({ data: await listProviders(call) }),
  listMyGames: async (call, received) => ({ data: await listGames(call, received) }),

  async sendTestCallback(call) {
    return { data: await sendTestCallback(call, call.caller) };
  },
};

const creating = (call: MerchantCall): Creating => ({ tenant: call.tenant, merchant: call.caller.id, actor: actorOf(call) });
