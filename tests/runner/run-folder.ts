import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statfsSync } from "node:fs";
import { join } from "node:path";
import { isAlive } from "../../src/server/db/embedded-process.ts";

const memory = "/dev/shm";
/** More than a whole run has there at any time, and needs beside it. */
const enough = 8 * 1024 ** 3;

function hasRoom(): boolean {
  try {
    const { bavail, bsize } = statfsSync(memory);
    const free = Math.min(bavail * bsize, process.availableMemory());
    const [, options] = /^\S+ \/dev\/shm \S+ (\S+)/m.exec(readFileSync("/proc/mounts", "utf8")) ?? [];
    // PostgreSQL's programs may be copied into it and run there
    return free >= enough && options !== undefined && !options.split(",").includes("noexec");
  } catch {
    return false; // no such place on this system
  }
}

/**
 * Makes a folder in memory for the temporary files of a run, among them its databases, because a copy of the template takes a tenth of the
 * time there; null where there is little memory, or none to be had as a folder. It is gone with this process; what a killed one left goes now.
 */
export function runFolder(): string | null {
  if (!hasRoom()) return null;
  for (const left of readdirSync(memory)) {
    const [, owner] = /^countinghouse-run-(\d+)-/.exec(left) ?? [];
    if (owner !== undefined && !isAlive(Number(owner))) rmSync(join(memory, left), { recursive: true, force: true });
  }
  const folder = mkdtempSync(join(memory, `countinghouse-run-${process.pid}-`));
  chmodSync(folder, 0o1777); // as /tmp is, because PostgreSQL runs under another account
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
