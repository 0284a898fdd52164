import pg from "pg";
import { routes } from "../../../src/contract/index.ts";
import type { Tokens } from "../../../src/contract/session.ts";
import { seedMany } from "../../../src/server/demo/many.ts";
import { serverProcess } from "../../support/processes.ts";
import { caller, percentile } from "./caller.ts";
import { listQueries } from "../../support/list-queries.ts";
import { searchQueries } from "./search.ts";

export interface ListFigures {
  readonly what: string;
  /** ms at each count of transactions, in their order. */
  readonly at: readonly { readonly p50: number; readonly p95: number }[];
}
export interface StartFigures {
  readonly first: number;
  readonly later: number;
}
export interface AllListFigures {
  readonly starts: StartFigures;
  readonly lists: readonly ListFigures[];
  readonly search: readonly ListFigures[];
  readonly counters: readonly ListFigures[];
}

/** `BENCH_TRANSACTIONS=50000,10000000`: how many transactions there are, the fewest first, at least the demo's; by default these. */
export const listCounts: readonly number[] = (process.env["BENCH_TRANSACTIONS"] ?? "50000,1000000").split(",").map(Number);

/**
 * Start times over demo data, then over HTTP with `counts` transactions in the database, each count at least the demo's: pages of the lists of
 * transactions, the search box, the counters. `BENCH_DATA_DIR` names a folder that is kept, because ten million transactions take an hour
 * to be made: a count that is there is not made again.
 */
export async function benchLists(counts: readonly number[]): Promise<AllListFigures> {
  const kept = process.env["BENCH_DATA_DIR"];
  const server = await serverProcess({ DEMO: "true", ...(kept !== undefined && { DATA_DIR: kept }) });
  await server.start();
  const first = server.readyAfter;
  await server.kill();
  await server.start();
  const later = server.readyAfter;
  const owner = new pg.Client({ connectionString: await server.connectionString() });
  await owner.connect();
  const [lists, search, counters] = [new Map<string, Times[]>(), new Map<string, Times[]>(), new Map<string, Times[]>()];
  const keep = (figures: Map<string, Times[]>, what: string, times: Times) => figures.set(what, [...(figures.get(what) ?? []), times]);
  try {
    for (const count of counts) {
      process.stderr.write(`  ${count} transactions\n`);
      await seedMany(owner, count);
      await owner.query("vacuum analyze transactions, search_terms");
      const { token, tenant } = await signIn(server.url, owner);
      const { call, close } = caller(server.url, token, tenant, "MYR", 4);
      const place = { tenant, currency: "MYR" };
      const get = async (path: string) => JSON.parse((await call("GET", path)).text) as { meta: { next: string | null } };
      for (const { what, path } of await listQueries(owner, place, get)) keep(lists, what, await timed(call, path));
      for (const { what, paths } of await searchQueries(owner, place)) keep(search, what, await timed(call, ...paths));
      for (const [what, path] of counted) keep(counters, what, await timed(call, path));
      close();
    }
    const told = (figures: ReadonlyMap<string, Times[]>): ListFigures[] => [...figures].map(([what, at]) => ({ what, at }));
    return { starts: { first, later }, lists: told(lists), search: told(search), counters: told(counters) };
  } finally {
    await owner.end();
    await server.end();
  }
}

const counted = [
  ["counters of the header", routes.readNotificationDetails.path],
  ["counts of the views of withdrawals", routes.countWithdrawals.path],
  ["counts of the views of deposits", routes.countDeposits.path],
] as const;

interface Times {
  readonly p50: number;
  readonly p95: number;
}

/** p50 and p95 of 60 calls of one path, or of several in turn, in ms; five answers before them are not counted. */
export const timed = (call: ReturnType<typeof caller>["call"], ...paths: readonly string[]): Promise<Times> => timedOf(60, call, ...paths);

/** The same of as many calls as are said. */
export async function timedOf(rounds: number, call: ReturnType<typeof caller>["call"], ...paths: readonly string[]): Promise<Times> {
  const times: number[] = [];
  for (let round = -5; round < rounds; round++) {
    const path = paths[(round + 5) % paths.length] ?? "";
    const { status, text, ms } = await call("GET", path); // oxlint-disable-line no-await-in-loop -- calls beside each other would be each other's load
    if (status !== 200) throw new Error(`${path}: ${status} ${text}`);
    if (round >= 0) times.push(ms);
  }
  return { p50: percentile(times, 0.5), p95: percentile(times, 0.95) };
}

/** Somebody of the demo's house who may see its lists. */
export async function signIn(url: string, owner: pg.Client): Promise<{ token: string; tenant: string }> {
  const answer = await fetch(`${url}${routes.login.path}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ email: "nurul@demo.example", password: "countinghouse" }),
  });
  const { data } = (await answer.json()) as { data: Tokens }; // the contract's answer
  const { rows } = await owner.query<{ id: string }>("select id from tenants where code = 'MHP'");
  return { token: data.access_token, tenant: rows[0]?.id ?? "" };
}
