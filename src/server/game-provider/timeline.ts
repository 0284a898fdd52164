import { sql } from "kysely";
import type { DowntimeTimeline, Lane } from "../../contract/downtimes.ts";
import { mostLanes } from "../../contract/downtimes.ts";
import type { StaffCall } from "../call.ts";
import type { Scoped } from "../db/scope.ts";
import { findRecords } from "../records/record-list.ts";
import type { DowntimeRow } from "./downtime-rows.ts";
import { downtimeRows, downtimeView } from "./downtime-rows.ts";

interface Window {
  readonly downtime: string;
  readonly lane: string;
  readonly start_time: Date;
  readonly end_time: Date;
}

interface LaneRow extends Omit<Lane, "above"> {
  readonly account: string | null;
  readonly provider: string | null;
}

/** Windows of [from, to), and what they lie on: their own lanes, those above, and of an account that is down all set-ups that draw on it. */
export async function timelineOf(db: Scoped, { tenant, currency }: StaffCall, from: string, to: string): Promise<DowntimeTimeline> {
  const { rows: windows } = await sql<Window>`select d.id as downtime,
      coalesce(d.master_account_id, d.merchant_provider_id, d.provider_game_id) as lane, w.starts_at as start_time, w.ends_at as end_time
    from downtimes d cross join lateral downtime_windows(d, ${from}::timestamptz, ${to}::timestamptz) w
    where d.tenant_id = ${tenant} and d.currency = ${currency} order by w.starts_at, w.ends_at, d.id`.execute(db);
  const named = [...new Set(windows.map(({ lane }) => lane))];
  const { rows } = await sql<LaneRow>`with named as (select unnest(${named}::uuid[]) as id),
      games as (select g.* from provider_games g join named on named.id = g.id where g.tenant_id = ${tenant}),
      providers as (select p.* from merchant_providers p where p.tenant_id = ${tenant} and p.currency = ${currency}
        and (p.id in (select id from named) or p.id in (select merchant_provider_id from games) or p.master_account_id in (select id from named))),
      accounts as (select a.* from master_accounts a where a.tenant_id = ${tenant} and a.currency = ${currency}
        and (a.id in (select id from named) or a.id in (select master_account_id from providers))),
      counted as (select p.id, p.master_account_id, (select count(*)::integer from provider_games g
        where g.tenant_id = p.tenant_id and g.merchant_provider_id = p.id) as games from merchant_providers p
        where p.tenant_id = ${tenant} and (p.id in (select id from providers) or p.master_account_id in (select id from accounts)))
    select l.* from (
      select a.id as uuid, 'master-account' as kind, a.name, a.code as note, a.id as account, null::uuid as provider,
        (select coalesce(sum(c.games), 0)::integer from counted c where c.master_account_id = a.id) as games,
        lower(a.name) as account_key, null as provider_key, null as game_key from accounts a
      union all
      select p.id, 'merchant-provider', p.name, m.name, p.master_account_id, p.id, (select c.games from counted c where c.id = p.id),
        lower(a.name), lower(m.name) || ' ' || p.name_key, null
        from providers p join merchants m on m.tenant_id = p.tenant_id and m.id = p.merchant_id left join accounts a on a.id = p.master_account_id
      union all
      select g.id, 'provider-game', g.name, g.code, p.master_account_id, p.id, null, lower(a.name), lower(m.name) || ' ' || p.name_key, g.name_key
        from games g join providers p on p.id = g.merchant_provider_id
        join merchants m on m.tenant_id = p.tenant_id and m.id = p.merchant_id left join accounts a on a.id = p.master_account_id) l
    order by l.account_key nulls last, l.account, l.provider_key nulls first, l.provider, l.game_key nulls first, l.uuid`.execute(db);
  const lanes = rows.slice(0, mostLanes);
  const drawn = new Set(lanes.map(({ uuid }) => uuid));
  const shown = windows.filter(({ lane }) => drawn.has(lane));
  const downtimes = await findRecords<DowntimeRow>(db, downtimeRows(tenant, currency), [...new Set(shown.map(({ downtime }) => downtime))]);
  return {
    lanes: lanes.map(({ uuid, kind, name, note, games, account, provider }) => ({
      uuid,
      kind,
      name,
      note,
      games,
      above: kind === "provider-game" ? provider : kind === "merchant-provider" ? account : null,
    })),
    more: rows.length - lanes.length,
    windows: shown.map((window) => ({
      ...window,
      start_time: window.start_time.toISOString(),
      end_time: window.end_time.toISOString(),
    })),
    downtimes: downtimes.map(downtimeView),
  };
}
