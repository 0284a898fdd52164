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
  /** Runs statements as the superuser, one after the other: `create database` is refused in a transaction. */
  asSuperuser(statements: readonly string[], database?: string): Promise<void>;
  /** What a query answers the superuser. */
  ask(query: string, database: string): Promise<pg.QueryResult>;
  stop(): Promise<void>;
}

/** Started empty; every role signs in by password (SCRAM). */
export async function ownCluster(): Promise<OwnCluster> {
  const account = droppedAccount();
  const dir = mkdtempSync(join(tmpdir(), "countinghouse-cluster-"));
  chmodSync(dir, 0o711);
  const data = join(dir, "data");
  const password = randomBytes(12).toString("hex");
  const passwordFile = join(dir, "password");
  writeFileSync(passwordFile, password);
  if (account) for (const path of [dir, passwordFile]) chownSync(path, account.uid, account.gid);
  const bin = nativeBin(account, dir);
  const initial = "--username=postgres --auth=scram-sha-256 --encoding=UTF8 --locale-provider=builtin --locale=C.UTF-8 --no-sync";
  await promisify(execFile)(join(bin, "initdb"), [...initial.split(" "), `--pwfile=${passwordFile}`, "-D", data], spawnAs(account));
  const port = await freePort();
  const settings = { listen_addresses: "127.0.0.1", port: String(port), unix_socket_directories: "", fsync: "off", jit: "off" };
  const args = Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]);
  const child = spawn(join(bin, "postgres"), ["-D", data, ...args], { ...spawnAs(account), stdio: ["ignore", "ignore", "pipe"] });
  let said = "";
  const ready = new Promise<void>((resolve, reject) => {
    child.stderr.on("data", (chunk: Buffer) => {
      said += chunk.toString();
      if (said.includes("ready to accept connections")) resolve();
    });
    child.once("exit", (code) => reject(new Error(`PostgreSQL ended with ${code}:\n${said}`)));
  });
  await ready;
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
    async asSuperuser(statements, database = "postgres") {
      await superuser(database, async (client) => {
        for (const statement of statements) await client.query(statement);
      });
    },
    ask: (query, database) => superuser(database, (client) => client.query(query)),
    async stop() {
      const gone = new Promise((over) => child.once("exit", over));
      child.kill("SIGINT");
      await gone;
      await endOrphans(data);
      rmSync(dir, { recursive: true, force: true });
    },
  };
}
