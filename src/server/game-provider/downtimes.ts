import { sql } from "kysely";
import type { DowntimeDetail, DowntimeEntity, DowntimeForm, downtimeRoutes } from "../../contract/downtimes.ts";
import { downtimeColumns, longestWeeklyDays, mostAffected } from "../../contract/downtimes.ts";
import type { FieldLines } from "../../contract/problems.ts";
import { Refusal } from "../../contract/problems.ts";
import { actorOf } from "../audit/record.ts";
import { audit } from "../audit/records.ts";
import type { StaffCall } from "../call.ts";
import type { Scoped } from "../db/scope.ts";
import { inTenant } from "../db/scope.ts";
import type { Handlers } from "../handlers.ts";
import { noSuchRecord } from "../records/links.ts";
import { recordHandlers } from "../records/record-handlers.ts";
import { findRecords } from "../records/record-list.ts";
import type { DowntimeRow } from "./downtime-rows.ts";
import { downtimeRows, downtimeView } from "./downtime-rows.ts";
import { timelineOf } from "./timeline.ts";
import { affectedBy, publishChange } from "./downtime-events.ts";

const entity = "downtime";

/** Where each kind of entity stands, and the column that names one. */
const places = {
  "master-account": { table: "master_accounts", column: "master_account_id" },
  "merchant-provider": { table: "merchant_providers", column: "merchant_provider_id" },
  "provider-game": { table: "provider_games", column: "provider_game_id" },
} as const satisfies Record<DowntimeEntity, { table: string; column: string }>;

interface Target {
  readonly kind: DowntimeEntity;
  readonly id: string;
}
interface Initial {
  readonly target: Target;
}
type OfCurrency = Pick<StaffCall, "tenant" | "currency">;

const targetOf = (of: Initial | DowntimeRow): Target => ("target" in of ? of.target : { kind: of.entity_type, id: of.entity_id });

/** What an id names among all that can be down; null: nothing of this currency. */
async function findTarget(db: Scoped, { tenant, currency }: OfCurrency, id: string): Promise<Target | null> {
  const each = Object.entries(places).map(
    ([kind, { table }]) => sql`select ${kind}::text as kind, id from ${sql.table(table)}
      where tenant_id = ${tenant} and currency = ${currency} and id = ${id}`,
  );
  const { rows } = await sql<Target>`${sql.join(each, sql` union all `)}`.execute(db);
  return rows[0] ?? null;
}

/** Holds an entity, so that two downtimes of it are planned one after the other. False: it is gone. */
async function hold(db: Scoped, tenant: string, { kind, id }: Target): Promise<boolean> {
  const { rows } = await sql`select from ${sql.table(places[kind].table)} where tenant_id = ${tenant} and id = ${id}
    for no key update`.execute(db);
  return rows.length > 0;
}

/** When a downtime lasts, as its table has it. */
interface Times {
  readonly starts_at: string;
  readonly ends_at: string;
  readonly weekly: boolean;
  readonly repeats_until: string | null;
  readonly zone: string | null;
}

interface Met {
  readonly id: string;
  readonly weekly: boolean;
  readonly first_start: Date;
  readonly first_end: Date;
  /** The first window that is met, as it is written in the currency's zone. */
  readonly from: string;
  readonly to: string;
  readonly starts_at: Date;
}

/** Days in which two repetitions have met if they ever do: a year, with all its changes of the clock, and the weeks at its ends. */
const horizonDays = 378;

/** Other downtimes of the entity whose windows meet those of `times`. Windows that only touch do not meet. */
async function metBy(db: Scoped, tenant: string, { kind, id }: Target, times: Times, own: string | null): Promise<Met[]> {
  const { rows } = await sql<Met>`with c as (select jsonb_populate_record(null::downtimes, ${JSON.stringify(times)}::jsonb) as d)
    select distinct on (o.id) o.id, o.weekly, o.starts_at as first_start, o.ends_at as first_end, 
      to_char((m.starts_at at time zone 'UTC') + make_interval(mins => y.zone_minutes), ${written}) as from,
      to_char((m.ends_at at time zone 'UTC') + make_interval(mins => y.zone_minutes), ${written}) as to, m.starts_at
    from c cross join downtimes o join currencies y on y.tenant_id = o.tenant_id and y.code = o.currency
      cross join lateral downtime_windows(c.d,
        case when (c.d).weekly then greatest((c.d).starts_at, o.starts_at - interval '8 days') else (c.d).starts_at end,
        case when (c.d).weekly then greatest((c.d).starts_at, o.starts_at) + make_interval(days => ${horizonDays}) else (c.d).ends_at end) w
      cross join lateral downtime_windows(o, w.starts_at, w.ends_at) m
    where o.tenant_id = ${tenant} and o.${sql.ref(places[kind].column)} = ${id} and o.id is distinct from ${own}::uuid
    order by o.id, m.starts_at`.execute(db);
  return rows.toSorted((a, b) => a.starts_at.getTime() - b.starts_at.getTime());
}

