import type pg from "pg";
import { seedMany } from "../../../src/server/demo/many.ts";
import { listQueries } from "../../support/list-queries.ts";
import { caller } from "./caller.ts";
import { demoHouse } from "./demo-house.ts";
import { signIn, timedOf } from "./lists.ts";

export interface PartitionFigure {
  readonly what: string;
  /** p50 in ms with one table, and with one divided by month. */
  readonly whole: number;
  readonly divided: number;
}
export interface PartitionFigures {
  readonly months: number;
  readonly figures: readonly PartitionFigure[];
}

/** The id (uuid version 7) before every one of the moment `at`. */
const firstIdOf = (at: string) =>
  `(select (substr(h, 1, 8) || '-' || substr(h, 9) || '-0000-0000-000000000000')::uuid from lpad(to_hex((extract(epoch from ${at}) * 1000)::bigint), 12, '0') h)`;

/** Makes `divided`: the rows of transactions in a table for each month of their ids, with the same indexes, statistics, policies and rights. */
async function divide(owner: pg.Client): Promise<number> {
  const listOf = async (query: string) => (await owner.query<{ it: string }>(query)).rows.map(({ it }) => it);
  await owner.query(
    "create table divided (like transactions including defaults including generated including storage) partition by range (id)",
  );
  const { rows: months } = await owner.query<{ name: string; first: string; next: string }>(
    `select to_char(m, 'YYYY_MM') as name, ${firstIdOf("m")} as first, ${firstIdOf("m + interval '1 month'")} as next
      from (select min(made), max(made) from transactions, uuid_extract_timestamp(id) made) t, generate_series(date_trunc('month', min), max, '1 month') m`,
  );
  for (const { name, first, next } of months)
    await owner.query(`create table divided_${name} partition of divided for values from ('${first}') to ('${next}')`); // oxlint-disable-line no-await-in-loop -- one connection
  const columns = await listOf(
    "select attname as it from pg_attribute where attrelid = 'transactions'::regclass and attnum > 0 and not attisdropped and attgenerated = ''",
  );
  await owner.query(`insert into divided (${columns.join(", ")}) select ${columns.join(", ")} from transactions`);
  // a unique index without the id cannot be over several tables: what it refuses would have to be refused otherwise
  const indexes = await listOf(
    `select regexp_replace(pg_get_indexdef(indexrelid), '^CREATE (UNIQUE )?INDEX (\\w+) ON \\w+\\.transactions ',
        'CREATE ' || case when i.indisprimary then 'UNIQUE ' else '' end || 'INDEX \\2_divided ON divided ') as it
      from pg_index i where indrelid = 'transactions'::regclass`,
  );
  const statistics = await listOf(
    `select regexp_replace(regexp_replace(pg_get_statisticsobjdef(oid), '^CREATE STATISTICS (?:\\w+\\.)?(\\w+)', 'CREATE STATISTICS \\1_divided'),
        'FROM (?:\\w+\\.)?transactions$', 'FROM divided') as it from pg_statistic_ext where stxrelid = 'transactions'::regclass`,
  );
  const policies = await listOf(
    `select format('create policy %I on divided as %s for %s to %s using (%s)', policyname, permissive, cmd, array_to_string(roles, ', '), qual) as it
      from pg_policies where tablename = 'transactions' and cmd in ('SELECT', 'ALL')`,
  );
  const grants = await listOf(
    "select distinct format('grant select on divided to %I', grantee) as it from information_schema.role_table_grants where table_name = 'transactions' and privilege_type = 'SELECT'",
  );
  for (const statement of [
    ...indexes,
    ...statistics,
    "alter table divided enable row level security",
    "alter table divided force row level security",
    ...policies,
    ...grants,
    "vacuum analyze divided",
  ])
    await owner.query(statement); // oxlint-disable-line no-await-in-loop -- one connection
  return months.length;
}

/** Transactions of the demo, of which the others are copies. */
const fewest = 10_000;

/** The question of every list of transactions with `count` over a year, asked of one table and of one divided by month, in turns. */
export async function benchPartitions(count: number): Promise<PartitionFigures> {
  const { server, owner, close: closeHouse } = await demoHouse(fewest);
  try {
    await seedMany(owner, count, { days: 360 });
    await owner.query("vacuum analyze transactions, search_terms");
    const months = await divide(owner);
    const signedIn = async () => {
      const { token, tenant } = await signIn(server.url, owner);
      return { tenant, ...caller(server.url, token, tenant, "MYR", 4) };
    };
    const { call, close, tenant } = await signedIn();
    const get = async (path: string) => JSON.parse((await call("GET", path)).text) as { meta: { next: string | null } };
    const queries = await listQueries(owner, { tenant, currency: "MYR" }, get);
    close();
    const times = new Map<string, { whole: number[]; divided: number[] }>(queries.map(({ what }) => [what, { whole: [], divided: [] }]));
    let [standing, aside] = ["whole", "divided"] as ["whole" | "divided", "whole" | "divided"];
    for (let turn = 0; turn < 4; turn++) {
      // the order of a turn is that of the one before turned round, because a machine's speed changes
      if (turn % 2 === 1) {
        // the statements the server has prepared find the other table under the name
        await owner.query(`begin; alter table transactions rename to ${standing}; alter table ${aside} rename to transactions; commit`); // oxlint-disable-line no-await-in-loop -- in turns
        [standing, aside] = [aside, standing];
      }
      // each turn signs in anew, because all of them take longer than a token lasts
      const { call, close } = await signedIn(); // oxlint-disable-line no-await-in-loop -- in turns
      for (const { what, path } of queries) times.get(what)?.[standing].push((await timedOf(15, call, path)).p50); // oxlint-disable-line no-await-in-loop -- each alone
      close();
    }
    const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
    return { months, figures: [...times].map(([what, { whole, divided }]) => ({ what, whole: mean(whole), divided: mean(divided) })) };
  } finally {
    await closeHouse();
  }
}
