import { sql } from "kysely";
import type { Deps } from "../call.ts";
import { isDevelopment } from "../config.ts";
import { inTenant } from "../db/scope.ts";
import type { Scoped } from "../db/scope.ts";
import { findRecords } from "../records/record-list.ts";
import { masterCredentialsPlace } from "../secrets/secrets.ts";
import { settingsOf } from "../settings/settings.ts";
import type { MasterAccountRow } from "./account-rows.ts";
import { accountRows, recomputeCritical, settingsIn } from "./account-rows.ts";
import { downUntil } from "./availability.ts";
import type { AccountCurrency, CheckedCredit, CredentialValues } from "./adapter.ts";
import { exactJson } from "./exact-json.ts";
import { httpAdapter } from "./http-adapter.ts";

/** Who had the accounts checked; both null: their turn came. */
interface AskedBy {
  /** The job, which asks each account once. */
  readonly job: string | null;
  readonly user: string | null;
}

/** An account with all that a check of it needs. */
interface Checked {
  readonly row: MasterAccountRow;
  readonly currency: AccountCurrency;
}

/** Whether checks of this tenant may go to the machine itself: a development setting, as for callbacks. */
export const mayLoopBack = async (db: Scoped, deps: Deps, tenant: string): Promise<boolean> =>
  isDevelopment(deps.config) && (await settingsOf(db, tenant)).loopback_callbacks;

export async function currencyOf(db: Scoped, tenant: string, code: string): Promise<AccountCurrency> {
  const row = await db
    .selectFrom("currencies")
    .select("minor_digits")
    .where("tenant_id", "=", tenant)
    .where("code", "=", code)
    .executeTakeFirstOrThrow();
  return { code, minorDigits: row.minor_digits };
}

/** Credentials as they were typed. */
export const readCredentials = (text: string): CredentialValues => exactJson(text) as CredentialValues; // its schema has seen that it is an object

/** The credentials an account keeps; none: {}. */
export function openCredentials({ secrets }: Deps, { tenant_id, id, credentials }: MasterAccountRow): CredentialValues {
  return credentials === null ? {} : readCredentials(secrets.open(credentials, masterCredentialsPlace(tenant_id, id)));
}

/**
 * Asks the providers of these accounts, all beside each other, so that one that takes long keeps no other waiting, and writes each answer
 * as it comes. No connection is held meanwhile. `told` hears how many have answered. Accounts that are gone, or that the job has asked
 * before, are left out.
 */
export async function checkAccounts(
  deps: Deps,
  tenant: string,
  ids: readonly string[],
  by: AskedBy,
  signal: AbortSignal,
  told: (answered: number) => Promise<void>,
): Promise<void> {
  const { database, publisher } = deps;
  const { open, loopback, now } = await inTenant(database, tenant, async (db) => {
    const rows = await findRecords<MasterAccountRow>(db, accountRows(tenant, null), ids);
    const asked = by.job === null ? [] : await askedBefore(db, tenant, by.job);
    const checked: Checked[] = [];
    for (const row of rows) if (!asked.includes(row.id)) checked.push({ row, currency: await currencyOf(db, tenant, row.currency) });
    const { rows: times } = await sql<{ now: Date }>`select clock_timestamp() as now`.execute(db);
    return { open: checked, loopback: await mayLoopBack(db, deps, tenant), now: times[0]?.now.getTime() ?? Number.NaN };
  });
  const readAt = performance.now();
  /** By the database's clock, because another process, whose own may differ, checks the same accounts. */
  const timeNow = () => new Date(now + performance.now() - readAt);
  let answered = ids.length - open.length;
  await told(answered);
  // one write after the other, because all at once would take every connection of the tenant
  let writing: Promise<unknown> = Promise.resolve();
  const checks = open.map(async ({ row, currency }) => {
    const at = timeNow();
    const outcome = await httpAdapter.checkCredit(openCredentials(deps, row), settingsIn(row), currency, { loopback, signal });
    // one that a stop has cut short says nothing of the provider
    if (signal.aborted) return;
    const write = async () => {
      await inTenant(database, tenant, (db) => writeCheck(db, tenant, row.id, at, outcome, by));
      publisher.changed(tenant, "masterAccount", [row.id]);
      answered += 1;
      await told(answered);
    };
    writing = writing.then(write);
    await writing;
  });
  const ended = await Promise.allSettled(checks);
  await writing;
  for (const one of ended) if (one.status === "rejected") throw one.reason;
}

async function askedBefore(db: Scoped, tenant: string, job: string): Promise<string[]> {
  const rows = db.selectFrom("master_account_checks").select("master_account_id");
  const found = await rows.where("tenant_id", "=", tenant).where("job_id", "=", job).execute();
  return found.map(({ master_account_id }) => master_account_id);
}

/** Writes a check and what it tells of the account; of two at a time the one that was begun later counts. */
async function writeCheck(db: Scoped, tenant: string, id: string, at: Date, checked: CheckedCredit, { job, user }: AskedBy): Promise<void> {
  const { request: _, ...outcome } = checked;
  const { rows } = await sql<{ last: Date | null; is_down: boolean }>`select last_checked_at as last,
      ${downUntil(tenant, { account: sql`id` })} is not null as is_down from master_accounts
    where tenant_id = ${tenant} and id = ${id} for no key update`.execute(db);
  const [account] = rows;
  if (!account) return; // deleted meanwhile
  const { numInsertedOrUpdatedRows: written } = await db
    .insertInto("master_account_checks")
    .values({ tenant_id: tenant, master_account_id: id, at, job_id: job, by_user: user, in_downtime: account.is_down, ...outcome })
    .onConflict((conflict) => conflict.columns(["tenant_id", "job_id", "master_account_id"]).where("job_id", "is not", null).doNothing())
    .executeTakeFirstOrThrow();
  if (!written || (account.last !== null && account.last > at)) return;
  const read = outcome.failure === null;
  await db
    .updateTable("master_accounts")
    .set({
      last_checked_at: at,
      // what fails during maintenance says nothing of the account
      ...((read || !account.is_down) && { failure: outcome.failure, misses: read ? 0 : sql<number>`misses + 1` }),
      ...(read && { balance: outcome.balance, has_credit: outcome.has_credit }),
    })
    .where("tenant_id", "=", tenant)
    .where("id", "=", id)
    .execute();
  await recomputeCritical(db, tenant, id);
}
