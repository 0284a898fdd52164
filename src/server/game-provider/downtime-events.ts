import { sql } from "kysely";
import { announcedBefore } from "../../contract/downtimes.ts";
import { systemActor } from "../audit/record.ts";
import { audit } from "../audit/records.ts";
import type { Deps } from "../call.ts";
import type { Scoped } from "../db/scope.ts";
import { inTenant } from "../db/scope.ts";
import { skipFailure } from "../jobs/record.ts";

/** Which tenants have downtimes that are near, begin or end. */
export const dueDowntimes = sql`select distinct tenant_id from downtimes where tell_at <= now()`;

/**
 * Tells of downtimes that are near, have begun or have ended, at most `limit`: in the console at once, and in their history. Several
 * processes may do it; each turn of one is told once. Answers those told of; what fails is added to `failed`.
 */
export async function tellDowntimes(deps: Deps, tenant: string, limit: number, failed = new Set<string>()): Promise<string[]> {
  const due = await inTenant(deps.database, tenant, (db) =>
    sql<{ id: string }>`select id from downtimes where tenant_id = ${tenant} and tell_at <= now()
      and id <> all(${[...failed]}::uuid[]) order by tell_at limit ${limit}`.execute(db),
  );
  const done: string[] = [];
  const noticed: string[] = [];
  for (const { id } of due.rows) {
    const turn = await skipFailure(deps, "downtimes", { tenant, downtime: id }, () =>
      inTenant(deps.database, tenant, (db) => tellOne(db, tenant, id)),
    );
    if (turn === undefined) failed.add(id);
    else if (turn !== "taken") done.push(id);
    if (turn === "noticed") noticed.push(id);
  }
  if (done.length > 0) publishChange(deps, tenant, done, await affectedBy(deps, tenant, done));
  if (noticed.length > 0) deps.publisher.changed(tenant, "downtimeNotice", noticed);
  return done;
}

type Phase = "announced" | "active" | "over" | null;

interface Turn {
  readonly told: Phase;
  readonly phase: Phase;
  /** The turn after this one; null: there is none. */
  readonly next_at: Date | null;
}

/** taken: another process has told it; quiet: nobody needs to hear of it. */
async function tellOne(db: Scoped, tenant: string, id: string): Promise<"taken" | "quiet" | "noticed"> {
  const { rows } = await sql<Turn>`select d.told, case
      when exists (select from downtime_windows(d, now(), now() + interval '1 microsecond')) then 'active'
      when exists (select from downtime_windows(d, now(), now() + make_interval(mins => ${announcedBefore}))) then 'announced'
      when exists (select from downtime_windows(d, d.starts_at, now())) then 'over' end as phase,
      (select min(at) from downtime_windows(d, now(), greatest(now(), d.starts_at) + interval '8 days') w,
        lateral (values (w.starts_at - make_interval(mins => ${announcedBefore})), (w.starts_at), (w.ends_at)) turn (at)
        where at > now()) as next_at
    from downtimes d where d.tenant_id = ${tenant} and d.id = ${id} and d.tell_at <= now() for no key update`.execute(db);
  const [turn] = rows;
  if (!turn) return "taken";
  const { told, phase, next_at } = turn;
  await sql`update downtimes set tell_at = ${next_at}, told = ${phase} where tenant_id = ${tenant} and id = ${id}`.execute(db);
  if (told === phase) return "quiet";
  if (phase === "active") await audit(db, { tenant, entity: "downtime", id }, systemActor, "go-down", {});
  if (told === "active") await audit(db, { tenant, entity: "downtime", id }, systemActor, "come-up", {});
  return phase === null || (phase === "over" && told !== "active") ? "quiet" : "noticed";
}

/** What is down with some downtimes. */
interface Affected {
  readonly accounts: string[];
  readonly providers: string[];
  readonly games: string[];
}

/** What these downtimes are of, and what stands beneath it; no more of a kind than an event names. */
export const affectedBy = ({ database }: Deps, tenant: string, ids: readonly string[]): Promise<Affected> =>
  inTenant(database, tenant, async (db) => {
    const { rows } = await sql<Affected>`with d as (select * from downtimes where tenant_id = ${tenant} and id = any(${ids}::uuid[])),
        p as (select id from merchant_providers where tenant_id = ${tenant}
          and (id in (select merchant_provider_id from d) or master_account_id in (select master_account_id from d)) limit 101)
      select array(select master_account_id from d where master_account_id is not null) as accounts, array(select id from p) as providers,
        array(select id from provider_games where tenant_id = ${tenant}
          and (id in (select provider_game_id from d) or merchant_provider_id in (select id from p)) limit 101) as games`.execute(db);
    return rows[0] ?? { accounts: [], providers: [], games: [] };
  });

/** Makes every list and detail that shows downtimes, or what is down with them, read it again. Call it after the commit. */
export function publishChange({ publisher }: Deps, tenant: string, ids: readonly string[], { accounts, providers, games }: Affected): void {
  publisher.changed(tenant, "downtime", ids);
  if (accounts.length > 0) publisher.changed(tenant, "masterAccount", accounts);
  if (providers.length > 0) publisher.changed(tenant, "merchantProvider", providers);
  if (games.length > 0) publisher.changed(tenant, "providerGame", games);
}
