import { readdirSync, readFileSync } from "node:fs";

/** Ticks a second of /proc (USER_HZ, which Linux fixes for programs). */
const ticks = 100;

interface Process {
  readonly pid: number;
  readonly parent: number;
  /** ms of both kinds, with those of children that have ended. */
  readonly ms: number;
}

function readProcess(pid: number): Process | null {
  try {
    // the name, in brackets, may have blanks
    const fields = readFileSync(`/proc/${pid}/stat`, "utf8")
      .replace(/^.*\) /s, "")
      .split(" ");
    const used = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
    return { pid, parent: Number(fields[1]), ms: (used * 1_000) / ticks };
  } catch {
    return null; // it has ended
  }
}

/** CPU time (ms) that these processes and all their descendants have used. Linux only. */
export function cpuOf(roots: readonly number[]): number {
  const all = readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => readProcess(Number(name)) ?? []);
  const own = new Set(roots);
  for (let grown = true; grown;) {
    grown = false;
    for (const { pid, parent } of all)
      if (own.has(parent) && !own.has(pid)) {
        own.add(pid);
        grown = true;
      }
  }
  return all.filter(({ pid }) => own.has(pid)).reduce((sum, { ms }) => sum + ms, 0);
}

/** The same of one process alone; null: it has ended. */
export const cpuOfOne = (pid: number): number | null => readProcess(pid)?.ms ?? null;
