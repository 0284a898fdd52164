import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import pg from "pg";
import { routes } from "../../../src/contract/index.ts";
import { signAccess } from "../../../src/server/auth/tokens.ts";
import { secretBox } from "../../../src/server/secrets/secrets.ts";
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

interface Case {
  readonly what: string;
  readonly path: string;
  /** Addresses somebody has. */
  readonly of: readonly string[];
  body(email: string): object;
  readonly as?: { readonly token: string; readonly tenant: string };
  /** Fields that differ on purpose. */
  readonly differing?: readonly string[];
}

/** An answer without what is its request's own. */
const contentOf = (text: string, differing: readonly string[]): string =>
  JSON.stringify(JSON.parse(text), (key, value: unknown) => (["request_id", ...differing].includes(key) ? undefined : value));

/** An owner and a supporter of a tenant, signed in, and the addresses of people who are in none but the others. */
async function insideAndOut(owner: pg.Client, dataDir: string) {
  const secrets = secretBox(Buffer.from(readFileSync(join(dataDir, "master.key"), "utf8"), "base64"));
  const signedIn = async (group: string) => {
    const { rows } = await owner.query<{ tenant: string; user: string; session: string }>(
      `with one as (select mg.tenant_id, mg.user_id from membership_groups mg join tenants t on t.id = mg.tenant_id
            join user_groups g on g.tenant_id = mg.tenant_id and g.id = mg.group_id and g.code = $1
          where t.code = (select min(code) from tenants) limit 1),
        made as (insert into sessions (user_id, expires_at) select user_id, now() + interval '1 day' from one returning id, user_id)
      select one.tenant_id as tenant, made.user_id as user, made.id as session from one, made`,
      [group],
    );
    const [row] = rows;
    if (!row) throw new Error(`nobody is in the group ${group}`);
    return { tenant: row.tenant, token: await signAccess(secrets, row.session, row.user, null) };
  };
  const staff = { owner: await signedIn("owner"), support: await signedIn("support") };
  const { rows } = await owner.query<{ email: string }>(
    "select u.email from users u where not exists (select from memberships m where m.user_id = u.id and m.tenant_id = $1) order by 1",
    [staff.owner.tenant],
  );
  return { staff, outsiders: rows.map(({ email }) => email) };
}

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
    const { staff, outsiders } = await insideAndOut(owner, server.dataDir);
    const everybody = rows.map(({ email }) => email);
    const cases: readonly Case[] = [
      {
        what: "sign-in, wrong password",
        path: routes.login.path,
        of: everybody,
        body: (email) => ({ email, password: "not the password" }),
      },
      { what: "forgotten password", path: routes.forgotPassword.path, of: everybody, body: (email) => ({ email }) },
      // whoever may add people is told whether there is an account, and nothing else
      {
        what: "look-up of outsiders by who may add people",
        path: routes.lookUpUser.path,
        of: outsiders,
        body: (email) => ({ email }),
        as: staff.owner,
        differing: ["found"],
      },
      ...([routes.lookUpUser, routes.inviteUser] as const).map(({ path }, n): Case => ({
        what: `${n === 0 ? "look-up" : "invitation"} of outsiders by who may not`,
        path,
        of: outsiders,
        body: (email) => (n === 0 ? { email } : { email, groups: [] }),
        as: staff.support,
      })),
    ];
    const figures: AlikeFigures[] = [];
    let from = 0;
    for (const { what, path, body, of: addresses, as, differing = [] } of cases) {
      const said = { known: new Set<string>(), unknown: new Set<string>() };
      const times: { known: number[]; unknown: number[] } = { known: [], unknown: [] };
      const ask = async (kind: "known" | "unknown", email: string) => {
        const began = performance.now();
        const answer = await fetch(server.url + path, {
          method: "POST",
          headers: {
            "content-type": "application/json",
            "x-forwarded-for": addressOf(from),
            ...(as && { authorization: `Bearer ${as.token}`, "x-tenant-id": as.tenant, "idempotency-key": randomUUID() }),
          },
          body: JSON.stringify(body(email)),
        });
        const told = await answer.text();
        if (answer.status === 429) throw new Error(`${what}: throttled`);
        times[kind].push(performance.now() - began);
        said[kind].add(`${answer.status} ${contentOf(told, differing)}`);
      };
      const began = performance.now();
      for (let n = 0; n < pairs && performance.now() - began < mostMs; n++) {
        from++;
        const both = [() => ask("known", addresses[n % addresses.length] ?? ""), () => ask("unknown", `${randomUUID()}@example.com`)];
        for (const one of n % 2 ? both : both.toReversed()) await one();
        await owner.query("delete from throttles");
      }
      const [one, other] = [[...said.known].sort().join("\n"), [...said.unknown].sort().join("\n")];
      if (one !== other) throw new Error(`${what}: what is answered differs:\n${one}\n${other}`);
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
