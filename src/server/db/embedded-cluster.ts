import { execFile, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import {
  chownSync,
  closeSync,
  existsSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { peerNames, spawnAs } from "./embedded-host.ts";
import type { Account } from "./embedded-host.ts";

/** The major version of PostgreSQL we bring. */
export const major = "18";
export const port = 5432; // part of the socket file's name: nothing listens on TCP

/**
 * max_wal_size limits what is replayed after a crash to about a second's work, so that a killed server is back at once. wal_level logs what
 * a backup of the running cluster needs.
 */
const settings: Record<string, string> = {
  listen_addresses: "",
  unix_socket_permissions: "0700",
  max_connections: "100",
  shared_buffers: "192MB",
  effective_cache_size: "1GB",
  work_mem: "8MB",
  maintenance_work_mem: "96MB",
  wal_level: "replica",
  max_wal_senders: "0",
  wal_compression: "pglz",
  max_wal_size: "256MB",
  min_wal_size: "128MB",
  random_page_cost: "1.1",
  io_method: "sync",
  jit: "off",
  timezone: "UTC",
  log_timezone: "UTC",
  log_line_prefix: "%m [%p] %q%u@%d ",
  log_checkpoints: "off",
  // the detail of an error quotes the row, which must not be in a log
  log_error_verbosity: "terse",
};
/** synchronous_commit stays on: it costs little without fsync, and a killed PostgreSQL then keeps what it has acknowledged. */
const throwawaySettings = {
  fsync: "off",
  full_page_writes: "off",
  shared_buffers: "128MB",
  max_wal_size: "1GB",
};

/**
 * Creates the cluster in `data` if there is none; of concurrent processes one wins. Throws when the cluster is of another major version.
 */
export async function prepareCluster(data: string, bin: string, account: Account | undefined, throwaway: boolean): Promise<void> {
  if (!existsSync(join(data, "PG_VERSION"))) await initialise(data, bin, account, throwaway);
  const found = readFileSync(join(data, "PG_VERSION"), "utf8").trim();
  if (found !== major) throw new Error(`${data} was made by PostgreSQL ${found}; this version needs ${major}`);
}

async function initialise(data: string, bin: string, account: Account | undefined, throwaway: boolean): Promise<void> {
  const folder = resolve(data, "..");
  const fresh = join(folder, `init-${process.pid}-${Date.now()}`);
  mkdirSync(fresh, { mode: 0o700 });
  // what a killed process left, judged by the file system's own clock, which may differ from ours
  const now = lstatSync(fresh).mtimeMs;
  for (const name of readdirSync(folder)) {
    const left = join(folder, name);
    // a folder just being created may be renamed meanwhile
    const made = name.startsWith("init-") ? lstatSync(left, { throwIfNoEntry: false }) : undefined;
    if (made && now - made.mtimeMs > 600_000) rmSync(left, { recursive: true, force: true });
  }
  if (account) chownSync(fresh, account.uid, account.gid);
  const options = `--username=app --auth=peer --encoding=UTF8 --locale-provider=builtin --locale=C.UTF-8 --no-instructions -D`.split(" ");
  try {
    await promisify(execFile)(join(bin, "initdb"), [...(throwaway ? ["--no-sync"] : []), ...options, fresh], spawnAs(account));
    writeAccess(fresh, account);
    renameSync(fresh, data); // complete or not at all; of concurrent processes the first wins
  } catch (error) {
    rmSync(fresh, { recursive: true, force: true });
    if (!existsSync(join(data, "PG_VERSION"))) throw error;
  }
}

/** Access rules: by the socket only, for our own accounts only, and these as any role. */
function writeAccess(data: string, account: Account | undefined): void {
  const names = peerNames(account).map((name) => `app "${name.replaceAll('"', '""')}" all\n`);
  const files = { "pg_hba.conf": "local all all peer map=app\n", "pg_ident.conf": names.join("") };
  for (const [name, text] of Object.entries(files)) {
    const path = join(data, name);
    if (readFileSync(path, "utf8") === text) continue;
    const fresh = `${path}.${randomUUID()}`; // renamed into place, because a postmaster starting meanwhile must not read half of it
    writeFileSync(fresh, text, { flag: "wx", mode: 0o600 });
    if (account) chownSync(fresh, account.uid, account.gid);
    renameSync(fresh, path);
  }
}

function openLog(dir: string): number {
  const path = join(dir, "postgres.log");
  if (existsSync(path) && lstatSync(path).size > 16 * 1024 * 1024) renameSync(path, `${path}.1`);
  return openSync(path, "a", 0o600);
}

/** The last FATAL or PANIC line of the log, and the log's path. */
export function lastFatal(dir: string): string {
  const path = join(dir, "postgres.log");
  const lines = existsSync(path) ? readFileSync(path, "utf8").split("\n") : [];
  return `${lines.findLast((line) => /(FATAL|PANIC): /.test(line)) ?? "no reason given"} (see ${path})`;
}

interface Launch {
  readonly dir: string;
  readonly data: string;
  readonly bin: string;
  readonly socketDir: string;
  readonly account: Account | undefined;
  readonly throwaway: boolean;
}

/** Starts a postmaster for the data; its lock file decides whether it gets the folder. */
export function launch({ dir, data, bin, socketDir, account, throwaway }: Launch): { gone(): boolean; pid: number | undefined } {
  writeAccess(data, account);
  const out = openLog(dir);
  const all = { ...settings, ...(throwaway ? throwawaySettings : {}), unix_socket_directories: socketDir, port: String(port) };
  const args = ["-D", data, ...Object.entries(all).flatMap(([name, value]) => ["-c", `${name}=${value}`])];
  const child = spawn(join(bin, "postgres"), args, { ...spawnAs(account), detached: true, stdio: ["ignore", out, out] });
  closeSync(out);
  let gone = false;
  child.on("error", () => (gone = true));
  child.on("exit", () => (gone = true));
  child.unref();
  return { gone: () => gone, pid: child.pid };
}
