import { existsSync, realpathSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import pg from "pg";
import { lastFatal, launch, port, prepareCluster } from "./embedded-cluster.ts";
import { droppedAccount, nativeBin, prepareFolder, socketFolder, verifySocketFolder } from "./embedded-host.ts";
import { clearStalePidFile, endOrphans, isAlive, isPostmasterOf, joinMembers, readPostmaster, shutDown } from "./embedded-process.ts";
import type { Postmaster } from "./embedded-process.ts";

export { dataFolder, refuseForeign } from "./embedded-host.ts";

interface EmbeddedOptions {
  /** The data folder: the cluster in `postgres`, the log in `postgres.log`. */
  readonly dir: string;
  /** No fsync: for tests, which can lose everything in a power cut. */
  readonly throwaway?: boolean;
  /** PostgreSQL keeps running when this process ends, until a server that adopted it stops. */
  readonly keepRunning?: boolean;
  readonly log?: (line: string) => void;
}

export interface ConnectionTo {
  readonly host: string;
  readonly port: number;
  readonly user: string;
  readonly database: string;
  readonly ssl: false;
}

export interface EmbeddedPostgres {
  readonly socketDir: string;
  readonly port: number;
  /** By default the superuser `app` in `postgres`; any role can be named, because the socket's peer is trusted. */
  connection(database?: string, user?: string): ConnectionTo;
  /** Whether it was already running, started by another process of ours. */
  readonly adopted: boolean;
  /** The postmaster's pid; changes when it was restarted. */
  readonly pid: number;
  /** Resolves when PostgreSQL answers; restarts it if it has died. */
  ensure(): Promise<void>;
  /** Leaves the instance; the last of our processes to leave stops PostgreSQL. */
  stop(): Promise<void>;
}

const memberName = "countinghouse-server";
const startSeconds = 60;

/**
 * Starts PostgreSQL for the folder, or shares the one already running there (another process's, or an orphan). Several processes may start
 * at once. While the handle is held, a postmaster that dies is restarted within about two seconds. Throws, naming the log, when PostgreSQL
 * cannot run here.
 */
export async function startEmbeddedPostgres(options: EmbeddedOptions): Promise<EmbeddedPostgres> {
  const { throwaway = false, keepRunning = false, log = () => undefined } = options;
  const account = droppedAccount();
  prepareFolder(account, resolve(options.dir));
  const dir = realpathSync(options.dir);
  const bin = nativeBin(account, dir);
  const data = join(dir, "postgres");
  await prepareCluster(data, bin, account, throwaway);

  const before = readPostmaster(data);
  const shares = before !== undefined && isPostmasterOf(before.pid, data) && existsSync(before.socketDir);
  const socketDir = shares ? before.socketDir : socketFolder(account, data);
  verifySocketFolder(account, socketDir);
  const connection = (database = "postgres", user = "app"): ConnectionTo => ({ host: socketDir, port, user, database, ssl: false });

  let member: pg.Client | undefined;
  let leaving = false;
  let reviving: Promise<boolean> | undefined;

  /** Opens the connection that registers this process as a member and whose end shows that PostgreSQL died. */
  async function register(): Promise<boolean> {
    const client = new pg.Client({ ...connection(), application_name: memberName, connectionTimeoutMillis: 2000 });
    client.on("error", () => undefined);
    try {
      await client.connect();
    } catch {
      await client.end().catch(() => undefined);
      return false;
    }
    (client as pg.Client & { unref(): void }).unref(); // pg has it, its types do not
    const former = member;
    member = client;
    void former?.end().catch(() => undefined);
    client.once("end", () => {
      if (member === client) member = undefined;
      if (leaving) return;
      log("PostgreSQL went away; starting it again");
      void restart();
    });
    return true;
  }

  /** Answers whether PostgreSQL was already running. */
  async function acquire(): Promise<boolean> {
    let until = Date.now() + startSeconds * 1000;
    let launched: ReturnType<typeof launch> | undefined;
    let failures = 0;
    while (Date.now() < until && !leaving) {
      const running = readPostmaster(data);
      if (running && isPostmasterOf(running.pid, data)) {
        const ours = running.pid === launched?.pid;
        // it replays the log: of a restored backup as much as was written while it was taken, which may take longer
        if (running.status === "starting") until = Date.now() + startSeconds * 1000;
        if (running.status === "ready" && (await register())) {
          // the last member may just have died, and its watcher may be about to stop what we found
          if (!ours) await delay(60);
          if (ours || (member && readPostmaster(data)?.status === "ready")) return !ours;
        }
      } else if (launched === undefined || launched.gone()) {
        if (launched !== undefined && ++failures > 20) break;
        if (launched !== undefined) await delay(50 + Math.random() * 50);
        await clearLeftovers(running);
        launched = launch({ dir, data, bin, socketDir, account, throwaway });
      }
      await delay(10);
    }
    throw new Error(leaving ? "stopped while starting" : `PostgreSQL did not start: ${lastFatal(dir)}`);
  }

  async function clearLeftovers(stale: Postmaster | undefined): Promise<void> {
    if (!stale) return;
    await endOrphans(data);
    clearStalePidFile(data, stale);
  }

  function revive(): Promise<boolean> {
    reviving ??= acquire().finally(() => (reviving = undefined));
    return reviving;
  }

  /** Retries for as long as the handle is held, because causes such as a full disk can be fixed. */
  async function restart(): Promise<void> {
    while (!leaving) {
      try {
        await revive();
        return log("PostgreSQL is back");
      } catch (error) {
        if (!leaving) log(String(error));
        await delay(1000, undefined, { ref: false });
      }
    }
  }

  const leave = keepRunning ? () => undefined : joinMembers(socketDir, data);
  let adopted: boolean;
  try {
    adopted = await revive();
  } catch (error) {
    leaving = true;
    leave();
    throw error;
  }

  let stopped: Promise<void> | undefined;
  async function stop(): Promise<void> {
    leaving = true;
    const awake = setInterval(() => undefined, 1000); // the member connection alone does not keep the process alive
    await reviving?.catch(() => undefined);
    const running = readPostmaster(data);
    const alive = running !== undefined && isPostmasterOf(running.pid, data);
    const others = alive && !keepRunning ? await otherMembers(member) : 1;
    await member?.end().catch(() => undefined);
    try {
      if (alive && others === 0) {
        await shutDown(running.pid);
        // only for throwaway data: with lasting data another process may be about to use the folder
        if (throwaway) rmSync(socketDir, { recursive: true, force: true });
      }
    } finally {
      leave();
      clearInterval(awake);
    }
  }

  return {
    socketDir,
    port,
    connection,
    adopted,
    get pid() {
      return readPostmaster(data)?.pid ?? 0;
    },
    async ensure() {
      if (leaving) throw new Error("PostgreSQL has been stopped");
      const running = readPostmaster(data);
      if (member && running?.status === "ready" && isAlive(running.pid)) return;
      await revive();
    },
    stop: () => (stopped ??= stop()),
  };
}

/** Number of our other processes on the instance. 1 if it cannot be read: the watchers decide then. */
async function otherMembers(member: pg.Client | undefined): Promise<number> {
  try {
    const found = await member?.query<{ n: number }>(
      "select count(*)::int as n from pg_stat_activity where application_name = $1 and pid <> pg_backend_pid()",
      [memberName],
    );
    return found?.rows[0]?.n ?? 1;
  } catch {
    return 1;
  }
}
