import { sql } from "kysely";
import type { Payer } from "../../contract/bank-transactions.ts";
import { payerColumns } from "../../contract/bank-transactions.ts";
import { Refusal } from "../../contract/problems.ts";
import type { RowRef } from "../../contract/wire.ts";
import type { Actor } from "../audit/record.ts";
import { audit, stale } from "../audit/records.ts";
import type { Scoped } from "../db/scope.ts";
import type { RecordList } from "../records/record-list.ts";
import { findRecords } from "../records/record-list.ts";
import type { LineScope } from "./add-lines.ts";
import type { LineRow } from "./line-rows.ts";

/** A merchant's customer, as a transaction names it. */
interface Customer {
  readonly merchant_id: string;
  readonly member: string;
}

const payerRef = ({ tenant }: LineScope, id: string) => ({ tenant, entity: "payer", id }) as const;

/** A match made by a person says that this account pays for this customer, also where that was revoked before. */
export async function learnPayer(db: Scoped, scope: LineScope, actor: Actor, line: LineRow, customer: Customer): Promise<void> {
  if (line.counterparty_account === null) return;
  const { rows } = await sql<{ id: string; times: number; account: string; member: string }>`insert into bank_payers
      (tenant_id, currency, account, name, merchant_id, member, last_at)
    values (${scope.tenant}, ${scope.currency}, ${line.counterparty_account}, ${line.counterparty ?? ""}, ${customer.merchant_id},
      ${customer.member}, ${line.time})
    on conflict (tenant_id, currency, account, merchant_id, member) do update
      set times = bank_payers.times + 1, status = 'active', last_at = greatest(bank_payers.last_at, excluded.last_at),
        name = coalesce(nullif(excluded.name, ''), bank_payers.name), version = bank_payers.version + 1, updated_at = clock_timestamp()
    returning id, times, account, member`.execute(db);
  const [learned] = rows;
  if (!learned) return;
  const { id, ...after } = learned;
  await audit(db, payerRef(scope, id), actor, "learn", { after });
}

/** What an undone match taught counts no longer. */
export async function forgetPayer(db: Scoped, scope: LineScope, actor: Actor, line: LineRow, customer: Customer): Promise<void> {
  if (line.counterparty_account === null) return;
  const { rows } = await sql<{ id: string; times: number }>`update bank_payers
    set times = times - 1, version = version + 1, updated_at = clock_timestamp()
    where tenant_id = ${scope.tenant} and currency = ${scope.currency} and account = ${line.counterparty_account}
      and merchant_id = ${customer.merchant_id} and member = ${customer.member} and times > 0 returning id, times`.execute(db);
  const [forgotten] = rows;
  if (!forgotten) return;
  const { id, times } = forgotten;
  await audit(db, payerRef(scope, id), actor, "forget", { before: { times: times + 1 }, after: { times } });
}

export interface PayerRow {
  readonly id: string;
  readonly version: number;
  readonly account: string;
  readonly name: string;
  readonly merchant_id: string;
  readonly merchant_code: string;
  readonly merchant_name: string;
  readonly member: string;
  readonly status: "active" | "revoked";
  readonly times: number;
  readonly last_at: Date;
  readonly created_at: Date;
  readonly updated_at: Date;
}

export const payersOf = ({ tenant, currency }: LineScope) => sql`select p.*, m.code as merchant_code, m.name as merchant_name
  from bank_payers p join merchants m on m.tenant_id = p.tenant_id and m.id = p.merchant_id
  where p.tenant_id = ${tenant} and p.currency = ${currency} and (p.times > 0 or p.status = 'revoked')`;

export const payerList: RecordList<keyof typeof payerColumns> = { columns: payerColumns };

export const payerView = (row: PayerRow): Payer => ({
  uuid: row.id,
  version: row.version,
  account: row.account,
  name: row.name,
  merchant: { uuid: row.merchant_id, code: row.merchant_code, name: row.merchant_name },
  member: row.member,
  status: row.status,
  times: row.times,
  last_at: row.last_at.toISOString(),
  created_at: row.created_at.toISOString(),
  updated_at: row.updated_at.toISOString(),
});

/** What was learned counts no longer, until a person matches the two again. */
export async function revokePayer(db: Scoped, scope: LineScope, actor: Actor, ref: RowRef, reason: string): Promise<Payer> {
  const find = async () => (await findRecords<PayerRow>(db, payersOf(scope), [ref.uuid]))[0];
  await sql`select from bank_payers where tenant_id = ${scope.tenant} and currency = ${scope.currency} and id = ${ref.uuid}
    for no key update`.execute(db);
  const row = await find();
  if (!row) throw new Refusal("not-found");
  if (row.version !== ref.version) throw await stale(db, payerRef(scope, row.id), payerView(row));
  if (row.status === "revoked") return payerView(row);
  await sql`update bank_payers set status = 'revoked', version = version + 1, updated_at = clock_timestamp()
    where tenant_id = ${scope.tenant} and id = ${row.id}`.execute(db);
  await audit(db, payerRef(scope, row.id), actor, "revoke", { before: { status: row.status }, after: { status: "revoked" }, reason });
  const now = await find();
  if (!now) throw new Error("a payer is not deleted");
  return payerView(now);
}
