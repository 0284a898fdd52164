import { randomBytes } from "node:crypto";
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import pg from "pg";
import { afterAll, afterEach, beforeEach, expect, inject, test } from "vitest";
import { editionOf, editionsFile, readFunctions } from "../../../src/server/db/functions.ts";
import { migrate, sqlFolders } from "../../../src/server/db/migrate.ts";
import { template } from "../../support/cluster.ts";

const clients: pg.Client[] = [];
const made: string[] = [];
let folder: string;

const connect = async (database?: string): Promise<pg.Client> => {
  const client = new pg.Client({ ...inject("cluster"), ...(database !== undefined && { database }) });
  await client.connect();
  clients.push(client);
  return client;
};

/** A database of its own: migrated as the server does it, or empty. */
async function newDatabase(from: "migrated" | "empty"): Promise<string> {
  const name = `functions_${randomBytes(6).toString("hex")}`;
  const superuser = await connect();
  await superuser.query(`create database ${name} ${from === "migrated" ? `template ${template} strategy file_copy` : ""}`);
  made.push(name);
  return name;
}

const inFolder = (path: string) => ({ ...sqlFolders, functions: pathToFileURL(`${path}/`) });

/** A release with our functions except `texts`, and with so many editions after ours. */
function release(later: number, texts: Readonly<Record<string, string>>): typeof sqlFolders {
  const path = mkdtempSync(join(folder, "release-"));
  cpSync(sqlFolders.functions, path, { recursive: true });
  for (const [name, text] of Object.entries(texts)) writeFileSync(join(path, name), text);
  const editions = readFileSync(new URL(editionsFile, sqlFolders.functions), "utf8");
  writeFileSync(join(path, editionsFile), editions + "another\n".repeat(later));
  return inFolder(path);
}

const answering = (n: number) => `create or replace function answer() returns integer language sql return ${n};`;
const answerOf = async (client: pg.Client): Promise<number> =>
  (await client.query<{ answer: number }>("select answer()")).rows[0]?.answer ?? NaN;

/** All functions and procedures, with their owners and who may call them. */
async function definitions(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ definition: string }>(
    `select concat(pg_get_functiondef(oid), ' owned by ', proowner::regrole, ' for ', proacl) as definition from pg_proc
     where pronamespace = 'public'::regnamespace order by oid::regprocedure::text`,
  );
  return rows.map(({ definition }) => definition);
}

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "functions-"));
});
afterEach(async () => {
  rmSync(folder, { recursive: true, force: true });
  for (const client of clients.splice(0)) await client.end();
});
afterAll(async () => {
  const superuser = await connect();
  for (const name of made) await superuser.query(`drop database ${name} with (force)`);
  await superuser.end();
});

test("the files are those of the last edition", async () => {
  const { files, newest } = await readFunctions(sqlFolders.functions);
  expect(newest, `the functions have changed: add a line to src/server/db/functions/${editionsFile}`).toBe(editionOf(files));
});

test("each function of a file has a comment and replaces its former version", async () => {
  const { files } = await readFunctions(sqlFolders.functions);
  const silent = files.flatMap(({ name, text }) => {
    const lines = text.split("\n");
    return lines.flatMap((line, n) =>
      /^create\b/i.test(line) && !(/^create or replace\b/.test(line) && lines[n - 1]?.startsWith("--")) ? [`${name}: ${line}`] : [],
    );
  });
  expect(silent).toEqual([]);
});

test("no migration after 027 makes a function", () => {
  const later = readdirSync(sqlFolders.migrations).filter((name) => name.endsWith(".sql") && Number(name.slice(0, 3)) > 27);
  const making = later.filter((name) =>
    /\bcreate\s+(or\s+replace\s+)?(function|procedure)\b/i.test(readFileSync(new URL(name, sqlFolders.migrations), "utf8")),
  );
  expect(making, "functions stand in src/server/db/functions").toEqual([]);
});

test("a changed file is applied once, an unchanged one is not", async () => {
  const client = await connect(await newDatabase("migrated"));
  const applied = () => client.query("select name, at from functions where name <> 'answer.sql' order by name").then(({ rows }) => rows);
  const before = await applied();
  expect(await migrate(client)).toEqual([]);
  for (const n of [1, 2]) {
    const next = release(n, { "answer.sql": answering(n) });
    expect(await migrate(client, next)).toEqual(["functions/answer.sql"]);
    expect(await migrate(client, next)).toEqual([]);
    expect(await answerOf(client)).toBe(n);
  }
  expect(await applied()).toEqual(before);
});

