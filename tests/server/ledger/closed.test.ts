import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import { beforeAll, expect, test } from "vitest";
import { inTenant } from "../../../src/server/db/scope.ts";
import { testDatabase } from "../../support/database.ts";
import { fund, makeAccount, makeGroup, makeMerchant, makeTenant } from "../../support/factories.ts";
import type { Account, Merchant, Tenant } from "../../support/factories.ts";
import { makeOffice } from "../../support/payments.ts";

// An attacker who injects a statement has the app's role: these tests say what that role can do to money.
const db = testDatabase();
let tenant: Tenant;
let merchant: Merchant;
let account: Account;
let facts: Record<string, string>;

beforeAll(async () => {
  tenant = await makeTenant(db);
  merchant = await makeMerchant(db, tenant, { wallet: "100" });
  account = await makeAccount(db, tenant, { balance: "100" });
  await makeAccount(db, tenant, { balance: "0" });
  await fund(db, tenant, "wallet", merchant.id, "5");
  const { rows } = await db.owner.query<{ wallet: string; adjustment: string; empty: string }>(
    `select (select id from ledger_accounts where tenant_id = $1 and kind = 'wallet') as wallet,
      (select id from ledger_accounts where tenant_id = $1 and kind = 'adjustment') as adjustment,
      (select id from ledger_accounts where tenant_id = $1 and kind = 'payment-account' and last_seq = 0) as empty`,
    [tenant.id],
  );
  await inTenant(db.database, tenant.id, (scoped) =>
    sql`insert into audit_entries (tenant_id, actor_kind, actor_name, act, entity) values (${tenant.id}, 'system', 'system', 'look', 'nothing')`.execute(
      scoped,
    ),
  );
  facts = {
    tenant: tenant.id,
    merchant: merchant.id,
    account: account.id,
    ledger: account.ledger,
    ...rows[0],
    id: randomUUID(),
    owner: randomUUID(),
  };
});

const group = "insert into ledger_groups (tenant_id, id, kind, currency) values ('$tenant', '$id', 'invented', 'MYR')";
const entry = (of: string, seq: string, side: number, amount: number, previous: string) =>
  `insert into ledger_entries (tenant_id, account_id, seq, group_id, currency, side, amount, previous_balance, balance)
    select '$tenant', a.id, ${seq}, '$id', 'MYR', ${side}, ${amount}, ${previous}, ${previous} + ${amount} from ledger_accounts a where a.id = '${of}'`;

test.each([
  [
    "opens a wallet with a balance",
    ["insert into ledger_accounts (tenant_id, kind, currency, owner_id, balance) values ('$tenant', 'wallet', 'MYR', '$owner', 1000000)"],
  ],
  [
    "opens an account that pretends to have entries",
    ["insert into ledger_accounts (tenant_id, kind, currency, owner_id, last_seq) values ('$tenant', 'wallet', 'MYR', '$owner', 7)"],
  ],
  ["raises a balance", ["update ledger_accounts set balance = balance + 1000000 where id = '$wallet'"]],
  ["raises the balance of an account without entries", ["update ledger_accounts set balance = 1000000 where id = '$empty'"]],
  ["forgets an account's entries", ["update ledger_accounts set balance = 1000000, last_seq = 0 where id = '$wallet'"]],
  [
    "writes entries that begin with money nobody paid in",
    [
      group,
      entry("$wallet", "a.last_seq + 1", -1, 1, "1000000"),
      entry("$adjustment", "a.last_seq + 1", 1, 1, "a.balance"),
      "update ledger_accounts set balance = 1000001, last_seq = last_seq + 1 where id = '$wallet'",
      "update ledger_accounts set balance = balance + 1, last_seq = last_seq + 1 where id = '$adjustment'",
    ],
  ],
  [
    "leaves out entries",
    [group, entry("$wallet", "a.last_seq + 2", -1, 1, "a.balance"), entry("$adjustment", "a.last_seq + 1", 1, 1, "a.balance")],
  ],
  [
    "writes entries its accounts know nothing of",
    [group, entry("$wallet", "a.last_seq + 1", -1, 1, "a.balance"), entry("$adjustment", "a.last_seq + 1", 1, 1, "a.balance")],
  ],
  ["lets a payment account have another's money", ["update payment_accounts set ledger_account_id = '$empty' where id = '$account'"]],
  ["moves a merchant to another currency", ["update merchants set currency = currency where id = '$merchant'"]],
  ["takes an audit row out of the queue for its seal", ["delete from audit_unsealed"]],
  ["writes the audit chain itself", ["insert into audit_chain select tenant_id, 1, id, '\\x', '\\x' from audit_entries limit 1"]],
  ["sets the head of the audit chain", ["insert into audit_heads (tenant_id, seq) values ('$tenant', 9)"]],
])("the app's role is refused when it %s", async (_, statements) => {
  const run = inTenant(db.database, tenant.id, async (scoped) => {
    for (const statement of statements) {
      await sql.raw(statement.replace(/\$(\w+)/g, (all, name: string) => facts[name] ?? all)).execute(scoped);
    }
  });
  await expect(run).rejects.toMatchObject({ code: expect.stringMatching(/^(42501|23514|23001|23503)$/) });
});

test("the role's functions do what the role itself may not: move money, seal audit rows", async () => {
  const done = await inTenant(db.database, tenant.id, async (scoped) => {
    const legs = JSON.stringify([
      { kind: "wallet", owner: merchant.id, amount: "10" },
      { kind: "adjustment", owner: null, amount: "10" },
    ]);
    await sql`select post_legs('adjustment', 'MYR', null, null, 'promised', ${legs}::jsonb, false, null)`.execute(scoped);
    const sealed = await sql<{ n: number }>`select audit_seal(10) as n`.execute(scoped);
    return sealed.rows[0]?.n;
  });
  expect(done).toBe(1);
});

test.each(["amount = 9", "currency = currency", "member = 'M2'", "merchant_id = merchant_id", "account_number = '1'"])(
  "what a transaction is about is refused to change: %s",
  async (change) => {
    const office = await makeOffice(db);
    const payer = await makeMerchant(db, office.tenant, { wallet: "1000" });
    const { id } = await office.withdraw(payer);
    const run = inTenant(db.database, office.tenant.id, (scoped) =>
      sql`update transactions set ${sql.raw(change)} where id = ${id}`.execute(scoped),
    );
    await expect(run).rejects.toThrow(/never changes/);
  },
);

test.each(["amount = 9, final_amount = 9, merchant_amount = 9", "asked_amount = 9, asked_fee = 0, amount_reason = 'less'"])(
  "what a deposit was asked for is refused to change: %s",
  async (change) => {
    const office = await makeOffice(db);
    const payer = await makeMerchant(db, office.tenant);
    await makeGroup(db, office.tenant, [await makeAccount(db, office.tenant, { balance: "0" })], [payer]);
    const { id } = await office.deposit(payer);
    const run = inTenant(db.database, office.tenant.id, (scoped) =>
      sql`update transactions set ${sql.raw(change)} where id = ${id}`.execute(scoped),
    );
    await expect(run).rejects.toThrow(/asked for never changes/);
  },
);
