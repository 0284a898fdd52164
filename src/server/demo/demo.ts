import pg from "pg";
import { hashPassword } from "../auth/passwords.ts";
import type { Deps } from "../call.ts";
import type { SecretBox } from "../secrets/secrets.ts";
import { demoPassword } from "./people.ts";
import { startDemoProviders } from "./master-accounts.ts";
import { demoTenants } from "./places.ts";
import { seedDemo } from "./seed.ts";
import { simulateMerchants } from "./traffic.ts";
import type { Traffic } from "./traffic.ts";

const seed = 20_261_121;
/** Any number; the same in every process. */
const lock = 7_235_404;

/** Seeds the demo into an empty database; answers the lines that say how to sign in, or null when the database holds something else. */
export async function prepareDemo(owner: pg.Client, secrets: SecretBox, print: (line: string) => void): Promise<string[] | null> {
  const began = performance.now();
  const { rowCount } = await owner.query("select from tenants limit 1");
  if (rowCount === 0) print("seeding demo data …");
  const logins = await seedDemo(owner, { secrets, now: new Date(), seed, hashPassword });
  if (rowCount === 0) print(`seeded in ${((performance.now() - began) / 1000).toFixed(1)} s`);
  if (!logins) return null;
  const width = Math.max(...logins.map(({ email }) => email.length));
  return [
    `demo: every password is "${demoPassword}"`,
    ...logins.map(
      ({ email, name, kind, tenants }) => `  ${email.padEnd(width)}  ${kind.padEnd(12)}  ${tenants.join(" ").padEnd(11)}  ${name}`,
    ),
  ];
}

/** Starts the simulated merchants; of several servers on one database only one runs them. */
export async function startDemoTraffic(deps: Deps, installation: { ownerConfig(): pg.ClientConfig }, url: string): Promise<Traffic> {
  const client = new pg.Client(installation.ownerConfig());
  client.on("error", () => undefined); // the lock ends with the connection; the merchants continue
  await client.connect();
  const { rows } = await client.query<{ mine: boolean }>("select pg_try_advisory_lock($1) as mine", [lock]);
  const isMine = rows[0]?.mine === true;
  const providers = isMine ? await startDemoProviders(deps, new Map(demoTenants.map(({ code, books }) => [code, books]))) : null;
  const traffic = isMine ? await simulateMerchants(deps, url) : null;
  return {
    async stop() {
      await traffic?.stop();
      await providers?.stop();
      await client.end().catch(() => undefined);
    },
  };
}
