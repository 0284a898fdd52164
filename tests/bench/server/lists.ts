import pg from "pg";
import { routes } from "../../../src/contract/index.ts";
import type { Tokens } from "../../../src/contract/session.ts";
import { seedMany } from "../../../src/server/demo/many.ts";
import { serverProcess } from "../../support/processes.ts";
import { caller, percentile } from "./caller.ts";

export interface ListFigures {
  readonly rows: number;
  readonly what: string;
  readonly p50: number;
  readonly p95: number;
}
export interface StartFigures {
  readonly first: number;
  readonly later: number;
}

const queries = [
  ["queue, first page", "view=queue"],
  ["all, newest first", "view=all&sort=-created_at"],
  ["all, last page", "view=all&sort=-created_at&direction=previous"],
  ["all, by amount", "view=all&sort=-amount"],
  ["all, by customer", "view=all&sort=customer_name"],
  ["rejected, by amount", "view=all&filter%5Bstatus%5D=rejected&sort=amount"],
  ["search by name", "view=all&q=tan"],
] as const;
const rounds = 60;

/** Start times over demo data, then pages over HTTP with `counts` transactions in the database, each count at least the demo's. */
export async function benchLists(counts: readonly number[]): Promise<{ starts: StartFigures; lists: ListFigures[] }> {
  const server = await serverProcess({ DEMO: "true" });
  await server.start();
  const first = server.readyAfter;
  await server.kill();
  await server.start();
  const later = server.readyAfter;
  const owner = new pg.Client({ connectionString: await server.connectionString() });
  await owner.connect();
  const lists: ListFigures[] = [];
  try {
    for (const count of counts) {
      process.stderr.write(`  ${count} transactions\n`);
      await seedMany(owner, count);
      await owner.query("vacuum analyze transactions");
      const { token, tenant } = await signIn(server.url, owner);
      const { call, close } = caller(server.url, token, tenant, "MYR", 4);
      for (const [what, query] of queries)
        lists.push({ rows: count, what, ...(await timed(call, `${routes.listWithdrawals.path}?${query}&limit=100`)) });
      close();
    }
    return { starts: { first, later }, lists };
  } finally {
    await owner.end();
    await server.end();
  }
}

/** p50 and p95 of one call, in ms; its first five answers are not counted. */
export async function timed(call: ReturnType<typeof caller>["call"], path: string): Promise<{ p50: number; p95: number }> {
  const times: number[] = [];
  for (let round = -5; round < rounds; round++) {
    const { status, text, ms } = await call("GET", path); // oxlint-disable-line no-await-in-loop -- calls beside each other would be each other's load
    if (status !== 200) throw new Error(`${path}: ${status} ${text}`);
    if (round >= 0) times.push(ms);
  }
  return { p50: percentile(times, 0.5), p95: percentile(times, 0.95) };
}

async function signIn(url: string, owner: pg.Client): Promise<{ token: string; tenant: string }> {
  const answer = await fetch(`${url}${routes.login.path}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ email: "nurul@demo.example", password: "countinghouse" }),
  });
  const { data } = (await answer.json()) as { data: Tokens }; // the contract's answer
  const { rows } = await owner.query<{ id: string }>("select id from tenants where code = 'MHP'");
  return { token: data.access_token, tenant: rows[0]?.id ?? "" };
}