/** As times are written (specification, point 9). */
const written = "YYYY-MM-DD HH12:MI AM";
const instant = (at: Date | string): string => new Date(at).toISOString();

const fieldsOf = (of: DowntimeForm | DowntimeRow) => ({
  starts_at: instant(of.starts_at),
  ends_at: instant(of.ends_at),
  reason: of.reason,
  weekly: of.weekly,
  repeats_until: of.repeats_until === null ? null : instant(of.repeats_until),
  zone: of.zone || null,
  // asked for once, and kept nowhere
  ...("merge" in of && of.merge && { merge: true as const }),
});
type Fields = ReturnType<typeof fieldsOf>;

/** Rules across fields. What is changed must end in the future, because what was is not rewritten. */
function timeFaults(now: Fields, changed: Partial<Fields>): FieldLines {
  const [start, end] = [Date.parse(now.starts_at), Date.parse(now.ends_at)];
  const last = now.repeats_until === null ? null : Date.parse(now.repeats_until);
  if (end <= start) return { ends_at: ["Must be after the start"] };
  if (now.weekly && end - start > longestWeeklyDays * 86_400_000) return { ends_at: [`Must be at most ${longestWeeklyDays} days later`] };
  if (!now.weekly && last !== null) return { repeats_until: ["Must be empty, because it does not repeat"] };
  if (last !== null && last <= start) return { repeats_until: ["Must be after the start"] };
  const over = now.weekly ? last : end;
  const touched = ["starts_at", "ends_at", "weekly", "repeats_until", "zone"].some((name) => name in changed);
  if (touched && over !== null && over <= Date.now()) return { [now.weekly ? "repeats_until" : "ends_at"]: ["Must be in the future"] };
  return {};
}

/** The downtimes one-off `times` meet, and those which all of these together meet; refused where one repeats. */
async function joined(db: Scoped, tenant: string, target: Target, times: Times, own: string | null): Promise<{ met: Met[]; times: Times }> {
  const met = await metBy(db, tenant, target, times, own);
  if (times.weekly || met.some(({ weekly }) => weekly))
    throw new Refusal("request.invalid", { merge: ["Cannot be done, because one of them repeats weekly"] });
  const starts_at = instant(new Date(Math.min(Date.parse(times.starts_at), ...met.map((one) => one.first_start.getTime()))));
  const ends_at = instant(new Date(Math.max(Date.parse(times.ends_at), ...met.map((one) => one.first_end.getTime()))));
  const whole = { ...times, starts_at, ends_at };
  return starts_at === times.starts_at && ends_at === times.ends_at ? { met, times } : joined(db, tenant, target, whole, own);
}

/** Takes up the downtimes that this one meets: it lasts as long as all of them together, and they go. */
async function merge(db: Scoped, call: StaffCall, id: string): Promise<void> {
  const { tenant } = call;
  const [row] = await findRecords<DowntimeRow>(db, downtimeRows(tenant, null), [id]);
  if (!row) throw new Error(`downtime ${id} is gone within its own transaction`);
  const target = targetOf(row);
  const { met, times } = await joined(db, tenant, target, fieldsOf(row), id);
  for (const one of met) {
    const before = { starts_at: instant(one.first_start), ends_at: instant(one.first_end), merged_into: id };
    await audit(db, { tenant, entity, id: one.id }, actorOf(call), "delete", { before });
  }
  const ids = met.map((one) => one.id);
  await sql`delete from downtimes where tenant_id = ${tenant} and id = any(${ids}::uuid[])`.execute(db);
  await sql`update downtimes set starts_at = ${times.starts_at}, ends_at = ${times.ends_at}
    where tenant_id = ${tenant} and id = ${id}`.execute(db);
}

