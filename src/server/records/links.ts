import type { RawBuilder } from "kysely";
import { sql } from "kysely";
import type { Linked } from "../../contract/controls.ts";
import type { SubjectName } from "../../contract/index.ts";
import { actorOf } from "../audit/record.ts";
import { audit } from "../audit/records.ts";
import type { Scoped } from "../db/scope.ts";
import type { Tables } from "../db/tables.ts";
import type { Part } from "./record-kind.ts";

/** What stands in a field that names a record there is not. */
export const notThere = "Names a record that does not exist";

/** Which rows of which table tie two kinds of records: its columns with the ids of ours and of theirs, and their own table. */
interface Link {
  readonly table: keyof Tables;
  readonly ours: string;
  readonly theirs: string;
  readonly to: keyof Tables;
  /** Both live in a currency, and only those of the same one can be tied. */
  readonly currency?: true;
  /** Their form names our records, too, so that what we tie is on record as a change of theirs. */
  readonly back?: { readonly entity: SubjectName; readonly field: string; readonly from: keyof Tables };
}

/** One end of a link both of whose forms name the other's records: its entity, its table, the link's column with its ids. */
interface End {
  readonly entity: SubjectName;
  readonly records: keyof Tables;
  readonly id: string;
  /** The field of its form that names the other end's records. */
  readonly field: string;
}

/** One link of records that live in a currency, as each of its two ends writes it. */
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
 * Writes the records a form names by their uuids, as links. Who is tied or let go gets a new version, because its own form carries the
 * link too: whoever edits it meanwhile is told. They are locked by id, after our own row. Two people who tie the same two records from
 * both sides each hold what the other waits for: the database lets one of them begin again, and that one is told of the other.
 */
export function linked(link: Link): Part<readonly string[]> {
  const { currency, back } = link;
  const [links, our, their, others] = [sql.table(link.table), sql.ref(link.ours), sql.ref(link.theirs), sql.table(link.to)];

  const write: Part<readonly string[]> = async (db, call, id, now) => {
    const { tenant } = call;
    const own = sql`tenant_id = ${tenant} and ${our} = ${id}`;
    const before = await sql<{ id: string }>`select ${their} as id from ${links} where ${own}`.execute(db);
    const was = before.rows.map((row) => row.id);
    const [gone, come] = [was.filter((one) => !now.includes(one)), now.filter((one) => !was.includes(one))];
    const sameCurrency = currency ? sql`and currency = ${call.currency}` : sql``;
    const locked = await sql<{ id: string }>`select id from ${others} where tenant_id = ${tenant} ${sameCurrency}
      and id = any(${[...gone, ...come]}::uuid[]) order by id for no key update`.execute(db);
    const there = locked.rows.map((row) => row.id);
    if (come.some((one) => !there.includes(one))) return [notThere];
    const theirsBefore = back && (await namesByTheirs(db, tenant, link, back.from, there));
    await sql`delete from ${links} where ${own} and ${their} = any(${gone}::uuid[])`.execute(db);
    await sql`insert into ${links} (tenant_id, ${our}, ${their}) select ${tenant}, ${id}, one from unnest(${come}::uuid[]) one`.execute(db);
    await sql`update ${others} set version = version + 1, updated_at = clock_timestamp()
      where tenant_id = ${tenant} and id = any(${there}::uuid[])`.execute(db);
    if (!back || !theirsBefore) return [];
    const theirsNow = await namesByTheirs(db, tenant, link, back.from, there);
    for (const one of there) {
      const names = (of: ReadonlyMap<string, readonly string[]>) => ({ [back.field]: of.get(one) ?? [] });
      const fact = { before: names(theirsBefore), after: names(theirsNow) };
      await audit(db, { tenant, entity: back.entity, id: one }, actorOf(call), "update", fact);
    }
    return [];
  };
  const told: Part<readonly string[]>["told"] = async (db, { tenant }, ids) => (await named(db, tenant, link.to, ids)).map(calledBy);
  return Object.assign(write, { told });
}

/** The uuids a record is tied to, for its select: `theirs` of each link to `id`, in one order. */
export const linkedTo = (
  { table, ours, theirs }: Pick<Link, "table" | "ours" | "theirs">,
  tenant: string,
  id: RawBuilder<unknown>,
): RawBuilder<unknown> =>
  sql`array(select ${sql.ref(theirs)} from ${sql.table(table)} where tenant_id = ${tenant} and ${sql.ref(ours)} = ${id} order by 1)`;

/** As both a form and a row have them, to be compared: each once, in the order of `linkedTo`. */
export const inOrder = (ids: readonly string[]): string[] => [...new Set(ids)].toSorted();

/** How people call the records of a table; the code is null where they have none. */
const calls: Partial<Record<keyof Tables, { readonly code: RawBuilder<unknown>; readonly name: RawBuilder<unknown> }>> = {
  merchants: { code: sql`r.code`, name: sql`r.name` },
  payment_accounts: { code: sql`r.code`, name: sql`r.holder` },
  vendors: { code: sql`null::text`, name: sql`r.company` },
};
const plainName = { code: sql`null::text`, name: sql`r.name` };

/** The records of a table with these ids, as a form shows them, by code and name. */
export async function named(db: Scoped, tenant: string, table: keyof Tables, ids: readonly string[]): Promise<Linked[]> {
  if (ids.length === 0) return [];
  const { code, name } = calls[table] ?? plainName;
  const { rows } = await sql<Linked>`select r.id as uuid, ${name} as name, ${code} as code from ${sql.table(table)} r
    where r.tenant_id = ${tenant} and r.id = any(${ids}::uuid[]) order by code, lower(${name}), 1`.execute(db);
  return rows;
}

/** What history calls a record. */
export const calledBy = ({ code, name }: Linked): string => code ?? name;

/** Of each of theirs, what it is tied to of ours. */
async function namesByTheirs(
  db: Scoped,
  tenant: string,
  { table, ours, theirs }: Link,
  from: keyof Tables,
  ids: readonly string[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  if (ids.length === 0) return new Map();
  const { code, name } = calls[from] ?? plainName;
  const { rows } = await sql<{ id: string; names: string[] }>`select l.${sql.ref(theirs)} as id,
      array_agg(coalesce(${code}, ${name}) order by coalesce(${code}, ${name})) as names
    from ${sql.table(table)} l join ${sql.table(from)} r on r.tenant_id = l.tenant_id and r.id = l.${sql.ref(ours)}
    where l.tenant_id = ${tenant} and l.${sql.ref(theirs)} = any(${ids}::uuid[]) group by 1`.execute(db);
  return new Map(rows.map((row) => [row.id, row.names]));
}
