import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { ServerProcess } from "../../support/processes.ts";
import { percentile } from "./caller.ts";
import { cpuOf } from "./cpu.ts";
import type { FloorFigures } from "./floor.ts";

export interface ActFigures extends FloorFigures {
  /** CPU time (ms) an act over HTTP took of the server, and of PostgreSQL. */
  readonly cpu: { readonly server: number; readonly postgres: number };
  /** The same rows by one prepared function, in the same run: at as many connections, and at few, which wait less for one another's locks. */
  readonly floors: readonly (FloorFigures & { readonly connections: number })[];
}

/** As many connections as keep two cores busy with one waiting for the disk. */
export const few = 6;

/** Measures acts over HTTP; `run` answers the ms of each. */
export async function measureActs(server: ServerProcess, run: () => Promise<readonly number[]>): Promise<Omit<ActFigures, "floors">> {
  const postmaster = Number(readFileSync(join(server.dataDir, "postgres/postmaster.pid"), "utf8").split("\n")[0]);
  // PostgreSQL is a child of the server
  const used = () => {
    const ofPostgres = cpuOf([postmaster]);
    return [cpuOf([server.pid, postmaster]) - ofPostgres, ofPostgres] as const;
  };
  const [began, before] = [performance.now(), used()];
  const times = await run();
  const seconds = (performance.now() - began) / 1_000;
  const [ofServer = 0, ofPostgres = 0] = used().map((now, n) => (now - (before[n] ?? 0)) / times.length);
  return {
    perSecond: times.length / seconds,
    p50: percentile(times, 0.5),
    p99: percentile(times, 0.99),
    cpu: { server: ofServer, postgres: ofPostgres },
  };
}
