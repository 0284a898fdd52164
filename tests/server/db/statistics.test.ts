import { globSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { expect, test } from "vitest";
import { testDatabase } from "../../support/database.ts";

const folder = resolve(import.meta.dirname, "../../../src/server/db/migrations");
const migrations = globSync("*.sql", { cwd: folder })
  .toSorted()
  .map((name) => readFileSync(resolve(folder, name), "utf8").replaceAll(/^--.*$/gm, ""));

const db = testDatabase();

interface Statistics {
  readonly name: string;
  readonly table: string;
  readonly columns: readonly string[];
}

test("statistics that a migration makes are read by it or a later one, because a house that is grown would wait for them", async () => {
  const { rows } = await db.owner.query<Statistics>(
    `select s.stxname as name, c.relname as table, array_agg(a.attname::text order by a.attname) as columns
     from pg_statistic_ext s join pg_class c on c.oid = s.stxrelid join pg_namespace n on n.oid = s.stxnamespace and n.nspname = 'public'
     join pg_attribute a on a.attrelid = c.oid and a.attnum > 0
       and (a.attnum = any(s.stxkeys) or position(a.attname in pg_get_statisticsobjdef_expressions(s.oid)::text) > 0)
     group by 1, 2`,
  );
  expect(rows.map(({ name }) => name).toSorted()).toEqual(["transactions_approval_delay", "transactions_banks"]);
  for (const { name, table, columns } of rows) {
    const made = migrations.findIndex((sql) => sql.includes(`create statistics ${name} `));
    const read = migrations
      .slice(made)
      .flatMap((sql) => [...sql.matchAll(/\banalyze (\w+) \(([^)]+)\)/g)])
      .filter(([, of]) => of === table)
      .map(([, , named = ""]) => named.split(", "));
    expect(
      read.some((some) => columns.every((column) => some.includes(column))),
      `${name}: ${columns.join(", ")}`,
    ).toBe(true);
  }
});
