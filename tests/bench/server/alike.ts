import { randomUUID } from "node:crypto";
import pg from "pg";
import { routes } from "../../../src/contract/index.ts";
import { serverProcess } from "../../support/processes.ts";
import { percentile } from "./caller.ts";

export interface AlikeFigures {
  readonly what: string;
  /** Of addresses somebody has. */
  readonly known: { readonly p50: number; readonly p95: number };
  readonly unknown: { readonly p50: number; readonly p95: number };
  /** What a pair's answers differ by, in the middle: below 10 ms (threats-and-faults.md, T19). */
  readonly gap: number;
  readonly pairs: number;
}

/** As T19 has it; what hashes makes as many as its time allows. */
const [pairs, mostMs] = [2_000, 120_000];

/** Each pair has an address of its own, and its failures are deleted afterwards, so that no throttle applies. */
const addressOf = (n: number) => `10.${(n >> 16) & 255}.${(n >> 8) & 255}.${n & 255}`;

/**
 * Whether response times reveal who has an account: wrong and forgotten passwords, known and unknown users in turn, so that both see the
 * same machine.
 */
export async function benchAlike(): Promise<AlikeFigures[]> {
  const server = await serverProcess({ DEMO: "true", TRUST_PROXY: "127.0.0.1" });
  await server.start();
  const owner = new pg.Client({ connectionString: await server.connectionString() });
  await owner.connect();
  try {
    const { rows } = await owner.query<{ email: string }>("select email from users where password_hash is not null order by email");
    const cases = [
      ["sign-in, wrong password", routes.login.path, (email: string) => ({ email, password: "not the password" })],
      ["forgotten password", routes.forgotPassword.path, (email: string) => ({ email })],
    ] as const;
    const figures: AlikeFigures[] = [];
    let from = 0;
    for (const [what, path, body] of cases) {
      const times: { known: number[]; unknown: number[] } = { known: [], unknown: [] };
      const ask = async (kind: "known" | "unknown", email: string) => {
        const began = performance.now();
        const answer = await fetch(server.url + path, {
          method: "POST",
          headers: { "content-type": "application/json", "x-forwarded-for": addressOf(from) },
          body: JSON.stringify(body(email)),
        });
        await answer.text();
        if (answer.status === 429) throw new Error(`${what}: throttled`);
        times[kind].push(performance.now() - began);
      };
      const began = performance.now();
      for (let n = 0; n < pairs && performance.now() - began < mostMs; n++) {
        from++;
        const both = [() => ask("known", rows[n % rows.length]?.email ?? ""), () => ask("unknown", `${randomUUID()}@example.com`)];
        for (const one of n % 2 ? both : both.toReversed()) await one();
        await owner.query("delete from throttles");
      }
      const gaps = times.known.map((time, n) => time - (times.unknown[n] ?? 0));
      const of = (kind: "known" | "unknown") => ({ p50: percentile(times[kind], 0.5), p95: percentile(times[kind], 0.95) });
      const gap = Math.abs(percentile(gaps, 0.5));
      figures.push({ what, known: of("known"), unknown: of("unknown"), gap, pairs: gaps.length });
    }
    return figures;
  } finally {
    await owner.end();
    await server.end();
  }
}