const { list, read, create, update, remove, perform } = recordHandlers({
  entity,
  table: "downtimes",
  currency: true,
  columns: downtimeColumns,
  rows: ({ tenant, currency }) => downtimeRows(tenant, currency),
  view: downtimeView,
  nameOf: (row: DowntimeRow) => row.entity_code ?? row.entity_name,
  fixed: (of: Initial | DowntimeRow): { master_account_id?: string; merchant_provider_id?: string; provider_game_id?: string } => {
    const { kind, id } = targetOf(of);
    return { [places[kind].column]: id };
  },
  fields: fieldsOf,
  refersTo: {
    master_account_id: { field: "entity", table: "master_accounts" },
    merchant_provider_id: { field: "entity", table: "merchant_providers" },
    provider_game_id: { field: "entity", table: "provider_games" },
  },
  parts: {
    merge: async (db, call, id) => {
      await merge(db, call, id);
      return [];
    },
  },
  made: async (_, { caller }) => ({ by_user: caller.id }),
  async lock(db, { tenant, currency }, id) {
    const [row] = await findRecords<DowntimeRow>(db, downtimeRows(tenant, currency), [id]);
    if (row) await hold(db, tenant, targetOf(row));
  },
  async faults(db, { tenant }, { row, now, changed }): Promise<FieldLines> {
    const [column, id] = Object.entries(now).find(([name, value]) => name.endsWith("_id") && value !== undefined) ?? [];
    const kind = (Object.keys(places) as DowntimeEntity[]).find((one) => places[one].column === column); // its keys
    if (kind === undefined || typeof id !== "string") throw new Error("a downtime is one of something");
    const target = { kind, id };
    if (row === null && !(await hold(db, tenant, target))) return { entity: [noSuchRecord] };
    const faults = timeFaults(now, changed);
    if (Object.keys(faults).length > 0 || now.merge) return faults;
    const [met] = await metBy(db, tenant, target, now, row?.id ?? null);
    return met ? { starts_at: [`Overlaps with another downtime: ${met.from} – ${met.to}`] } : {};
  },
  async written(db, { tenant }, id, changed) {
    const timed = ["starts_at", "ends_at", "weekly", "repeats_until", "zone", "merge"].some((name) => name in changed);
    if (timed) await sql`update downtimes set tell_at = now(), cut_at = null where tenant_id = ${tenant} and id = ${id}`.execute(db);
  },
  detail: (db, call, row) => detailOf(db, call, row),
  live: "downtime",
});

interface AffectedRow {
  readonly uuid: string;
  readonly name: string;
  readonly merchant: DowntimeDetail["affected"][number]["merchant"];
  readonly games: number;
  readonly count: number;
  readonly all_games: string;
}

/** What is down with it, and whose downtimes meet its shown window. */
async function detailOf(db: Scoped, { tenant, currency }: StaffCall, row: DowntimeRow): Promise<Omit<DowntimeDetail, "row" | "history">> {
  const { kind, id } = targetOf(row);
  const of =
    kind === "master-account"
      ? sql`p.master_account_id = ${id}`
      : kind === "merchant-provider"
        ? sql`p.id = ${id}`
        : sql`p.id = (select merchant_provider_id from provider_games where tenant_id = ${tenant} and id = ${id})`;
  const one = kind === "provider-game" ? sql`and g.id = ${id}` : sql``;
  const { rows: affected } = await sql<AffectedRow>`select p.id as uuid, p.name, n.games, count(*) over ()::integer as count,
      sum(n.games) over () as all_games, jsonb_build_object('uuid', m.id, 'name', m.name, 'code', m.code) as merchant
    from merchant_providers p join merchants m on m.tenant_id = p.tenant_id and m.id = p.merchant_id
      cross join lateral (select count(*)::integer as games from provider_games g
        where g.tenant_id = p.tenant_id and g.merchant_provider_id = p.id ${one}) n
    where p.tenant_id = ${tenant} and ${of} order by lower(m.name), p.name_key, p.id limit ${mostAffected}`.execute(db);
  // those above and beneath it, and those of the same beside it
  const others = await sql<DowntimeRow>`select t.* from (${downtimeRows(tenant, currency)}) t
    where t.id <> ${row.id} and t.start_time < ${row.end_time} and t.end_time > ${row.start_time} and (t.id in (
      select d.id from downtimes d
        left join provider_games g on g.tenant_id = d.tenant_id and g.id = d.provider_game_id
        left join merchant_providers p on p.tenant_id = d.tenant_id and p.id = coalesce(d.merchant_provider_id, g.merchant_provider_id)
        left join provider_games og on og.tenant_id = d.tenant_id and og.id = ${row.provider_game_id}
        left join merchant_providers op on op.tenant_id = d.tenant_id and op.id = coalesce(${row.merchant_provider_id}, og.merchant_provider_id)
      where d.tenant_id = ${tenant} and (p.id = ${id} or p.master_account_id = ${id} or g.id = ${id}
        or d.merchant_provider_id = op.id or d.master_account_id = op.master_account_id)))
    order by t.start_time, t.id limit ${mostAffected}`.execute(db);
  return {
    overlaps: others.rows.map((other) => {
      const { uuid, entity: named, entity_type, start_time, end_time } = downtimeView(other);
      return { uuid, entity: named, entity_type, start_time, end_time };
    }),
    affected: affected.map(({ uuid, name, merchant, games }) => ({ uuid, name, merchant, games })),
    affected_count: affected[0]?.count ?? 0,
    affected_games: Number(affected[0]?.all_games ?? 0),
  };
}

