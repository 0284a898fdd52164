import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import {
  chmodSync,
  chownSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";
import pg from "pg";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { readConfig } from "../../src/server/config.ts";
import { dataFolder, startEmbeddedPostgres } from "../../src/server/db/embedded.ts";
import type { EmbeddedPostgres } from "../../src/server/db/embedded.ts";
import { isAlive, joinMembers, readPostmaster, shutDown } from "../../src/server/db/embedded-process.ts";
import { openInstallation } from "../../src/server/installation.ts";

const soon = { timeout: 60_000, interval: 20 };

let dir: string;
let held: EmbeddedPostgres[];
let children: ChildProcess[];
let clients: pg.Client[];

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), "embedded-test-"));
  chmodSync(dir, 0o755);
  [held, children, clients] = [[], [], []];
});

afterEach(async () => {
  for (const child of children) child.kill("SIGKILL");
  await Promise.all(clients.map((client) => client.end().catch(() => undefined)));
  for (const database of held) await database.stop();
  const left = readPostmaster(join(dir, "postgres"));
  if (left && isAlive(left.pid)) await shutDown(left.pid);
  for (const socketDir of new Set(held.map((database) => database.socketDir))) rmSync(socketDir, { recursive: true, force: true });
  rmSync(dir, { recursive: true, force: true });
});

async function start(): Promise<EmbeddedPostgres> {
  const database = await startEmbeddedPostgres({ dir, throwaway: true });
  held.push(database);
  return database;
}

async function connect(database: EmbeddedPostgres, user?: string): Promise<pg.Client> {
  const client = new pg.Client(database.connection(undefined, user));
  client.on("error", () => undefined);
  await client.connect();
  clients.push(client);
  return client;
}

interface Server {
  readonly process: ChildProcess;
  readonly pid: number;
  readonly adopted: boolean;
}

/** Another process of ours on the same data, which holds PostgreSQL until it gets a line or is killed. */
async function server(): Promise<Server> {
  const module = resolve("src/server/db/embedded.ts");
  const code = `const { startEmbeddedPostgres } = await import(${JSON.stringify(module)});
    const database = await startEmbeddedPostgres({ dir: process.argv[1], throwaway: true });
    console.log(JSON.stringify({ pid: database.pid, adopted: database.adopted }));
    process.stdin.once("data", () => database.stop().then(() => process.exit(0)));`;
  const child = spawn(process.execPath, ["--input-type=module", "-e", code, dir], { stdio: ["pipe", "pipe", "inherit"] });
  children.push(child);
  for await (const line of createInterface({ input: child.stdout })) {
    return { process: child, ...(JSON.parse(line) as { pid: number; adopted: boolean }) }; // printed by the code above
  }
  throw new Error("the server ended before PostgreSQL was ready");
}

async function finish(child: ChildProcess): Promise<number | null> {
  const done = new Promise<number | null>((resolved) => child.once("exit", resolved));
  child.stdin?.write("stop\n");
  return done;
}

async function answers(database: EmbeddedPostgres, sql: string): Promise<unknown> {
  const client = new pg.Client({ ...database.connection(), connectionTimeoutMillis: 10_000 });
  client.on("error", () => undefined);
  try {
    await client.connect();
    const { rows } = await client.query<Record<string, unknown>>(sql);
    return Object.values(rows[0] ?? {})[0];
  } finally {
    await client.end().catch(() => undefined);
  }
}

test("PostgreSQL starts on an empty folder, listens on no network and lets us in as any role", async () => {
  const database = await start();
  const client = await connect(database);
  const { rows } = await client.query("select current_user as who, current_setting('listen_addresses') as network");
  expect(rows).toEqual([{ who: "app", network: "" }]);
  await client.query("create role clerk login");
  const clerk = await connect(database, "clerk");
  expect((await clerk.query("select current_user as who")).rows).toEqual([{ who: "clerk" }]);
  expect(lstatSync(database.socketDir).mode & 0o777).toBe(0o700);
  expect(statSync(join(dir, "postgres")).mode & 0o077).toBe(0);
});

test("PostgreSQL's log says which rule was broken, and no values of the row", async () => {
  const client = await connect(await start());
  await client.query("create table payee (number text primary key)");
  await client.query("insert into payee values ('4111-2222')");
  await expect(client.query("insert into payee values ('4111-' || '2222')")).rejects.toMatchObject({
    detail: expect.stringContaining("4111-2222"),
  });
  const log = readFileSync(join(dir, "postgres.log"), "utf8");
  expect(log).toContain('violates unique constraint "payee_pkey"');
  expect(log).not.toContain("4111-2222");
});

test("what was written is there after a restart", async () => {
  const first = await start();
  expect(first.adopted).toBe(false);
  await (await connect(first)).query("create table kept as select 42 as n");
  const { pid } = first;
  await first.stop();
  expect(isAlive(pid)).toBe(false);
  const second = await start();
  expect(second.adopted).toBe(false);
  expect(await answers(second, "select n from kept")).toBe(42);
});

test("a second process shares the running PostgreSQL, and the last to leave stops it", async () => {
  const one = await server();
  const two = await server();
  expect([one.adopted, two.adopted, two.pid]).toEqual([false, true, one.pid]);
  expect(await finish(one.process)).toBe(0);
  expect(isAlive(one.pid)).toBe(true);
  expect(await finish(two.process)).toBe(0);
  expect(isAlive(one.pid)).toBe(false);
});

