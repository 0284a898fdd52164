import type { TestDatabase } from "./database.ts";

interface Watched {
  readonly name: string;
  /** Whether its rows are of a tenant. */
  readonly scoped: boolean;
}

/** What a table had when it was looked at last, and how often it had been written. */
interface Seen {
  readonly writes: string;
  readonly print: string;
}

interface Watch {
  readonly tables: readonly Watched[];
  /** By tenant, or "" for all, and table. */
  readonly seen: Map<string, Seen>;
}

/**
 * Counts the statements that write each table from now on, because only tables that were written need to be looked at again: a sequence
 * goes up at the end of a statement, also of one that changes no row or is rolled back.
 */
async function watch({ owner }: TestDatabase): Promise<Watch> {
  const { rows: tables } = await owner.query<Watched>(
    `select c.relname as name, exists (select from pg_attribute a where a.attrelid = c.oid and a.attname = 'tenant_id') as scoped
     from pg_class c where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace order by 1`,
  );
  await owner.query(
    [
      "create schema written",
      `create function written.up() returns trigger language plpgsql security definer as
        $$ begin perform nextval(tg_argv[0]::regclass); return null; end $$`,
      ...tables.flatMap(({ name }) => [
        `create sequence written.${name}`,
        `create trigger written after insert or update or delete or truncate on public.${name}
          for each statement execute function written.up('written.${name}')`,
      ]),
    ].join(";"),
  );
  return { tables, seen: new Map() };
}

const watches = new WeakMap<TestDatabase, Promise<Watch>>();

/**
 * Name → fingerprint of every table's rows (of one tenant's where given): their number, and the newest version there is of them. A
 * write makes a newer version of its row, so that even one that writes what was there is seen, and a removal leaves fewer.
 */
export async function fingerprints(
  db: TestDatabase,
  { tenant, except = [] }: { tenant?: string; except?: readonly string[] } = {},
): Promise<Record<string, string>> {
  const watching = watches.get(db) ?? watch(db);
  watches.set(db, watching);
  const { tables, seen } = await watching;
  const key = (name: string) => `${tenant ?? ""} ${name}`;
  const { rows: counts } = await db.owner.query<{ name: string; writes: string }>({
    name: "writes",
    text: `select c.relname as name, coalesce(pg_sequence_last_value(c.oid), 0)::text as writes
      from pg_class c where c.relkind = 'S' and c.relnamespace = 'written'::regnamespace`,
  });
  const writes = new Map(counts.map(({ name, writes: count }) => [name, count]));
  const asked = tables.filter(({ name, scoped }) => !except.includes(name) && (scoped || tenant === undefined));
  const stale = asked.filter(({ name }) => seen.get(key(name))?.writes !== writes.get(name));
  if (stale.length > 0) {
    const parts = stale.map(
      ({ name }) => `select '${name}' as name, count(*) || ' ' || coalesce(max(t.xmin::text::bigint), 0) as print
        from ${name} t ${tenant === undefined ? "" : "where t.tenant_id = $1"}`,
    );
    const { rows } = await db.owner.query<{ name: string; print: string }>(parts.join(" union all "), tenant === undefined ? [] : [tenant]);
    for (const { name, print } of rows) seen.set(key(name), { writes: writes.get(name) ?? "", print });
  }
  return Object.fromEntries(asked.map(({ name }) => [name, seen.get(key(name))?.print ?? ""]));
}
