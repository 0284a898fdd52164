import type { Selectable } from "kysely";
import { sql } from "kysely";
import type { OwnDowntimes } from "../../contract/availability.ts";
import { mostOwnDowntimes } from "../../contract/availability.ts";
import type { Linked } from "../../contract/controls.ts";
import type { Downtime, DowntimeEntity, DowntimeState } from "../../contract/downtimes.ts";
import type { Scoped } from "../db/scope.ts";
import type { Tables } from "../db/tables.ts";

export interface DowntimeRow extends Selectable<Tables["downtimes"]> {
  readonly entity_type: DowntimeEntity;
  readonly entity_id: string;
  /** What its list is searched and sorted by. */
  readonly entity: string;
  readonly entity_code: string | null;
  readonly entity_name: string;
  /** The records that the path of its screen names. */
  readonly entity_params: Readonly<Record<string, string>>;
  readonly of: string;
  readonly state: DowntimeState;
  readonly start_time: Date;
  readonly end_time: Date;
  readonly repeats: Downtime["repeats"];
  readonly overlap_minutes: number;
  readonly by: string;
}

/** The screen that lists such entities. */
const entityScreens = {
  "master-account": "master-accounts",
  "merchant-provider": "merchant-providers",
  "provider-game": "provider-games",
} as const;

/** The windows of a downtime `d` that last now, come next, and were last, each as (starts_at, ends_at). */
const windows = sql`
  left join lateral (select w.* from downtime_windows(d, now(), greatest(now(), d.starts_at) + interval '8 days') w
    order by w.starts_at limit 1) next on true
  left join lateral (select w.* from downtime_windows(d, d.starts_at, least(now(), coalesce(d.repeats_until + interval '7 days', now()))) w
    where next.starts_at is null order by w.starts_at desc limit 1) last on true
  cross join lateral (select coalesce(next.starts_at, last.starts_at, d.starts_at) as start_time,
    coalesce(next.ends_at, last.ends_at, d.ends_at) as end_time) shown`;

/** Minutes of the shown window in which what stands above the entity is down as well. */
const overlap = sql`(select coalesce(sum(extract(epoch from upper(r) - lower(r))) / 60, 0)::integer from unnest((
    select range_agg(tstzrange(greatest(w.starts_at, shown.start_time), least(w.ends_at, shown.end_time)))
    from downtimes o cross join lateral downtime_windows(o, shown.start_time, shown.end_time) w
    where o.tenant_id = d.tenant_id
      and (o.master_account_id = coalesce(p.master_account_id, gp.master_account_id) or o.merchant_provider_id = gp.id))) r)`;

/** Of the currency; a list is of one, a job of any. */
export const downtimeRows = (tenant: string, currency: string | null) => sql`select t.*, (t.overlap_minutes > 0)::text as overlaps from (
  select d.*, e.*, shown.*, coalesce(e.entity_code || ' ', '') || e.entity_name as entity,
    case when d.weekly then 'weekly' else 'once' end as repeats,
    case when next.starts_at <= now() then 'now' when next.starts_at is not null then 'planned' else 'ended' end as state,
    ${overlap} as overlap_minutes, u.name as by
  from downtimes d
    left join master_accounts a on a.tenant_id = d.tenant_id and a.id = d.master_account_id
    left join merchant_providers p on p.tenant_id = d.tenant_id and p.id = d.merchant_provider_id
    left join provider_games g on g.tenant_id = d.tenant_id and g.id = d.provider_game_id
    left join merchant_providers gp on gp.tenant_id = d.tenant_id and gp.id = g.merchant_provider_id
    left join merchants m on m.tenant_id = d.tenant_id and m.id = coalesce(p.merchant_id, gp.merchant_id)
    left join users u on u.id = d.by_user
    cross join lateral (select
      case when a.id is not null then 'master-account' when p.id is not null then 'merchant-provider' else 'provider-game' end as entity_type,
      coalesce(a.id, p.id, g.id) as entity_id, coalesce(a.code, g.code) as entity_code, coalesce(a.name, p.name, g.name) as entity_name,
      case when p.id is not null then jsonb_build_object('merchantUuid', p.merchant_id)
        when g.id is not null then jsonb_build_object('merchantProviderUuid', gp.id) else '{}' end as entity_params,
      concat_ws(' · ', gp.name, m.name) as of) e
    ${windows}
  where d.tenant_id = ${tenant} ${currency === null ? sql`` : sql`and d.currency = ${currency}`}) t`;

const entityOf = ({ entity_type, entity_id, entity_code, entity_name, entity_params }: DowntimeRow): Linked => ({
  uuid: entity_id,
  name: entity_name,
  code: entity_code,
  in: { screen: entityScreens[entity_type], params: entity_params },
});

export const downtimeView = (row: DowntimeRow): Downtime => ({
  uuid: row.id,
  version: row.version,
  entity_type: row.entity_type,
  entity: entityOf(row),
  of: row.of,
  currency: row.currency,
  state: row.state,
  start_time: row.start_time.toISOString(),
  end_time: row.end_time.toISOString(),
  minutes: Math.round((row.end_time.getTime() - row.start_time.getTime()) / 60_000),
  repeats: row.repeats,
  reason: row.reason,
  overlap_minutes: row.overlap_minutes === 0 ? null : row.overlap_minutes,
  by: row.by,
  starts_at: row.starts_at.toISOString(),
  ends_at: row.ends_at.toISOString(),
  repeats_until: row.repeats_until?.toISOString() ?? null,
  zone: row.zone,
  created_at: row.created_at.toISOString(),
  updated_at: row.updated_at.toISOString(),
});

/** Downtimes of a currency that last now, and when the next one begins. */
export async function currentDowntimes(db: Scoped, tenant: string, currency: string): Promise<{ active: number; next_at: string | null }> {
  const { rows } = await sql<{ active: number; next_at: Date | null }>`select
      count(*) filter (where w.starts_at <= now())::integer as active, min(w.starts_at) filter (where w.starts_at > now()) as next_at
    from downtimes d cross join lateral downtime_windows(d, now(), now() + interval '8 days') w
    where d.tenant_id = ${tenant} and d.currency = ${currency}`.execute(db);
  return { active: rows[0]?.active ?? 0, next_at: rows[0]?.next_at?.toISOString() ?? null };
}

/** The downtimes of a master account itself that last or come next, by start. */
export async function ownDowntimes(db: Scoped, tenant: string, account: string): Promise<OwnDowntimes> {
  const { rows } = await sql<DowntimeRow>`select t.* from (${downtimeRows(tenant, null)}) t
    where t.master_account_id = ${account} and t.state <> 'ended' order by t.start_time, t.id limit ${mostOwnDowntimes}`.execute(db);
  return rows.map((row) => ({
    uuid: row.id,
    state: row.state === "now" ? "now" : "planned",
    start_time: row.start_time.toISOString(),
    end_time: row.end_time.toISOString(),
    reason: row.reason,
  }));
}
