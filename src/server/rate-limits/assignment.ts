import { sql } from "kysely";
import { actorOf } from "../audit/record.ts";
import { audit } from "../audit/records.ts";
import type { StaffCall } from "../call.ts";
import type { Scoped } from "../db/scope.ts";
import { auditLabel, linkedRecords, noSuchRecord } from "../records/links.ts";
import type { Part } from "../records/record-kind.ts";

interface Assigned {
  readonly id: string;
  readonly rate_limit_group_id: string | null;
}

/**
 * Puts accounts into a group, or with `to` null into none. Groups and accounts get a new version, because the forms of all of them carry
 * the assignment, and the change is in the history of each; but the record whose form it is (`self`) sees to its own.
 */
async function assign(db: Scoped, call: StaffCall, accounts: readonly Assigned[], to: string | null, self: string): Promise<void> {
  if (accounts.length === 0) return;
  const { tenant } = call;
  const left = accounts.flatMap(({ rate_limit_group_id: old }) => (old === null ? [] : [old]));
  const concerned = [...new Set([...left, ...(to === null ? [] : [to])])];
  const groups = concerned.filter((id) => id !== self);
  const others = accounts.filter(({ id }) => id !== self);
  await sql`select from rate_limit_groups where tenant_id = ${tenant} and id = any(${groups}::uuid[]) order by id
    for no key update`.execute(db);
  const before = await codesByGroup(db, tenant, groups);
  await sql`update payment_accounts set rate_limit_group_id = ${to} where tenant_id = ${tenant}
    and id = any(${accounts.map(({ id }) => id)}::uuid[])`.execute(db);
  await renew(db, tenant, "payment_accounts", others);
  await renew(
    db,
    tenant,
    "rate_limit_groups",
    groups.map((id) => ({ id })),
  );
  const after = await codesByGroup(db, tenant, groups);
  for (const id of groups) {
    const fact = { before: { accounts: before.get(id) ?? [] }, after: { accounts: after.get(id) ?? [] } };
    await audit(db, { tenant, entity: "rate-limit-group", id }, actorOf(call), "update", fact);
  }
  const known = await linkedRecords(db, tenant, "rate_limit_groups", concerned);
  const nameOf = (id: string | null) => known.find(({ uuid }) => uuid === id)?.name ?? null;
  for (const { id, rate_limit_group_id: old } of others) {
    const fact = { before: { rate_limit_group: nameOf(old) }, after: { rate_limit_group: nameOf(to) } };
    await audit(db, { tenant, entity: "payment-account", id }, actorOf(call), "update", fact);
  }
}

async function renew(
  db: Scoped,
  tenant: string,
  table: "payment_accounts" | "rate_limit_groups",
  records: readonly { readonly id: string }[],
): Promise<void> {
  await sql`update ${sql.table(table)} set version = version + 1, updated_at = clock_timestamp()
    where tenant_id = ${tenant} and id = any(${records.map(({ id }) => id)}::uuid[])`.execute(db);
}

async function codesByGroup(db: Scoped, tenant: string, groups: readonly string[]): Promise<ReadonlyMap<string, readonly string[]>> {
  const { rows } = await sql<{ id: string; codes: string[] }>`select rate_limit_group_id as id, array_agg(code order by code) as codes
    from payment_accounts where tenant_id = ${tenant} and rate_limit_group_id = any(${groups}::uuid[]) group by 1`.execute(db);
  return new Map(rows.map(({ id, codes }) => [id, codes]));
}

const writeAccounts: Part<readonly string[]> = async (db, call, group, now) => {
  const { tenant, currency } = call;
  const { rows } = await sql<Assigned>`select id, rate_limit_group_id from payment_accounts
    where tenant_id = ${tenant} and currency = ${currency} and (rate_limit_group_id = ${group} or id = any(${now}::uuid[]))
    order by id for no key update`.execute(db);
  if (now.some((id) => !rows.some((row) => row.id === id))) return [noSuchRecord];
  const [stay, leave] = [rows.filter(({ id }) => now.includes(id)), rows.filter(({ id }) => !now.includes(id))];
  await assign(db, call, leave, null, group);
  await assign(
    db,
    call,
    stay.filter(({ rate_limit_group_id: old }) => old !== group),
    group,
    group,
  );
  return [];
};

/** The accounts of a group, by uuid. */
export const accountsOfRateGroup: Part<readonly string[]> = Object.assign(writeAccounts, {
  audited: async (db: Scoped, { tenant }: StaffCall, ids: readonly string[]) =>
    (await linkedRecords(db, tenant, "payment_accounts", ids)).map(auditLabel),
});

const writeGroup: Part<string> = async (db, call, account, now) => {
  const { tenant, currency } = call;
  const wanted = now === "" ? null : now;
  const { rows } = await sql<Assigned & { readonly exists: boolean }>`select a.id, a.rate_limit_group_id,
      ${wanted}::uuid is null or exists (select from rate_limit_groups g where g.tenant_id = a.tenant_id and g.currency = a.currency
        and g.id = ${wanted}::uuid) as exists
    from payment_accounts a where a.tenant_id = ${tenant} and a.currency = ${currency} and a.id = ${account}`.execute(db);
  if (rows.some(({ exists }) => !exists)) return [noSuchRecord];
  await assign(
    db,
    call,
    rows.filter(({ rate_limit_group_id: old }) => old !== wanted),
    wanted,
    account,
  );
  return [];
};

/** The group of an account, by uuid; "": none. */
export const rateGroupOfAccount: Part<string> = Object.assign(writeGroup, {
  audited: async (db: Scoped, { tenant }: StaffCall, id: string) =>
    id === "" ? null : ((await linkedRecords(db, tenant, "rate_limit_groups", [id])).map(auditLabel)[0] ?? null),
});
