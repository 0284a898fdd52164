import pg from "pg";
import type { Client } from "pg";
import type { Money } from "../../values/money.ts";
import type { SecretBox } from "../secrets/secrets.ts";
import { insertBankLines } from "./bank-lines.ts";
import { makeBook } from "./books.ts";
import type { Book } from "./books.ts";
import { historyDays, makePast } from "./history.ts";
import type { Past } from "./history.ts";
import { insertBook, insertTenant } from "./insert.ts";
import { insertDowntimes } from "./downtimes.ts";
import { insertGameProviders } from "./game-providers.ts";
import type { Opening } from "./insert.ts";
import { ledgerAndAuditTables, historyTables, loadPast } from "./load.ts";
import { insertColleagues } from "./colleagues.ts";
import { insertMasterAccounts } from "./master-accounts.ts";
import { demoLogins, demoPassword, seedPeople } from "./people.ts";
import type { DemoLogin } from "./people.ts";
import { demoTenants } from "./places.ts";
import { seededRandom } from "./random.ts";
import { accountSizes, walletOpenings } from "./sizes.ts";
import { makeTransfers } from "./transfers.ts";
import type { PastTransfer } from "./transfers.ts";
import { insertPayoutTemplates } from "./payout-templates.ts";
import { insertVendors } from "./vendors.ts";

interface DemoOptions {
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
 * Fills an empty database with the demo; the same seed and instant give the same demo (except secrets). Does nothing when there is a
 * tenant; of concurrent processes one seeds. Answers the logins, or null when the tenants are not the demo's. `client` is connected as the
 * owner.
 */
export async function seedDemo(client: Client, options: DemoOptions): Promise<readonly DemoLogin[] | null> {
  await client.query("begin");
  try {
    await client.query("select pg_advisory_xact_lock($1)", [lock]);
    const { rowCount } = await client.query("select from tenants limit 1");
    if (rowCount === 0) await seedAll(client, options);
    const { rowCount: known } = await client.query("select from users where email = $1", [demoLogins[0]?.email]);
    await client.query("commit");
    // rough statistics for the first queries; autovacuum refines them
    if (rowCount === 0)
      await client.query(
        `set default_statistics_target = 10; analyze ${[...historyTables, ...ledgerAndAuditTables, "bank_lines"].join(", ")}; reset default_statistics_target`,
      );
    return known === 0 ? null : demoLogins;
  } catch (error) {
    await client.query("rollback").catch(() => undefined); // the connection may be what failed
    throw error;
  }
}

async function seedAll(client: Client, { secrets, now, seed, hashPassword, transactions = 50_000 }: DemoOptions): Promise<void> {
  const trusted = await skipRowChecks(client);
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
  const transfers: PastTransfer[] = [];
  const openings: Opening[] = [];
  for (const tenant of demoTenants) {
    const id = tenants.get(tenant.code) ?? "";
    const members = users.filter((user) => user.tenants.includes(tenant.code));
    const supervisor = members.find((user) => user.kind === "supervisor");
    if (!supervisor) throw new Error(`${tenant.code} has no supervisor`);
    const [owner, supporter] = (["owner", "support"] as const).map((kind) => members.find((user) => user.kind === kind));
    if (tenant === demoTenants[0] && owner && supporter)
      await insertColleagues(client, { tenant: id, owner, supporter }, seededRandom(seed + 2_000), at);
    const staff = { operators: members.filter((user) => user.kind === "operator"), supervisor };
    await insertVendors(client, id, seed + 1 + demoTenants.indexOf(tenant), since);
    await insertPayoutTemplates(client, id, seed + 1 + demoTenants.length + demoTenants.indexOf(tenant), since);
    for (const facts of tenant.books) {
      const nth = demoTenants.indexOf(tenant) * 2 + tenant.books.indexOf(facts);
      await insertMasterAccounts(client, secrets, { tenant: id, book: facts, seed: seed + 2_000 + nth, since, at });
      const book = makeBook(facts, { id, code: tenant.code }, since, random);
      const count = Math.round(transactions * facts.share);
      const happened = makePast(book, staff, count, at, tenant.withdrawalExpiryHours, random);
      for (const one of happened) past.push(one);
      // a generator of its own, so that transactions stay what they are
      const moved = makeTransfers(book, staff, at, seededRandom(seed + 1_000 + transfers.length));
      transfers.push(...moved);
      const sizes = accountSizes(book, happened, moved, at);
      await insertBook(client, book, sizes, { secrets, since, at, random });
      const playing = { tenant: id, currency: facts.currency, merchants: book.merchants };
      await insertGameProviders(client, playing, { secrets, seed: seed + 2_000 + openings.length, since });
      await insertDowntimes(client, { tenant: id, currency: facts.currency, by: supervisor.id, at });
      openings.push(
        ...openingsOf(book, walletOpenings(book, happened, moved), new Map([...sizes].map(([account, size]) => [account, size.opening]))),
      );
    }
  }
  past.sort((a, b) => a.createdAt - b.createdAt || (a.id < b.id ? -1 : 1));
  // two connections only when row checks are off and a second connection is simply possible: over the embedded socket
  const second = trusted && client.host.startsWith("/") ? await secondConnection(client) : null;
  try {
    await loadPast(client, { past, transfers, openings, since, now: at, random, trusted, second });
  } finally {
    await second?.end();
  }
  await insertBankLines(client, at);
  await client.query("select setval('transaction_numbers', $1)", [past.length + transfers.length]);
}

/**
 * Turns off per-row checks, which is four times as fast; possible for a superuser (the embedded default), and safe because the rows are
 * correct by construction. Answers whether they are off.
 */
async function skipRowChecks(client: Client): Promise<boolean> {
  const { rows } = await client.query<{ usesuper: boolean }>("select usesuper from pg_user where usename = current_user");
  const trusted = rows[0]?.usesuper ?? false;
  if (trusted) await client.query("set local session_replication_role = replica");
  return trusted;
}

async function secondConnection({ host, port, user, database }: Client): Promise<Client> {
  const client = new pg.Client({ host, port, user, database });
  await client.connect();
  return client;
}

function openingsOf(book: Book, wallets: ReadonlyMap<string, Money>, accounts: ReadonlyMap<string, Money>): Opening[] {
  const common = { tenant: book.tenant, currency: book.facts.currency, counter: book.adjustmentId };
  return [
    ...[...wallets].map(([account, amount]) => ({ ...common, account, amount, side: 1 as const })),
    ...book.accounts.map((account) => ({
      ...common,
      account: account.ledgerId,
      amount: accounts.get(account.id) ?? 0n,
      side: -1 as const,
    })),
  ];
}
