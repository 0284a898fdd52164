import pg from "pg";
import { expect, test } from "vitest";
import { checkInvariants } from "../../../src/server/db/invariants.ts";
import { seedDemo } from "../../../src/server/demo/seed.ts";
import { secretBox } from "../../../src/server/secrets/secrets.ts";
import { testDatabase } from "../../support/database.ts";
import type { TestDatabase } from "../../support/database.ts";

const one = testDatabase({ pool: 2 });
const two = testDatabase({ pool: 2 });
const now = new Date("2026-11-21T06:32:00.000Z");

async function seed(db: TestDatabase, seed = 7) {
  const owner = new pg.Client(db.connectAs("app"));
  await owner.connect();
  try {
    return await seedDemo(owner, {
      secrets: secretBox(Buffer.alloc(32, 7)),
      now,
      seed,
      hashPassword: async (password) => `hash of ${password}`,
      transactions: 1_500,
    });
  } finally {
    await owner.end();
  }
}

/** Everything but what is made at random on purpose: credentials, and the marks of the database's own transactions. */
async function fingerprint({ owner }: TestDatabase): Promise<Record<string, string>> {
  const tables: Record<string, string> = {
    tenants: "*",
    users: "*",
    memberships: "*",
    user_groups: "*",
    merchants: "tenant_id, id, code, name, deposit_rate, callback_url",
    payment_accounts: "*",
    ledger_accounts: "*",
    ledger_groups: "tenant_id, id, kind, currency, transaction_id, by_user, created_at",
    ledger_entries: "tenant_id, account_id, seq, group_id, amount, balance, created_at",
    transactions: "*",
    transaction_events: "tenant_id, transaction_id, n, kind, act, from_status, to_status, at, by_user, actor, reason",
    decisions: "*",
    limit_usage: "*",
    outbox: "*",
    callback_attempts: "*",
    audit_entries: "*",
    audit_heads: "*",
  };
  const prints: Record<string, string> = {};
  for (const [table, columns] of Object.entries(tables)) {
    const { rows } = await owner.query<{ print: string }>(
      `select count(*) || ' ' || md5(string_agg(r::text, ' ' order by r::text)) as print from (select ${columns} from ${table}) r`,
    );
    prints[table] = rows[0]?.print ?? "";
  }
  return prints;
}

test("the demo is whole in the ledger, the same for the same seed, and seeded once", async () => {
  const logins = await seed(one);
  expect(logins?.filter(({ tenants }) => tenants.length === 3)).toHaveLength(1);
  expect(new Set(logins?.map(({ kind }) => kind))).toEqual(new Set(["owner", "operator", "support", "supervisor", "profile-only"]));
  expect((await brokenIn(one)).map(({ name }) => name)).toEqual([]);

  await seed(two);
  const prints = await fingerprint(one);
  expect(await fingerprint(two)).toEqual(prints);

  expect(await seed(one)).toEqual(logins);
  expect(await fingerprint(one)).toEqual(prints);
});

test("the demo has what operators need: three tenants, twenty merchants, sixty accounts, work in every state", async () => {
  const count = async (sql: string) => Number((await one.owner.query<{ n: string }>(`select count(*) as n from ${sql}`)).rows[0]?.n);
  expect(await count("tenants")).toBe(3);
  expect(await count("currencies")).toBe(6);
  expect(await count("merchants")).toBe(20);
  expect(await count("payment_accounts")).toBe(60);
  expect(await count("payment_accounts where critical")).toBeGreaterThan(2);
  expect(await count("transactions where kind = 'withdrawal' and status = 'pending'")).toBeGreaterThan(200);
  expect(await count("transactions where kind = 'withdrawal' and status = 'process' and first_approved_by is not null")).toBeGreaterThan(5);
  expect(await count("transactions where kind = 'deposit' and status = 'process'")).toBeGreaterThan(50);
  expect(await count("transactions where kind = 'deposit' and status = 'process' and first_approved_by is not null")).toBeGreaterThan(5);
  expect(await count("transactions where kind = 'deposit' and status = 'process' and source = 'manual'")).toBeGreaterThan(2);
  expect(await count("transactions t where kind = 'withdrawal' and status = 'pending' and holder <> upper(holder)")).toBe(0);
  expect(await count("(select distinct status from transactions) s")).toBe(6);
  // most of the queue can be paid from what the accounts hold
  expect(
    await count(`transactions t where kind = 'withdrawal' and status = 'pending' and exists (
      select from payment_accounts p join ledger_accounts l on l.tenant_id = p.tenant_id and l.id = p.ledger_account_id
      where p.tenant_id = t.tenant_id and p.currency = t.currency and p.status = 'active' and p.purpose <> 'deposit' and p.method = t.method
        and l.balance - p.reserve_amount >= t.amount)`),
  ).toBeGreaterThan(180);
});

async function brokenIn(db: TestDatabase) {
  const client = await db.owner.connect();
  try {
    return (await checkInvariants(client)).filter(({ rows }) => rows.length > 0);
  } finally {
    client.release();
  }
}
