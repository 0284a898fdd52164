import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { expect, test } from "vitest";
import { testDatabase } from "../../support/database.ts";

const db = testDatabase();

/** Tables that belong to no tenant and are copied to every node, because tables of tenants refer to them. */
const reference: Readonly<Record<string, string>> = {
  tenants: "what tenant_id refers to",
  users: "a person may be a member of several tenants",
  sessions: "one session is for all tenants of its user",
  transitions: "which statuses may follow each other, the same for everybody",
};

/** Tables that stay on the coordinator, because nothing of a tenant refers to them. */
const local: Readonly<Record<string, string>> = {
  functions: "which functions the database has, of the installation",
  installation: "of the installation",
  migrations: "which migrations have run, of the installation",
  password_requests: "asked for before anybody has signed in",
  password_resets: "of a user",
  recovery_codes: "of a user",
  refresh_tokens: "of a session",
  sign_in_challenges: "of a user who has not signed in yet",
  throttles: "of an address or an account, before the tenant is known",
  two_factor: "of a user",
  two_factor_steps: "of a user",
  user_preferences: "of a user",
  realtime_sockets: "of a socket, which is looked for by its own id; it has a tenant for the seconds until its subscription is used",
};

const column = "tenant_id";
const names = async (sql: string): Promise<string[]> => (await db.owner.query<{ name: string }>(sql)).rows.map(({ name }) => name);

const has = (of: string) =>
  `exists (select from pg_attribute h where h.attrelid = ${of} and h.attname = '${column}' and not h.attisdropped)`;
const tables = (where: string) =>
  `select c.oid::regclass::text as name from pg_class c
    where c.relkind in ('r', 'p') and c.relnamespace = 'public'::regnamespace and ${where} order by 1`;
const ofTenants = async () => (await names(tables(has("c.oid")))).filter((name) => !(name in local));

/** Unique indexes of a table that leave the column out, as text; Citus checks uniqueness within a shard only. */
const uniqueWithout = (table: string) => `select indexrelid::regclass::text as name from pg_index i
  where i.indrelid = ${table} and (i.indisunique or i.indisexclusion) and not exists (select from unnest(i.indkey::smallint[]) k (n)
    join pg_attribute a on a.attrelid = i.indrelid and a.attnum = k.n where a.attname = '${column}')`;

/** Foreign keys of a table to another that has the column, which do not pair the two columns, or empty it. */
const foreignWithout = (table: string) => `select f.conname as name from pg_constraint f
  where f.contype = 'f' and f.conrelid = ${table} and ${has("f.confrelid")} and not (exists (
      select from unnest(f.conkey, f.confkey) k (own, other)
      join pg_attribute a on a.attrelid = f.conrelid and a.attnum = k.own join pg_attribute b on b.attrelid = f.confrelid and b.attnum = k.other
      where a.attname = '${column}' and b.attname = '${column}')
    and f.confdeltype not in ('n', 'd') and f.confupdtype not in ('n', 'd'))`;

test("a table that belongs to no tenant says why, and there is none that is gone", async () => {
  const without = await names(tables(`not ${has("c.oid")}`));
  expect(without.filter((name) => !(name in reference) && !(name in local))).toEqual([]);
  const all = await names(tables("true"));
  expect([...Object.keys(reference), ...Object.keys(local)].filter((name) => !all.includes(name))).toEqual([]);
});

test("every primary, unique and foreign key of a tenant's table carries the tenant, so that its rows can stand on a node of their own", async () => {
  const found = await ofTenants();
  expect(found.length).toBeGreaterThan(60);
  const wrong: Record<string, string[]> = {};
  for (const table of found) {
    const faults = [...(await names(uniqueWithout(`'${table}'::regclass`))), ...(await names(foreignWithout(`'${table}'::regclass`)))];
    if (faults.length > 0) wrong[table] = faults;
  }
  expect(wrong).toEqual({});
  expect(
    await names(
      tables(`${has("c.oid")} and not (select a.attnotnull from pg_attribute a where a.attrelid = c.oid and a.attname = '${column}')`),
    ),
  ).toEqual([]);
});

test("a key that leaves the tenant out would be found", async () => {
  await db.owner.query(`create table wrong (tenant_id uuid primary key references tenants, code text unique, other uuid, merchant_id uuid,
    constraint unpaired foreign key (other, merchant_id) references merchants (tenant_id, id),
    constraint emptied foreign key (tenant_id, merchant_id) references merchants (tenant_id, id) on delete set null)`);
  expect(await names(uniqueWithout("'wrong'::regclass"))).toEqual(["wrong_code_key"]);
  expect((await names(foreignWithout("'wrong'::regclass"))).toSorted()).toEqual(["emptied", "unpaired"]);
  await db.owner.query("drop table wrong");
});

test("no table that every node has, or the coordinator alone, refers to one of a tenant", async () => {
  const all = [...Object.keys(reference), ...Object.keys(local)].map((name) => `'${name}'`).join();
  const distributed = (await ofTenants()).map((name) => `'${name}'`).join();
  expect(
    await names(`select conname as name from pg_constraint where contype = 'f'
      and conrelid::regclass::text in (${all}) and confrelid::regclass::text in (${distributed})`),
  ).toEqual([]);
});

/** Stand-ins for Citus's functions, which refuse what its manual says they refuse. */
const standIns = `
  create schema stand_in;
  create table stand_in.tables (name regclass primary key, kind text not null);
  create function stand_in.refuse(fault text) returns void language plpgsql as $$ begin raise exception '%', fault; end $$;
  create function create_reference_table(one regclass) returns void language sql as $$
    select stand_in.refuse(format('%s refers to %s, which is no reference table', one, f.confrelid::regclass)) from pg_constraint f
      where f.contype = 'f' and f.conrelid = one and f.confrelid <> one
        and not exists (select from stand_in.tables t where t.name = f.confrelid and t.kind = 'reference');
    insert into stand_in.tables values (one, 'reference');
  $$;
  create function create_distributed_table(one regclass, by text) returns void language sql as $$
    select stand_in.refuse(format('%s cannot be unique on %s', name, one)) from (${uniqueWithout("one")}) u;
    select stand_in.refuse(format('%s cannot be kept on %s', name, one)) from (${foreignWithout("one")}) u;
    select stand_in.refuse(format('%s refers to %s, which is not distributed yet', one, f.confrelid::regclass)) from pg_constraint f
      where f.contype = 'f' and f.conrelid = one and f.confrelid <> one
        and not exists (select from stand_in.tables t where t.name = f.confrelid);
    insert into stand_in.tables values (one, by);
  $$;`;

test("the statements of the README distribute every table of a tenant, in an order that can be kept, and leave every constraint", async () => {
  const readme = readFileSync(resolve(import.meta.dirname, "../../../README.md"), "utf8");
  const statements = /## Past one primary\n.*?```sql\n(.*?)```/s.exec(readme)?.[1] ?? "";
  expect(statements).toContain("create extension citus;\n");
  const constraints = () =>
    names(
      "select conrelid::regclass || ' ' || conname || ' ' || pg_get_constraintdef(oid) as name from pg_constraint where conrelid <> 0 and connamespace = 'public'::regnamespace order by 1",
    );
  const before = await constraints();
  await db.owner.query(standIns);
  await db.owner.query(statements.replace("create extension citus;\n", ""));
  expect(await constraints()).toEqual(before);
  const made = (kind: string) => names(`select name::text as name from stand_in.tables where kind = '${kind}' order by 1`);
  expect(await made(column)).toEqual(await ofTenants());
  expect(await made("reference")).toEqual(Object.keys(reference).toSorted());
});
