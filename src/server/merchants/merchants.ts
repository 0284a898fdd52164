import { randomBytes, randomUUID } from "node:crypto";
import { sql } from "kysely";
import type { Merchant, MerchantForm, tenantMerchantRoutes } from "../../contract/merchants.ts";
import { Refusal } from "../../contract/problems.ts";
import { amountText } from "../../values/money.ts";
import { actorOf } from "../audit/record.ts";
import type { StaffCall } from "../call.ts";
import { requireStepUp } from "../auth/proof.ts";
import { isDevelopment } from "../config.ts";
import type { Scoped } from "../db/scope.ts";
import { inTenant, sqlState, violated } from "../db/scope.ts";
import type { Handlers } from "../handlers.ts";
import type { Effect } from "../idempotency.ts";
import { once } from "../idempotency.ts";
import { forgetEndpoint } from "../outbox/endpoints.ts";
import { merchantSecretPlace } from "../secrets/secrets.ts";
import { settingsOf } from "../settings/settings.ts";
import { findMerchant, groupsOfMerchant, listMerchants, merchantDetail, merchantView } from "./merchant-rows.ts";
import type { MerchantRow } from "./merchant-rows.ts";
import { listOf, merchantFaults } from "./merchant-rules.ts";
import type { RecordRef } from "../audit/records.ts";
import { audit, differences, enough, refuseInUse, stale } from "../audit/records.ts";

const refOf = ({ tenant }: StaffCall, id: string): RecordRef => ({ tenant, entity: "merchant", id });

/** What a form edits, as columns: of a form or of a row. */
const columnsOf = (form: MerchantForm | MerchantRow) => ({
  name: form.name,
  deposit_rate: amountText(form.deposit_rate),
  withdrawal_rate: amountText(form.withdrawal_rate),
  settlement_rate: amountText(form.settlement_rate),
  charges_borne_by: form.charges_borne_by,
  website_url: form.website_url || null,
  backoffice_url: form.backoffice_url || null,
  callback_url: form.callback_url || null,
  whitelist_ips: typeof form.whitelist_ips === "string" ? listOf(form.whitelist_ips) : form.whitelist_ips,
});
type Columns = ReturnType<typeof columnsOf>;

/** Where money and word of it go, and who may ask for it: changing one asks again who one is. */
const guarded = [
  "callback_url",
  "whitelist_ips",
  "deposit_rate",
  "withdrawal_rate",
  "settlement_rate",
] as const satisfies readonly (keyof Columns)[];

async function requireSound(db: Scoped, { house, tenant }: StaffCall, changed: Partial<Columns>): Promise<void> {
  const faults = merchantFaults(changed, isDevelopment(house.config) && (await settingsOf(db, tenant)).loopback_callbacks);
  if (Object.keys(faults).length > 0) throw new Refusal("request.invalid", faults);
}

/** The row as it is, locked; refused unless it is the one the caller saw. */
async function lockMerchant(db: Scoped, call: StaffCall, id: string, version: number, why: "change" | "delete"): Promise<MerchantRow> {
  const lock = why === "delete" ? sql`for update` : sql`for no key update`;
  await sql`select from merchants where tenant_id = ${call.tenant} and currency = ${call.currency} and id = ${id} ${lock}`.execute(db);
  const row = await findMerchant(db, call, id);
  if (!row) throw new Refusal("not-found");
  if (row.version !== version) throw await stale(db, refOf(call, id), merchantView(row));
  return row;
}

async function known(db: Scoped, call: StaffCall, id: string): Promise<Merchant> {
  const row = await findMerchant(db, call, id);
  if (!row) throw new Error(`merchant ${id} is gone within its own transaction`);
  return merchantView(row);
}

async function create(db: Scoped, call: StaffCall, { code, ...form }: MerchantForm & { code: string }): Promise<Effect<Merchant>> {
  const { house, tenant, currency } = call;
  const columns = columnsOf(form);
  await requireSound(db, call, columns);
  const id = randomUUID();
  const owner = await db.selectFrom("tenants").select("code").where("id", "=", tenant).executeTakeFirstOrThrow();
  await db
    .insertInto("merchants")
    .values({
      ...columns,
      tenant_id: tenant,
      id,
      code,
      currency,
      api_key: `${owner.code}_${randomBytes(18).toString("base64url")}`,
      secret: house.secrets.seal(`whsec_${randomBytes(32).toString("base64")}`, merchantSecretPlace(tenant, id)),
    })
    .execute()
    .catch((error: unknown) => {
      throw violated(error) === "merchants_tenant_id_code_key" ? new Refusal("request.invalid", { code: ["Already taken"] }) : error;
    });
  await audit(db, refOf(call, id), actorOf(call), "create", { after: { code, currency, status: "active", ...columns } });
  return { answer: await known(db, call, id) };
}

