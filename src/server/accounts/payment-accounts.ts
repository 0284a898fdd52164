import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import type { accountStatuses, PaymentAccount, PaymentAccountForm, paymentAccountRoutes } from "../../contract/payment-accounts.ts";
import type { FieldLines } from "../../contract/problems.ts";
import { Refusal } from "../../contract/problems.ts";
import { plainNumber } from "../../contract/wire.ts";
import { amountText } from "../../values/money.ts";
import { actorOf } from "../audit/record.ts";
import type { StaffCall } from "../call.ts";
import type { Scoped } from "../db/scope.ts";
import { inTenant, sqlState, violated } from "../db/scope.ts";
import type { Handlers } from "../handlers.ts";
import type { Effect } from "../idempotency.ts";
import { once } from "../idempotency.ts";
import type { RecordRef } from "../audit/records.ts";
import { audit, differences, enough, refuseInUse, stale } from "../audit/records.ts";
import { recomputeCritical } from "../payments/critical.ts";
import type { AccountRow } from "./account-rows.ts";
import { accountDetail, accountView, findAccount, groupsOfAccount, listAccounts, openOf } from "./account-rows.ts";
import { accountFaults, columnsOf, limitFaults } from "./account-rules.ts";
import type { Columns } from "./account-rules.ts";

type Status = (typeof accountStatuses)[number];

const refOf = ({ tenant }: StaffCall, id: string): RecordRef => ({ tenant, entity: "payment-account", id });

function requireSound(faults: FieldLines): void {
  if (Object.keys(faults).length > 0) throw new Refusal("request.invalid", faults);
}

/** Locks an account's counters of today and this month, made at need, so that nothing is counted against them meanwhile. */
async function lockLimits(db: Scoped, { tenant, currency, currencyFacts }: StaffCall, id: string): Promise<void> {
  await sql`insert into limit_usage as u (tenant_id, payment_account_id, kind, period, starts, used)
    select a.tenant_id, a.id, p.kind, p.period, date_trunc(p.period, local_day(now(), ${currencyFacts.zoneMinutes}::integer))::date, 0
    from payment_accounts a, (values (1, 'deposit', 'day'), (2, 'deposit', 'month'), (3, 'withdrawal', 'day'), (4, 'withdrawal', 'month'))
      p (n, kind, period)
    where a.tenant_id = ${tenant} and a.currency = ${currency} and a.id = ${id} order by p.n
    on conflict (tenant_id, payment_account_id, kind, period, starts) do update set used = u.used`.execute(db);
}

/**
 * The row as it is, locked; refused unless it is the one the caller saw. The ledger's account is locked before ours, as postings
 * do, so that `critical` follows the balance.
 */
async function lockAccount(db: Scoped, call: StaffCall, id: string, version: number, why: "change" | "delete"): Promise<AccountRow> {
  const { tenant, currency } = call;
  await sql`select from ledger_accounts where tenant_id = ${tenant} and id = (select ledger_account_id from payment_accounts
    where tenant_id = ${tenant} and currency = ${currency} and id = ${id}) for update`.execute(db);
  const lock = why === "delete" ? sql`for update` : sql`for no key update`;
  await sql`select from payment_accounts where tenant_id = ${tenant} and currency = ${currency} and id = ${id} ${lock}`.execute(db);
  const row = await findAccount(db, call, id);
  if (!row) throw new Refusal("not-found");
  if (row.version !== version) throw await stale(db, refOf(call, id), accountView(row));
  return row;
}

async function known(db: Scoped, call: StaffCall, id: string): Promise<PaymentAccount> {
  const row = await findAccount(db, call, id);
  if (!row) throw new Error(`payment account ${id} is gone within its own transaction`);
  return accountView(row);
}

type NewAccount = PaymentAccountForm & { code: string; bank: string; account_number: string };

const taken: Readonly<Record<string, FieldLines>> = {
  payment_accounts_tenant_id_code_key: { code: ["Already taken"] },
  payment_accounts_tenant_id_bank_account_number_key: { account_number: ["Already taken at this bank"] },
};

async function create(db: Scoped, call: StaffCall, { code, bank, account_number, ...form }: NewAccount): Promise<Effect<PaymentAccount>> {
  const { tenant, currency } = call;
  const columns = columnsOf(form);
  const number = plainNumber(account_number);
  requireSound({
    ...accountFaults(columns, call.currencyFacts.minorDigits),
    ...reasonFaults(null, columns),
  });
  const id = randomUUID();
  const { rows } = await sql<{ id: string }>`select ledger_account('payment-account', ${currency}, ${id}) as id`.execute(db);
  await db
    .insertInto("payment_accounts")
    .values({ ...columns, tenant_id: tenant, id, code, bank, account_number: number, currency, ledger_account_id: rows[0]?.id ?? "" })
    .execute()
    .catch((error: unknown) => {
      const fault = taken[violated(error) ?? ""];
      throw fault ? new Refusal("request.invalid", fault) : error;
    });
  await recomputeCritical(db, tenant, [id]);
  const after = { code, bank, account_number: number, currency, status: "active", ...columns };
  await audit(db, refOf(call, id), actorOf(call), "create", { after });
  return { answer: await known(db, call, id) };
}