test("a database made by migrations alone comes to the functions of a new one", async () => {
  writeFileSync(join(folder, editionsFile), "");
  const upgraded = await connect(await newDatabase("empty"));
  await migrate(upgraded, inFolder(folder));
  await upgraded.query(
    "create table made_before as select oid, xmin::text as made from pg_proc where pronamespace = 'public'::regnamespace",
  );
  const names = (await readFunctions(sqlFolders.functions)).files.map(({ name }) => `functions/${name}`);
  expect(await migrate(upgraded)).toEqual(names);
  const fresh = await connect(await newDatabase("migrated"));
  expect(await definitions(upgraded)).toEqual(await definitions(fresh));
  const { rows } = await upgraded.query<{ name: string }>(
    "select p.proname as name from pg_proc p join made_before m on m.oid = p.oid and m.made = p.xmin::text order by 1",
  );
  // functions migrations call, because on a new database they run before any file of functions
  expect(rows.map(({ name }) => name)).toEqual(["fix_columns", "isolate", "let_worker_read", "seal_table"]);
});

test("of two processes starting at once one applies, and the other waits for it", async () => {
  const name = await newDatabase("migrated");
  const [one, other, gate] = [await connect(name), await connect(name), await connect(name)];
  await gate.query("select pg_advisory_lock(1)");
  const next = release(1, { "answer.sql": `select pg_advisory_xact_lock(1); ${answering(1)}` });
  const both = Promise.all([migrate(one, next), migrate(other, next)]);
  const waiting = () =>
    gate
      .query("select from pg_stat_activity where datname = current_database() and wait_event = 'advisory'")
      .then(({ rowCount }) => rowCount);
  await expect.poll(waiting).toBe(2);
  await gate.query("select pg_advisory_unlock(1)");
  expect((await both).flat()).toEqual(["functions/answer.sql"]);
});

test("a migration whose table is in use lets others read it meanwhile, and is applied when it is free", async () => {
  const name = await newDatabase("migrated");
  const [client, long, reader] = [await connect(name), await connect(name), await connect(name)];
  await client.query("create table used (n integer)");
  await long.query("begin; select from used");
  writeFileSync(join(folder, "900-used.sql"), "alter table used add column m integer");
  const said: string[] = [];
  const migrated = migrate(client, { ...sqlFolders, migrations: pathToFileURL(`${folder}/`) }, (line) => said.push(line));
  await expect.poll(() => said, { timeout: 20_000 }).toEqual([expect.stringContaining("migration 900-used.sql")]);
  expect((await reader.query("select from used")).rowCount, "behind the migration it would wait for the long one").toBe(0);
  await long.query("commit");
  expect(await migrated).toEqual(["900-used.sql"]);
});

test("a broken file names itself, and nothing of its release is applied", async () => {
  const client = await connect(await newDatabase("migrated"));
  const before = await definitions(client);
  const broken = release(1, { "answer.sql": answering(1), "broken.sql": "create or replace function none() returns nothing" });
  await expect(migrate(client, broken)).rejects.toThrow("functions/broken.sql failed: ");
  expect(await definitions(client)).toEqual(before);
  expect(await migrate(client, release(2, { "answer.sql": answering(2) }))).toEqual(["functions/answer.sql"]);
});

test("an older release started again applies nothing, whichever text the newer one came back to", async () => {
  const client = await connect(await newDatabase("migrated"));
  const [first, second, third] = [1, 2, 3].map((n) => release(n, { "answer.sql": answering(n === 2 ? 2 : 1) }));
  await migrate(client, first);
  expect(await migrate(client, third), "the text is the first one's").toEqual([]);
  expect(await migrate(client, second)).toEqual([]);
  expect(await answerOf(client)).toBe(1);
  expect(await migrate(client), "that of before has no such file").toEqual([]);
  expect(await migrate(client, release(4, { "answer.sql": answering(4) }))).toEqual(["functions/answer.sql"]);
});