/** Told at once to whoever looks at what is down with it; `others` may be gone, because it has taken them up. */
async function told<T extends { data: { uuid: string } }>(
  { deps, tenant }: StaffCall,
  answer: T,
  others: readonly string[] = [],
): Promise<T> {
  const ids = [answer.data.uuid];
  publishChange(deps, tenant, [...new Set([...ids, ...others])], await affectedBy(deps, tenant, ids));
  return answer;
}

/** The downtimes that one of this entity may take up. */
const siblings = ({ deps, tenant }: StaffCall, { kind, id }: Target): Promise<string[]> =>
  inTenant(deps.database, tenant, async (db) => {
    const { rows } = await sql<{ id: string }>`select id from downtimes where tenant_id = ${tenant}
      and ${sql.ref(places[kind].column)} = ${id}`.execute(db);
    return rows.map((row) => row.id);
  });

export const downtimeHandlers: Handlers<typeof downtimeRoutes, StaffCall> = {
  listDowntimes: list,
  readDowntime: read,
  async createDowntime(call, received) {
    const { entity: id, ...form } = received.body;
    const target = await inTenant(call.deps.database, call.tenant, (db) => findTarget(db, call, id));
    if (target === null) throw new Refusal("request.invalid", { entity: [noSuchRecord] });
    const others = form.merge ? await siblings(call, target) : [];
    return told(call, await create(call, { ...received, body: { ...form, target } }), others);
  },
  async updateDowntime(call, received) {
    const { params, body } = received;
    const [row] = await inTenant(call.deps.database, call.tenant, (db) =>
      findRecords<DowntimeRow>(db, downtimeRows(call.tenant, call.currency), [params.uuid]),
    );
    const others = body.merge && row ? await siblings(call, targetOf(row)) : [];
    return told(call, await update(call, received), others);
  },
  async deleteDowntime(call, received) {
    const { deps, tenant } = call;
    const ids = [received.params.uuid];
    const affected = await affectedBy(deps, tenant, ids);
    const answer = await remove(call, received);
    publishChange(deps, tenant, ids, affected);
    return answer;
  },

  readDowntimeTimeline: (call, { query: { from, to } }) =>
    inTenant(call.deps.database, call.tenant, async (db) => ({ data: await timelineOf(db, call, from, to) })),

  async endDowntime(call, received) {
    const { data } = await perform(call, received, "end-now", async (row, db) => {
      if (row.state !== "now") throw new Refusal("downtime.not-active");
      const { rows } = await sql<{ at: Date }>`select clock_timestamp() as at`.execute(db);
      const now = rows[0]?.at.toISOString() ?? "";
      // one that repeats goes on next week
      const columns = row.weekly ? { cut_at: now } : { ends_at: now };
      return { columns: { ...columns, tell_at: now }, after: { end_time: now }, kept: {} };
    });
    return told(call, { data: data.row });
  },
};