/** A hold is somebody's freeze with a reason. */
function reasonFaults(was: Columns | null, now: Columns): FieldLines {
  const held = now.hold_amount !== "0.00" && now.hold_amount !== was?.hold_amount;
  return held && now.hold_reason === null ? { hold_reason: ["Must say why the amount is held"] } : {};
}

async function change(db: Scoped, call: StaffCall, row: AccountRow, columns: Partial<Columns> & { status?: Status }): Promise<void> {
  await db
    .updateTable("payment_accounts")
    .set({ ...columns, version: row.version + 1, updated_at: sql<Date>`clock_timestamp()` })
    .where("tenant_id", "=", call.tenant)
    .where("id", "=", row.id)
    .execute();
}

async function update(
  db: Scoped,
  call: StaffCall,
  id: string,
  { version, ...form }: PaymentAccountForm & { version: number },
): Promise<Effect<PaymentAccount>> {
  await lockLimits(db, call, id);
  const row = await lockAccount(db, call, id, version, "change");
  const [was, now] = [columnsOf(row), columnsOf(form)];
  const changes = differences(was, now);
  if (!changes) return { answer: accountView(row) };
  requireSound({ ...limitFaults(row, changes.after), ...accountFaults(now, call.currencyFacts.minorDigits), ...reasonFaults(was, now) });
  await change(db, call, row, changes.after);
  await recomputeCritical(db, call.tenant, [id]);
  await audit(db, refOf(call, id), actorOf(call), "update", changes);
  return { answer: await known(db, call, id) };
}

async function changeStatus(
  db: Scoped,
  call: StaffCall,
  id: string,
  { version, status, reason }: { version: number; status: Status; reason: string },
): Promise<Effect<PaymentAccount>> {
  const row = await lockAccount(db, call, id, version, "change");
  if (row.status === status) return { answer: accountView(row) };
  await change(db, call, row, { status });
  const fact = { before: { status: row.status }, after: { status }, reason: reason || null };
  await audit(db, refOf(call, id), actorOf(call), "change-status", fact);
  return { answer: await known(db, call, id) };
}

/** Refused while it holds money, or a transaction, a payment group or an entry of the ledger names it. */
async function remove(db: Scoped, call: StaffCall, id: string, version: number): Promise<Effect<Record<string, never>>> {
  const { tenant } = call;
  const row = await lockAccount(db, call, id, version, "delete");
  const used = await sql<{ transactions: number; entries: number }>`select
      (select count(*)::integer from (select from transactions where tenant_id = ${tenant} and payment_account_id = ${id}
        limit ${enough}) t) as transactions,
      (select least(last_seq, ${enough})::integer from ledger_accounts where tenant_id = ${tenant} and id = ${row.ledger_account_id}) as entries
    `.execute(db);
  const groups = await groupsOfAccount(db, tenant, id);
  const open = await openOf(db, call, id);
  refuseInUse({ ...used.rows[0], open, balance: amountText(row.balance), groups: groups.map(({ name }) => name) });
  await db.deleteFrom("limit_usage").where("tenant_id", "=", tenant).where("payment_account_id", "=", id).execute();
  await db
    .deleteFrom("payment_accounts")
    .where("tenant_id", "=", tenant)
    .where("id", "=", id)
    .execute()
    .catch((error: unknown) => {
      throw sqlState(error) === "23503" ? new Refusal("record.in-use") : error;
    });
  const { code, bank, account_number, currency, status } = row;
  await audit(db, refOf(call, id), actorOf(call), "delete", {
    before: { code, bank, account_number, currency, status, ...columnsOf(row) },
  });
  return { answer: {} };
}

/** Runs an act once and announces the account after the commit. */
async function announced<T>(call: StaffCall, work: (db: Scoped) => Promise<Effect<T>>, idOf: (answer: T) => string): Promise<{ data: T }> {
  const data = await once(call, null, work);
  call.house.publisher.changed(call.tenant, "paymentAccount", [idOf(data)]);
  return { data };
}

export const paymentAccountHandlers: Handlers<typeof paymentAccountRoutes, StaffCall> = {
  async listPaymentAccounts(call, { query }) {
    return inTenant(call.house.database, call.tenant, async (db) => {
      const { rows, meta } = await listAccounts(db, call, query);
      return { data: rows.map(accountView), meta };
    });
  },

  async readPaymentAccount(call, { params: { uuid } }) {
    return inTenant(call.house.database, call.tenant, async (db) => {
      const row = await findAccount(db, call, uuid);
      if (!row) throw new Refusal("not-found");
      return { data: await accountDetail(db, call, row) };
    });
  },

  createPaymentAccount: (call, { body }) =>
    announced(
      call,
      (db) => create(db, call, body),
      ({ uuid }) => uuid,
    ),

  updatePaymentAccount: (call, { params: { uuid }, body }) =>
    announced(
      call,
      (db) => update(db, call, uuid, body),
      () => uuid,
    ),

  changePaymentAccountStatus: (call, { params: { uuid }, body }) =>
    announced(
      call,
      (db) => changeStatus(db, call, uuid, body),
      () => uuid,
    ),

  deletePaymentAccount: (call, { params: { uuid }, query: { version } }) =>
    announced(
      call,
      (db) => remove(db, call, uuid, version),
      () => uuid,
    ),
};
