import { randomBytes } from "node:crypto";
import type { ClientBase } from "pg";
import { money, moneyText } from "../../values/money.ts";
import type { Deps } from "../call.ts";
import { inTenant } from "../db/scope.ts";
import { accountRows } from "../game-provider/account-rows.ts";
import type { MasterAccountRow } from "../game-provider/account-rows.ts";
import { openCredentials } from "../game-provider/check-accounts.ts";
import { findRecords } from "../records/record-list.ts";
import type { SecretBox } from "../secrets/secrets.ts";
import { masterCredentialsPlace } from "../secrets/secrets.ts";
import { insertRows } from "./insert.ts";
import type { DemoBook } from "./places.ts";
import { startProvider } from "./provider.ts";
import type { Provider, ProviderAccount, ProviderFault } from "./provider.ts";
import { seededRandom } from "./random.ts";
import type { Random } from "./random.ts";

const hour = 3_600_000;
/** Hours between two past checks, and days of them. */
const [checkHours, pastDays] = [2, 14];

interface DemoAccount {
  /** Its code is this and its currency. */
  readonly code: string;
  readonly name: string;
  readonly upline: string | null;
  /** Of the book's largest payments: what it is filled up to, and what is left at the lowest. */
  readonly high: number;
  readonly low: number;
  readonly threshold: number;
  /** Days between two fillings. */
  readonly days: number;
  readonly fault: ProviderFault | null;
  readonly suspended?: true;
  /** Minutes between two turns of its watcher, which gives the alarm below the account's threshold; left out: nobody watches it. */
  readonly watched?: number;
}

const accounts: readonly DemoAccount[] = [
  { code: "LOTUS", name: "Lotus Slots", upline: "Lotus Group Asia", high: 40, low: 12, threshold: 8, days: 3, fault: null, watched: 15 },
  { code: "REEF", name: "Golden Reef Live", upline: "Reef Interactive", high: 9, low: 3, threshold: 10, days: 5, fault: null, watched: 30 },
  { code: "KITE", name: "Kite Arcade", upline: null, high: 22, low: 9, threshold: 5, days: 2, fault: null },
  {
    code: "DRAGON",
    name: "Dragon Gate Sports",
    upline: "Gate Holdings",
    high: 30,
    low: 14,
    threshold: 6,
    days: 4,
    fault: "down",
    watched: 60,
  },
  {
    code: "ORCHID",
    name: "Orchid Table Games",
    upline: "Lotus Group Asia",
    high: 12,
    low: 6,
    threshold: 4,
    days: 7,
    fault: "slow",
    watched: 20,
  },
  { code: "MONSOON", name: "Monsoon Lottery", upline: null, high: 0, low: 0, threshold: 0, days: 1, fault: null, suspended: true },
];

/** The balance falls from one filling to the next, a little more in the evenings. */
function balanceAt(
  { high, low, days }: DemoAccount,
  { secondFrom, minorDigits }: Pick<DemoBook, "secondFrom" | "minorDigits">,
  at: number,
): bigint {
  const phase = ((at / hour / 24 + high) / days) % 1;
  const evening = 1 + 0.03 * Math.sin(((at / hour) % 24) / 24 + phase * 40);
  const amount = secondFrom * Math.max(0, low + (high - low) * (1 - phase) * evening);
  return money(amount.toFixed(minorDigits === 0 ? 0 : 2));
}