async function change(
  db: Scoped,
  call: StaffCall,
  row: MerchantRow,
  columns: Partial<Columns> & { status?: Merchant["status"] },
): Promise<void> {
  await db
    .updateTable("merchants")
    .set({ ...columns, version: row.version + 1, updated_at: sql<Date>`clock_timestamp()` })
    .where("tenant_id", "=", call.tenant)
    .where("id", "=", row.id)
    .execute();
  if ("callback_url" in columns) await forgetEndpoint(db, call.tenant, row.id);
}

async function update(
  db: Scoped,
  call: StaffCall,
  id: string,
  { version, ...form }: MerchantForm & { version: number },
): Promise<Effect<Merchant>> {
  const row = await lockMerchant(db, call, id, version, "change");
  const changes = differences(columnsOf(row), columnsOf(form));
  if (!changes) return { answer: merchantView(row) };
  await requireSound(db, call, changes.after);
  if (guarded.some((name) => name in changes.after)) await requireStepUp(db, call);
  await change(db, call, row, changes.after);
  await audit(db, refOf(call, id), actorOf(call), "update", changes);
  return { answer: await known(db, call, id) };
}

async function changeStatus(
  db: Scoped,
  call: StaffCall,
  id: string,
  { version, status, reason }: { version: number; status: Merchant["status"]; reason: string },
): Promise<Effect<Merchant>> {
  const row = await lockMerchant(db, call, id, version, "change");
  if (row.status === status) return { answer: merchantView(row) };
  await change(db, call, row, { status });
  const fact = { before: { status: row.status }, after: { status }, reason: reason || null };
  await audit(db, refOf(call, id), actorOf(call), "change-status", fact);
  return { answer: await known(db, call, id) };
}

/** Refused while a transaction, a payment group or an entry of the ledger names it. */
async function remove(db: Scoped, call: StaffCall, id: string, version: number): Promise<Effect<Record<string, never>>> {
  const { tenant } = call;
  const row = await lockMerchant(db, call, id, version, "delete");
  const used = await sql<{ transactions: number; entries: number }>`select
      (select count(*)::integer from (select from transactions where tenant_id = ${tenant} and merchant_id = ${id} limit ${enough}) t) as transactions,
      (select least(coalesce(sum(last_seq), 0), ${enough})::integer from ledger_accounts where tenant_id = ${tenant} and currency = ${row.currency}
        and kind in ('wallet', 'hold') and owner_id = ${id}) as entries`.execute(db);
  const groups = await groupsOfMerchant(db, tenant, id);
  refuseInUse({ ...used.rows[0], wallet: amountText(row.wallet), hold: amountText(row.hold), groups: groups.map(({ name }) => name) });
  await db
    .deleteFrom("merchants")
    .where("tenant_id", "=", tenant)
    .where("id", "=", id)
    .execute()
    .catch((error: unknown) => {
      throw sqlState(error) === "23503" ? new Refusal("record.in-use") : error;
    });
  const before = { code: row.code, currency: row.currency, status: row.status, ...columnsOf(row) };
  await audit(db, refOf(call, id), actorOf(call), "delete", { before });
  return { answer: {} };
}

export const tenantMerchantHandlers: Handlers<typeof tenantMerchantRoutes, StaffCall> = {
  async listMerchants(call, { query }) {
    return inTenant(call.house.database, call.tenant, async (db) => {
      const { rows, meta } = await listMerchants(db, call, query);
      return { data: rows.map(merchantView), meta };
    });
  },

  async readMerchant(call, { params: { uuid } }) {
    return inTenant(call.house.database, call.tenant, async (db) => {
      const row = await findMerchant(db, call, uuid);
      if (!row) throw new Refusal("not-found");
      return { data: await merchantDetail(db, call, row) };
    });
  },

  async createMerchant(call, { body }) {
    return { data: await once(call, null, (db) => create(db, call, body)) };
  },

  async updateMerchant(call, { params: { uuid }, body }) {
    return { data: await once(call, null, (db) => update(db, call, uuid, body)) };
  },

  async changeMerchantStatus(call, { params: { uuid }, body }) {
    return { data: await once(call, null, (db) => changeStatus(db, call, uuid, body)) };
  },

  async deleteMerchant(call, { params: { uuid }, query: { version } }) {
    return { data: await once(call, null, (db) => remove(db, call, uuid, version)) };
  },
};
