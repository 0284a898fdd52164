import { execFileSync, spawn } from "node:child_process";
import { closeSync, constants, existsSync, futimes, openSync, readdirSync, readFileSync, readlinkSync, rmSync } from "node:fs";
import { basename, join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";

/** The content of postmaster.pid. `status` is starting, ready, stopping or standby. */
export interface Postmaster {
  readonly pid: number;
  readonly port: number;
  readonly socketDir: string;
  readonly sharedMemory: number | undefined;
  readonly status: string;
}

const pidPath = (data: string) => join(data, "postmaster.pid");

/**
 * Reads postmaster.pid: line 1 pid, 4 port, 5 socket folder, 7 shared memory key and id, 8 status. A half-written file reads as not ready.
 */
export function readPostmaster(data: string): Postmaster | undefined {
  let lines: string[];
  try {
    lines = readFileSync(pidPath(data), "utf8").split("\n");
  } catch {
    return undefined;
  }
  const pid = Number(lines[0]);
  if (!Number.isInteger(pid) || pid <= 0) return undefined;
  const id = lines[6]?.trim().split(/\s+/)[1];
  return {
    pid,
    port: Number(lines[3] ?? 0),
    socketDir: lines[4] ?? "",
    sharedMemory: id === undefined ? undefined : Number(id),
    status: lines[7]?.trim() ?? "starting",
  };
}

const onLinux = existsSync("/proc/self/stat");

/** Whether the process lives; a zombie does not, although signal 0 still reaches it. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EPERM") return false; // process.kill throws nothing else
  }
  return !onLinux || !["Z", "X", undefined].includes(processState(pid)?.state);
}

function processState(pid: number): { state: string; parent: number } | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    const [state, parent] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return state === undefined ? undefined : { state, parent: Number(parent) };
  } catch {
    return undefined;
  }
}

function workingFolder(pid: number): string | undefined {
  try {
    return readlinkSync(`/proc/${pid}/cwd`);
  } catch {
    return undefined;
  }
}

/** Whether the pid is the postmaster of this data folder and not a later process with the same number. */
export function isPostmasterOf(pid: number, data: string): boolean {
  return isAlive(pid) && (!onLinux || workingFolder(pid) === data);
}

/** Backends of a killed postmaster: their parent is no longer a postgres. A postmaster that is just starting is not one of them. */
function orphans(data: string): number[] {
  if (!onLinux) return [];
  const isPostgres = (pid: number) => {
    try {
      return basename(readlinkSync(`/proc/${pid}/exe`)).startsWith("postgres");
    } catch {
      return false;
    }
  };
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => {
      if (workingFolder(pid) !== data || !isPostgres(pid)) return false;
      const parent = processState(pid)?.parent;
      try {
        return parent !== undefined && !isPostgres(parent) && readFileSync(`/proc/${pid}/cmdline`, "utf8").startsWith("postgres:");
      } catch {
        return false;
      }
    });
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // gone already
  }
}

/** Ends the backends of a killed postmaster, because PostgreSQL does not start while one of them holds the shared memory. */
export async function endOrphans(data: string): Promise<void> {
  for (let round = 0; round < 200; round++) {
    const left = orphans(data);
    if (left.length === 0) return;
    // backends exit by themselves when they wait for anything; one busy in a long query gets SIGQUIT, then SIGKILL
    for (const pid of left) if (round === 10) send(pid, "SIGQUIT");
    for (const pid of left) if (round === 30) send(pid, "SIGKILL");
    await delay(20);
  }
}

function memoryInUse(id: number | undefined): boolean {
  if (id === undefined || !onLinux) return false;
  try {
    const rows = readFileSync("/proc/sysvipc/shm", "utf8").trim().split("\n").slice(1);
    return rows.some((row) => {
      const fields = row.trim().split(/\s+/);
      return Number(fields[1]) === id && Number(fields[6]) > 0;
    });
  } catch {
    return false;
  }
}

/**
 * Removes a stale postmaster.pid if nothing holds the old shared memory. PostgreSQL does so itself, except when the pid is in use: by an
 * unreaped zombie, or by another process.
 */
export function clearStalePidFile(data: string, stale: Postmaster): void {
  try {
    process.kill(stale.pid, 0);
  } catch {
    return;
  }
  const now = readPostmaster(data);
  if (now?.pid !== stale.pid || isPostmasterOf(stale.pid, data) || memoryInUse(stale.sharedMemory)) return;
  rmSync(pidPath(data), { force: true });
}

/** Shuts down fast, then immediately; resolves when the process is gone. */
export async function shutDown(pid: number): Promise<void> {
  for (const [signal, seconds] of [
    ["SIGINT", 20],
    ["SIGQUIT", 10],
  ] as const) {
    send(pid, signal);
    for (const until = Date.now() + seconds * 1000; Date.now() < until; await delay(5)) if (!isAlive(pid)) return;
  }
  throw new Error(`PostgreSQL (process ${pid}) does not stop`);
}

const touchMs = 3_600_000;

/**
 * Joins the processes that use the instance; answers the function that leaves. Each process holds one fifo open for writing and has a
 * watcher (a sleeping shell) that reads it. When the last holder is gone, killed or not, the read ends and the watchers shut PostgreSQL
 * down.
 */
export function joinMembers(socketDir: string, data: string): () => void {
  const fifo = join(socketDir, "members");
  if (!existsSync(fifo)) {
    try {
      execFileSync("mkfifo", ["-m", "600", fifo], { stdio: "ignore" });
    } catch (error) {
      if (!existsSync(fifo)) throw error; // a sibling process made it first
    }
  }
  const held = openSync(fifo, constants.O_RDWR | constants.O_NONBLOCK);
  const read = openSync(fifo, constants.O_RDONLY);
  const script = `trap "" INT TERM HUP; read _; read pid < "$1/postmaster.pid" || exit 0
    [ ! -e /proc/self ] || [ "$(readlink "/proc/$pid/cwd")" = "$1" ] && kill -INT "$pid"`;
  const watcher = spawn("/bin/sh", ["-c", script, "sh", data], {
    cwd: "/",
    env: { PATH: "/usr/bin:/bin" },
    stdio: [read, "ignore", "ignore"],
    detached: true,
  });
  watcher.on("error", () => undefined); // without a shell there is no watcher; the next start adopts the orphan
  watcher.unref();
  closeSync(read);
  // its use changes none of its times, and systems remove from their temporary folders what has been old for days
  const touch = setInterval(() => futimes(held, new Date(), new Date(), () => undefined), touchMs).unref();
  let open = true;
  return () => {
    clearInterval(touch);
    if (open) closeSync(held);
    open = false;
  };
}