/** A book's accounts at providers with their checks of two weeks, from a generator of their own. */
export async function insertMasterAccounts(
  client: ClientBase,
  secrets: SecretBox,
  { tenant, book, seed, since, at }: { tenant: string; book: DemoBook; seed: number; since: number; at: number },
): Promise<void> {
  const random = seededRandom(seed);
  const checks: unknown[][] = [];
  const rows = accounts.map((account) => {
    const id = random.uuid(since);
    const code = `${account.code}-${book.currency}`;
    const key = `${account.code.toLowerCase()}_${randomBytes(12).toString("hex")}`;
    const credentials = secrets.seal(JSON.stringify({ agent: code, key }, null, 2), masterCredentialsPlace(tenant, id));
    // its provider failed only lately, and three times
    const failedSince = account.fault === "down" ? at - 3 * checkHours * hour : account.fault === "slow" ? at - checkHours * hour : at;
    let [balance, last, misses]: [bigint, number, number] = [0n, since, 0];
    for (let then = at - pastDays * 24 * hour; then < at; then += checkHours * hour) {
      const isMiss = then >= failedSince;
      const took = isMiss && account.fault === "slow" ? 15_000 : 90 + Math.floor(random.next() * 300);
      if (isMiss) misses += 1;
      else balance = balanceAt(account, book, then);
      last = then;
      const answer = isMiss
        ? '{"status":"MAINTENANCE"}'
        : `{"status":"OK","data":{"balance":"${moneyText(balance)}","currency":"${book.currency}","credit":${balance > 0n}}}`;
      checks.push([
        tenant,
        random.uuid(then),
        id,
        new Date(then),
        took,
        isMiss ? (account.fault === "slow" ? null : 500) : 200,
        isMiss ? (account.fault === "slow" ? "timed-out" : "http-status") : null,
        isMiss && account.fault !== "slow" ? "500" : null,
        isMiss ? null : moneyText(balance),
        isMiss ? null : balance > 0n,
        isMiss && account.fault === "slow" ? null : answer,
      ]);
    }
    const threshold = money(`${account.threshold * book.secondFrom}.00`);
    const critical = balance < threshold;
    return [
      tenant,
      id,
      book.currency,
      code,
      `${account.name} ${book.currency}`,
      account.upline,
      account.suspended ? "suspend" : "active",
      moneyText(threshold),
      critical,
      critical ? new Date(last) : null,
      // the real port is known when the providers start
      `http://127.0.0.1:9/credit/${code}?agent={{agent}}`,
      JSON.stringify([{ name: "X-Api-Key", value: "{{key}}" }]),
      "/data/balance",
      "/data/credit",
      "/data/currency",
      "/status",
      "OK",
      credentials,
      moneyText(balance),
      balance > 0n,
      new Date(last),
      misses,
      misses === 0 ? null : account.fault === "slow" ? "timed-out" : "http-status",
      new Date(since),
      new Date(since),
    ];
  });
  const texts = (...names: readonly string[]) => names.map((name) => `${name} text`);
  await insertRows(
    client,
    "master_accounts",
    [
      "tenant_id uuid",
      "id uuid",
      ...texts("currency", "code", "name", "upline", "status"),
      "threshold numeric",
      "critical boolean",
      "critical_since timestamptz",
      "check_url text",
      "check_headers jsonb",
      ...texts("balance_pointer", "credit_pointer", "currency_pointer", "success_pointer", "success_value"),
      "credentials bytea",
      "balance numeric",
      "has_credit boolean",
      "last_checked_at timestamptz",
      "misses integer",
      "failure text",
      "created_at timestamptz",
      "updated_at timestamptz",
    ],
    rows,
  );
  await insertRows(
    client,
    "master_account_checks",
    [
      ...["tenant_id", "id", "master_account_id"].map((name) => `${name} uuid`),
      "at timestamptz",
      "milliseconds integer",
      "http_status integer",
      ...texts("failure", "about"),
      "balance numeric",
      "has_credit boolean",
      "answer text",
    ],
    checks,
  );
  await insertWatchers(client, { tenant, currency: book.currency, rows, random, at });
}

/** A watcher of each account that is watched; its first turn comes with the first interval. */
async function insertWatchers(
  client: ClientBase,
  { tenant, currency, rows, random, at }: { tenant: string; currency: string; rows: readonly unknown[][]; random: Random; at: number },
): Promise<void> {
  const watchers = accounts.flatMap(({ watched }, nth) => {
    const [, account, , , , , , threshold] = rows[nth] ?? [];
    if (watched === undefined) return [];
    return [[tenant, random.uuid(at), currency, account, threshold, watched, watched === 30, new Date(at + watched * 60_000)]];
  });
  await insertRows(
    client,
    "score_watchers",
    [
      "tenant_id uuid",
      "id uuid",
      "currency text",
      "master_account_id uuid",
      "threshold numeric",
      "every_minutes integer",
      "mail boolean",
      "next_at timestamptz",
    ],
    watchers,
  );
}

/** Where the demo's accounts are checked: their addresses are of the port the providers have this time. */
export async function startDemoProviders(deps: Deps, books: ReadonlyMap<string, readonly DemoBook[]>): Promise<Provider> {
  const known = new Map<string, ProviderAccount>();
  const provider = await startProvider(known);
  const { rows: tenants } = await deps.database.pool.query<{ id: string; code: string }>("select id, code from tenants");
  for (const { id: tenant, code } of tenants) {
    await inTenant(deps.database, tenant, async (db) => {
      const ids = await db
        .selectFrom("master_accounts")
        .select("id")
        .where("tenant_id", "=", tenant)
        .where("check_url", "like", "http://127.0.0.1:%")
        .execute();
      const rows = await findRecords<MasterAccountRow>(
        db,
        accountRows(tenant, null),
        ids.map(({ id }) => id),
      );
      for (const row of rows) {
        const facts = accounts.find((one) => row.code === `${one.code}-${row.currency}`);
        const book = books.get(code)?.find(({ currency }) => currency === row.currency);
        if (facts === undefined || book === undefined) continue;
        const { key } = openCredentials(deps, row);
        const name = `${code}-${row.code}`;
        known.set(name, {
          currency: row.currency,
          knows: (headers) => headers["x-api-key"] === key,
          balance: () => balanceAt(facts, book, Date.now()),
          fault: () => facts.fault,
        });
        await db
          .updateTable("master_accounts")
          .set({ check_url: `${provider.url(name)}?agent={{agent}}` })
          .where("tenant_id", "=", tenant)
          .where("id", "=", row.id)
          .execute();
      }
    });
  }
  return provider;
}
