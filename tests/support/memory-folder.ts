import { mkdtempSync, readdirSync, readFileSync, rmSync, statfsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isAlive } from "../../src/server/db/embedded-process.ts";

const memory = "/dev/shm";
/** More than the clusters of a whole run take beside each other. */
const enough = 8 * 1024 ** 3;

function hasRoom(): boolean {
  try {
    const { bavail, bsize } = statfsSync(memory);
    const [, options] = /^\S+ \/dev\/shm \S+ (\S+)/m.exec(readFileSync("/proc/mounts", "utf8")) ?? [];
    // a cluster's folder may have PostgreSQL's programs
    return bavail * bsize >= enough && options !== undefined && !options.split(",").includes("noexec");
  } catch {
    return false; // no such place on this system
  }
}

/**
 * Makes the folder of a throwaway cluster: in memory where there is plenty, because a copy of the template takes a tenth of the time there;
 * else where temporary files are. What a killed run left in memory is removed; a PostgreSQL that lost its folder ends by itself.
 */
export function clusterFolder(name: string): string {
  if (!hasRoom()) return mkdtempSync(join(tmpdir(), `countinghouse-${name}-`));
  for (const left of readdirSync(memory)) {
    const [, owner] = /^countinghouse-[a-z]+-(\d+)-/.exec(left) ?? [];
    if (owner !== undefined && !isAlive(Number(owner))) rmSync(join(memory, left), { recursive: true, force: true });
  }
  return mkdtempSync(join(memory, `countinghouse-${name}-${process.pid}-`));
}