test("of four processes that start at once on an empty folder, all get the same PostgreSQL", async () => {
  const servers = await Promise.all([server(), server(), server(), server()]);
  expect(new Set(servers.map((one) => one.pid)).size).toBe(1);
  expect(servers.filter((one) => !one.adopted)).toHaveLength(1);
});

describe("a server killed with -9", () => {
  test("takes its PostgreSQL with it when it was alone", async () => {
    const one = await server();
    one.process.kill("SIGKILL");
    await vi.waitFor(() => expect(isAlive(one.pid)).toBe(false), soon);
  });

  test("leaves it to the others", async () => {
    const one = await server();
    const database = await start();
    const client = await connect(database);
    const ended = new Promise((resolved) => one.process.once("exit", resolved));
    one.process.kill("SIGKILL");
    await ended;
    // the killed process is no longer registered, so its watcher has run
    await vi.waitFor(async () => {
      const { rows } = await client.query("select 1 from pg_stat_activity where application_name = 'countinghouse-server'");
      expect(rows).toHaveLength(1);
    }, soon);
    expect(database.pid).toBe(one.pid);
  });

  test("can be started again at once, five times, and loses nothing acknowledged", async () => {
    const first = await start();
    await (await connect(first)).query("create table act (n int primary key)");
    await first.stop();
    for (let n = 1; n <= 5; n++) {
      const one = await server();
      expect(isAlive(one.pid)).toBe(true);
      one.process.kill("SIGKILL");
      const again = await startEmbeddedPostgres({ dir, throwaway: true });
      const client = new pg.Client(again.connection());
      await client.connect();
      await client.query("insert into act values ($1)", [n]);
      await client.end();
      await again.stop();
    }
    expect(await answers(await start(), "select count(*)::int from act")).toBe(5);
  });
});

test("what the processes share in the temporary folder stays new, because the system removes what is old there", async () => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  const leave = joinMembers(dir, join(dir, "postgres"));
  try {
    const old = new Date("2026-01-01");
    utimesSync(join(dir, "members"), old, old);
    vi.advanceTimersByTime(3_600_000);
    await expect.poll(() => statSync(join(dir, "members")).mtime).not.toEqual(old);
  } finally {
    leave();
    vi.useRealTimers();
  }
});

describe("a PostgreSQL killed with -9", () => {
  test("is started again under the running server, though a backend is busy in a query", async () => {
    const database = await start();
    await (await connect(database)).query("create table kept as select 7 as n");
    const busy = await connect(database);
    const lost = busy.query("select count(*) from generate_series(1, 1000000000)").catch(() => "lost");
    const { pid } = database;
    await vi.waitFor(async () => {
      expect(
        await answers(
          database,
          "select count(*)::int from pg_stat_activity where query like '%generate_series(1, 1%' and pid <> pg_backend_pid()",
        ),
      ).toBe(1);
    }, soon);
    process.kill(pid, "SIGKILL");
    await vi.waitFor(async () => expect(await answers(database, "select n from kept")).toBe(7), soon);
    expect(database.pid).not.toBe(pid);
    expect(await lost).toBe("lost");
    await database.ensure();
  });

  test("is started again once when two servers share it", async () => {
    const one = await server();
    const database = await start();
    process.kill(one.pid, "SIGKILL");
    await vi.waitFor(() => expect(isAlive(one.pid)).toBe(false), soon);
    await database.ensure();
    expect(await answers(database, "select 1")).toBe(1);
    await vi.waitFor(async () => {
      expect(await answers(database, "select count(*)::int from pg_stat_activity where application_name = 'countinghouse-server'")).toBe(2);
    }, soon);
  });

  test("together with its server is replaced by the next start", async () => {
    const one = await server();
    one.process.kill("SIGKILL");
    process.kill(one.pid, "SIGKILL");
    const database = await start();
    expect(database.adopted).toBe(false);
    expect(await answers(database, "select 1")).toBe(1);
  });
});

test("a folder made by another major version is refused, naming both", async () => {
  mkdirSync(join(dir, "postgres"));
  writeFileSync(join(dir, "postgres/PG_VERSION"), "17\n");
  await expect(start()).rejects.toThrow(/made by PostgreSQL 17; this version needs 18/);
  rmSync(join(dir, "postgres"), { recursive: true });
});

test.runIf(process.getuid?.() === 0)("as root, an installation of another user is refused by their name, and left as it is", async () => {
  const daemon = 1;
  mkdirSync(join(dir, "postgres"), { mode: 0o700 });
  for (const name of ["PG_VERSION", "pg_hba.conf", "pg_ident.conf"]) writeFileSync(join(dir, "postgres", name), "18\n");
  chownSync(join(dir, "postgres"), daemon, daemon);
  const before = readdirSync(dir, { recursive: true });
  const open = openInstallation(readConfig({ DATA_DIR: dir }), () => undefined);
  await expect(open).rejects.toThrow(/runs as daemon, .*: run the command as daemon; nothing was changed$/);
  expect(readdirSync(dir, { recursive: true })).toEqual(before);
  expect(readFileSync(join(dir, "postgres/pg_ident.conf"), "utf8")).toBe("18\n");
});

test("the data folder is the configured one, else .data in the project", () => {
  expect(dataFolder(dir, "/srv/somewhere")).toBe("/srv/somewhere");
  expect(dataFolder(dir, undefined)).toBe(join(dir, ".data"));
});

test.runIf(process.getuid?.() === 0)("as root, a project that PostgreSQL's account cannot reach keeps its data in /var/lib", () => {
  chmodSync(dir, 0o700);
  expect(dataFolder(dir, undefined)).toBe("/var/lib/countinghouse");
});
