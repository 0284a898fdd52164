import type { ChildProcess } from "node:child_process";
import { execFile, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { chmodSync, chownSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import pg from "pg";
import { droppedAccount, nativeBin, spawnAs } from "../../src/server/db/embedded-host.ts";
import { endOrphans } from "../../src/server/db/embedded-process.ts";
import { freePort } from "./free-port.ts";

/** A PostgreSQL as an operator has one: over TCP on the loopback, by password, its superuser not ours. */
export interface OwnCluster {
  readonly port: number;
  /** A connection string of a role. */
  url(user: string, password: string, database: string): string;
  superuserUrl(database: string): string;
  /** Runs statements as the superuser, one after the other: `create database` is refused in a transaction. */
  asSuperuser(statements: readonly string[], database?: string): Promise<void>;
  /** What a query answers the superuser. */
  ask(query: string, database: string): Promise<pg.QueryResult>;
  stop(): Promise<void>;
}

/** A streaming replica of an own cluster. */
export interface OwnReplica extends OwnCluster {
  /** After a stop, on the same port and data. */
  start(): Promise<void>;
  remove(): Promise<void>;
}

const account = droppedAccount();

/** A folder PostgreSQL may enter, with its programs. */
function newFolder(): { dir: string; data: string; bin: string } {
  const dir = mkdtempSync(join(tmpdir(), "countinghouse-cluster-"));
  chmodSync(dir, 0o711);
  if (account) chownSync(dir, account.uid, account.gid);
  return { dir, data: join(dir, "data"), bin: nativeBin(account, dir) };
}

/** Starts PostgreSQL over the data; resolves when it answers. */
async function run(bin: string, data: string, port: number): Promise<ChildProcess> {
  const settings = { listen_addresses: "127.0.0.1", port: String(port), unix_socket_directories: "", fsync: "off", jit: "off" };
  const args = Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
  const child = spawn(join(bin, "postgres"), ["-D", data, ...args], { ...spawnAs(account), stdio: ["ignore", "ignore", "pipe"] });
  let said = "";
  await new Promise<void>((resolve, reject) => {
    child.stderr.on("data", (chunk: Buffer) => {
      said += chunk.toString();
      if (/ready to accept (?:read-only )?connections/.test(said)) resolve();
    });
    child.once("exit", (code) => reject(new Error(`PostgreSQL ended with ${code}:\n${said}`)));
  });
  return child;
}

async function end(child: ChildProcess, data: string): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) {
    const gone = new Promise((over) => child.once("exit", over));
    child.kill("SIGINT");
    await gone;
  }
  await endOrphans(data);
}

/** How to reach a cluster on the port, whose superuser has the password. */
function reach(port: number, password: string) {
  const url = (user: string, secret: string, database: string) =>
    `postgresql://${user}:${encodeURIComponent(secret)}@127.0.0.1:${port}/${database}`;
  async function superuser<T>(database: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
    const client = new pg.Client({ connectionString: url("postgres", password, database) });
    await client.connect();
    try {
      return await work(client);
    } finally {
      await client.end();
    }
  }
  return {
    port,
    url,
    superuserUrl: (database: string) => url("postgres", password, database),
    superuser,
    async asSuperuser(statements: readonly string[], database = "postgres") {
      await superuser(database, async (client) => {
        for (const statement of statements) await client.query(statement);
      });
    },
    ask: (query: string, database: string) => superuser(database, (client) => client.query(query)),
  };
}

/** Started empty; every role signs in by password (SCRAM). `replicate` makes a streaming replica of it. */
export async function ownCluster(): Promise<OwnCluster & { replicate(): Promise<OwnReplica> }> {
  const { dir, data, bin } = newFolder();
  const password = randomBytes(12).toString("hex");
  const passwordFile = join(dir, "password");
  writeFileSync(passwordFile, password);
  if (account) chownSync(passwordFile, account.uid, account.gid);
  const initial = "--username=postgres --auth=scram-sha-256 --encoding=UTF8 --locale-provider=builtin --locale=C.UTF-8 --no-sync";
  await promisify(execFile)(join(bin, "initdb"), [...initial.split(" "), `--pwfile=${passwordFile}`, "-D", data], spawnAs(account));
  const port = await freePort();
  const child = await run(bin, data, port);
  const reached = reach(port, password);
  return {
    ...reached,
    replicate: () => replicaOf({ data, port, password, superuser: reached.superuser }),
    async stop() {
      await end(child, data);
      rmSync(dir, { recursive: true, force: true });
    },
  };
}

interface Primary {
  readonly data: string;
  readonly port: number;
  readonly password: string;
  superuser<T>(database: string, work: (client: pg.Client) => Promise<T>): Promise<T>;
}

/**
 * A streaming replica made as PostgreSQL's manual describes it without pg_basebackup, which the embedded binaries leave out: the primary's
 * files copied within a backup, the backup's label beside them, and the rest by streaming from a slot.
 */
async function replicaOf({ data: from, port: primary, password, superuser }: Primary): Promise<OwnReplica> {
  const { dir, data, bin } = newFolder();
  await superuser("postgres", async (client) => {
    await client.query("select pg_create_physical_replication_slot('replica', true)");
    await client.query("select pg_backup_start('replica', true)");
    await promisify(execFile)("cp", ["-a", from, data], spawnAs(account));
    const { rows } = await client.query<{ label: string }>("select labelfile as label from pg_backup_stop(false)");
    for (const path of ["postmaster.pid", "postmaster.opts"]) rmSync(join(data, path), { force: true });
    const files = {
      backup_label: rows[0]?.label ?? "",
      "standby.signal": "",
      "postgresql.auto.conf": [
        `primary_conninfo = 'host=127.0.0.1 port=${primary} user=postgres password=${password}'`,
        "primary_slot_name = 'replica'",
        "",
      ].join("\n"),
    };
    for (const [name, text] of Object.entries(files)) {
      const path = join(data, name);
      writeFileSync(path, text, { mode: 0o600 });
      if (account) chownSync(path, account.uid, account.gid);
    }
  });
  const port = await freePort();
  let child = await run(bin, data, port);
  const { superuser: _, ...reached } = reach(port, password);
  return {
    ...reached,
    stop: () => end(child, data),
    async start() {
      child = await run(bin, data, port);
    },
    async remove() {
      await end(child, data);
      rmSync(dir, { recursive: true, force: true });
    },
  };
}
