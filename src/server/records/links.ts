import type { RawBuilder } from "kysely";
import { sql } from "kysely";
import type { Linked } from "../../contract/controls.ts";
import type { SubjectName } from "../../contract/index.ts";
import { actorOf } from "../audit/record.ts";
import { audit } from "../audit/records.ts";
import type { Scoped } from "../db/scope.ts";
import type { Tables } from "../db/tables.ts";
import type { Part } from "./record-kind.ts";

/** The line of a field whose record does not exist. */
export const noSuchRecord = "Names a record that does not exist";

/** A table that links two kinds of records: its columns with our and their ids, and the table of their records. */
interface Link {
  readonly table: keyof Tables;
  readonly ours: string;
  readonly theirs: string;
  readonly to: keyof Tables;
  /** Both belong to a currency, and only records of the same one can be linked. */
  readonly currency?: true;
  /** Set when their form also edits the link, so that our change of it is audited as a change of theirs. */
  readonly back?: { readonly entity: SubjectName; readonly field: string; readonly from: keyof Tables };
}

/** One end of a link that both forms edit: its entity, its table, and the link's column with its ids. */
interface End {
  readonly entity: SubjectName;
  readonly records: keyof Tables;
  readonly id: string;
  /** The field of its form that holds the other end's records. */
  readonly field: string;
}

/** One link of records of a currency, as seen from each of its two ends. */
export function linkOfBoth(table: keyof Tables, one: End, other: End): readonly [fromOne: Link, fromOther: Link] {
  const from = (ours: End, theirs: End): Link => ({
    table,
    ours: ours.id,
    theirs: theirs.id,
    to: theirs.records,
    currency: true,
    back: { entity: theirs.entity, field: theirs.field, from: ours.records },
  });
  return [from(one, other), from(other, one)];
}

/**
 * Writes the linked records of a form field. A record that gains or loses a link gets a new version, because its own form carries the link
 * too and an edit of it under way must become stale. These records are locked by id, after our own row. Two users who link the same two
 * records from both sides wait for each other: the database aborts one as a deadlock, and its retry is refused as stale.
 */
export function linked(link: Link): Part<readonly string[]> {
  const { currency, back } = link;
  const [links, our, their, others] = [sql.table(link.table), sql.ref(link.ours), sql.ref(link.theirs), sql.table(link.to)];

  const write: Part<readonly string[]> = async (db, call, id, now) => {
    const { tenant } = call;
    const own = sql`tenant_id = ${tenant} and ${our} = ${id}`;
    const before = await sql<{ id: string }>`select ${their} as id from ${links} where ${own}`.execute(db);
    const was = before.rows.map((row) => row.id);
    const [removed, added] = [was.filter((one) => !now.includes(one)), now.filter((one) => !was.includes(one))];
    const sameCurrency = currency ? sql`and currency = ${call.currency}` : sql``;
    const locked = await sql<{ id: string }>`select id from ${others} where tenant_id = ${tenant} ${sameCurrency}
      and id = any(${[...removed, ...added]}::uuid[]) order by id for no key update`.execute(db);
    const existing = locked.rows.map((row) => row.id);
    if (added.some((one) => !existing.includes(one))) return [noSuchRecord];
    const theirsBefore = back && (await namesByTheirs(db, tenant, link, back.from, existing));
    await sql`delete from ${links} where ${own} and ${their} = any(${removed}::uuid[])`.execute(db);
    await sql`insert into ${links} (tenant_id, ${our}, ${their}) select ${tenant}, ${id}, one from unnest(${added}::uuid[]) one`.execute(
      db,
    );
    await sql`update ${others} set version = version + 1, updated_at = clock_timestamp()
      where tenant_id = ${tenant} and id = any(${existing}::uuid[])`.execute(db);
    if (!back || !theirsBefore) return [];
    const theirsNow = await namesByTheirs(db, tenant, link, back.from, existing);
    for (const one of existing) {
      const names = (of: ReadonlyMap<string, readonly string[]>) => ({ [back.field]: of.get(one) ?? [] });
      const fact = { before: names(theirsBefore), after: names(theirsNow) };
      await audit(db, { tenant, entity: back.entity, id: one }, actorOf(call), "update", fact);
    }
    return [];
  };
  const audited: Part<readonly string[]>["audited"] = async (db, { tenant }, ids) =>
    (await linkedRecords(db, tenant, link.to, ids)).map(auditLabel);
  return Object.assign(write, { audited });
}

/** The uuids of the records linked to `id`, in order, for its select. */
export const linkedTo = (
  { table, ours, theirs }: Pick<Link, "table" | "ours" | "theirs">,
  tenant: string,
  id: RawBuilder<unknown>,
): RawBuilder<unknown> =>
  sql`array(select ${sql.ref(theirs)} from ${sql.table(table)} where tenant_id = ${tenant} and ${sql.ref(ours)} = ${id} order by 1)`;

/** Uuids without duplicates, in the order of `linkedTo`, so that a form and a row can be compared. */
export const inOrder = (ids: readonly string[]): string[] => [...new Set(ids)].toSorted();

/** The code and name of a table's records; the code is null where they have none. */
const labels: Partial<Record<keyof Tables, { readonly code: RawBuilder<unknown>; readonly name: RawBuilder<unknown> }>> = {
  merchants: { code: sql`r.code`, name: sql`r.name` },
  payment_accounts: { code: sql`r.code`, name: sql`r.holder` },
  master_accounts: { code: sql`r.code`, name: sql`r.name` },
  provider_games: { code: sql`r.code`, name: sql`r.name` },
  vendors: { code: sql`null::text`, name: sql`r.company` },
};
const plainName = { code: sql`null::text`, name: sql`r.name` };
/** Code and name of a row `r` of this table. */
export const labelIn = (table: keyof Tables): NonNullable<(typeof labels)[keyof Tables]> => labels[table] ?? plainName;

/** The records of a table with these ids, by code and name, as a form shows them. */
export async function linkedRecords(db: Scoped, tenant: string, table: keyof Tables, ids: readonly string[]): Promise<Linked[]> {
  if (ids.length === 0) return [];
  const { code, name } = labelIn(table);
  const { rows } = await sql<Linked>`select r.id as uuid, ${name} as name, ${code} as code from ${sql.table(table)} r
    where r.tenant_id = ${tenant} and r.id = any(${ids}::uuid[]) order by code, lower(${name}), 1`.execute(db);
  return rows;
}

/** A record's name in the audit log. */
export const auditLabel = ({ code, name }: Linked): string => code ?? name;

/** Their id → the names of our records it is linked to. */
async function namesByTheirs(
  db: Scoped,
  tenant: string,
  { table, ours, theirs }: Link,
  from: keyof Tables,
  ids: readonly string[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  if (ids.length === 0) return new Map();
  const { code, name } = labelIn(from);
  const { rows } = await sql<{ id: string; names: string[] }>`select l.${sql.ref(theirs)} as id,
      array_agg(coalesce(${code}, ${name}) order by coalesce(${code}, ${name})) as names
    from ${sql.table(table)} l join ${sql.table(from)} r on r.tenant_id = l.tenant_id and r.id = l.${sql.ref(ours)}
    where l.tenant_id = ${tenant} and l.${sql.ref(theirs)} = any(${ids}::uuid[]) group by 1`.execute(db);
  return new Map(rows.map((row) => [row.id, row.names]));
}
