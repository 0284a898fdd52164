import type { ClientBase } from "pg";
import type { Money } from "../../values/money.ts";
import type { SecretBox } from "../secrets/secrets.ts";
import { makeBook } from "./books.ts";
import type { Book } from "./books.ts";
import { historyDays, makePast } from "./history.ts";
import type { Past } from "./history.ts";
import { insertBook, insertOpenings, insertRateLimits, insertTenant } from "./insert.ts";
import type { Opening } from "./insert.ts";
import { derivePast, stagePast } from "./load.ts";
import { demoLogins, demoPassword, seedPeople } from "./people.ts";
import type { DemoLogin } from "./people.ts";
import { demoTenants } from "./places.ts";
import { seededRandom } from "./random.ts";
import { accountSizes, walletOpenings } from "./sizes.ts";

export interface DemoOptions {
  readonly secrets: SecretBox;
  readonly now: Date;
  readonly seed: number;
  readonly hashPassword: (password: string) => Promise<string>;
  /** 50,000 by default. */
  readonly transactions?: number;
}

/** Any number; the same in every process. */
const lock = 7_235_402;

/**
 * Fills an empty database with the demo, in one transaction: same seed and instant, same demo (secrets apart). Does nothing
 * when there is a tenant already; of several processes at once one seeds. `client` is connected as the owner.
 */
export async function seedDemo(client: ClientBase, options: DemoOptions): Promise<readonly DemoLogin[]> {
  await client.query("begin");
  try {
    await client.query("select pg_advisory_xact_lock($1)", [lock]);
    const { rowCount } = await client.query("select from tenants limit 1");
    if (rowCount === 0) await fill(client, options);
    await client.query("commit");
    if (rowCount === 0) await client.query("analyze");
  } catch (error) {
    await client.query("rollback").catch(() => undefined); // the connection may be what failed
    throw error;
  }
  return demoLogins;
}

async function fill(client: ClientBase, { secrets, now, seed, hashPassword, transactions = 50_000 }: DemoOptions): Promise<void> {
  await trustOurRows(client);
  const random = seededRandom(seed);
  const at = now.getTime();
  const since = at - (historyDays * 24 + 2) * 3_600_000;
  const tenants = new Map<string, string>();
  for (const tenant of demoTenants) {
    const id = random.uuid(since);
    tenants.set(tenant.code, id);
    await insertTenant(client, tenant, id, since);
  }
  const users = await seedPeople(client, tenants, random, since, await hashPassword(demoPassword));
  const past: Past[] = [];
  const openings: Opening[] = [];
  for (const tenant of demoTenants) {
    const id = tenants.get(tenant.code) ?? "";
    const members = users.filter((user) => user.tenants.includes(tenant.code));
    const supervisor = members.find((user) => user.kind === "supervisor");
    if (!supervisor) throw new Error(`${tenant.code} has no supervisor`);
    const staff = { operators: members.filter((user) => user.kind === "operator"), supervisor };
    const rateLimits = await insertRateLimits(client, id, random, since);
    for (const facts of tenant.books) {
      const book = makeBook(facts, { id, code: tenant.code }, since, random);
      const count = Math.round(transactions * facts.share);
      const happened = makePast(book, staff, count, at, tenant.withdrawalExpiryHours, random);
      for (const one of happened) past.push(one);
      const sizes = accountSizes(book, happened, at);
      await insertBook(client, book, sizes, rateLimits, { secrets, since, at, random });
      openings.push(...openingsOf(book, walletOpenings(book, happened), new Map([...sizes].map(([account, size]) => [account, size.opening]))));
    }
  }
  past.sort((a, b) => a.createdAt - b.createdAt || (a.id < b.id ? -1 : 1));
  await insertOpenings(client, openings, since);
  await stagePast(client, past, 1, at);
  await derivePast(client);
  await client.query("select setval('transaction_numbers', $1)", [past.length]);
}

/** A superuser (the embedded default) may leave out per-row checks of rows that are right by construction: four times as fast. */
async function trustOurRows(client: ClientBase): Promise<void> {
  const { rows } = await client.query<{ usesuper: boolean }>("select usesuper from pg_user where usename = current_user");
  if (rows[0]?.usesuper) await client.query("set local session_replication_role = replica");
}

function openingsOf(book: Book, wallets: ReadonlyMap<string, Money>, accounts: ReadonlyMap<string, Money>): Opening[] {
  const common = { tenant: book.tenant, currency: book.facts.currency, counter: book.adjustmentId };
  return [
    ...[...wallets].map(([account, amount]) => ({ ...common, account, amount, side: 1 as const })),
    ...book.accounts.map((account) => ({ ...common, account: account.ledgerId, amount: accounts.get(account.id) ?? 0n, side: -1 as const })),
  ];
}
