import fc from "fast-check";
import { sql } from "kysely";
import { expect, test } from "vitest";
import { inTenant } from "../../../src/server/db/scope.ts";
import { post } from "../../../src/server/ledger/ledger.ts";
import { recomputeCritical } from "../../../src/server/payments/critical.ts";
import { money, moneyText } from "../../../src/values/money.ts";
import { testDatabase } from "../../support/database.ts";
import { fund, makeAccount, makeMerchant, makeTenant } from "../../support/factories.ts";
import { rejections } from "../../support/payments.ts";

const db = testDatabase();

test("a merchant's accounts are made once, however many ask at the same time", async () => {
  const tenant = await makeTenant(db);
  const merchant = await makeMerchant(db, tenant);
  const ids = (kind: string, owner: string | null) =>
    Promise.all(
      Array.from({ length: 12 }, () =>
        inTenant(db.database, tenant.id, async (scoped) => {
          const { rows } = await sql<{ id: string }>`select ledger_account(${kind}, ${merchant.currency}, ${owner}) as id`.execute(scoped);
          return rows[0]?.id;
        }),
      ),
    );
  for (const accounts of [ids("wallet", merchant.id), ids("hold", merchant.id), ids("fee-income", null)]) {
    expect(new Set(await accounts).size).toBe(1);
  }
});

test("a group that does not balance is refused by the database", async () => {
  const tenant = await makeTenant(db);
  const merchant = await makeMerchant(db, tenant, { wallet: "100" });
  const lopsided = inTenant(db.database, tenant.id, (scoped) =>
    post(scoped, {
      kind: "test",
      currency: "MYR",
      transaction: null,
      by: null,
      legs: [
        { kind: "wallet", owner: merchant.id, amount: -money("10") },
        { kind: "hold", owner: merchant.id, amount: money("9") },
      ],
    }),
  );
  await expect(lopsided).rejects.toMatchObject({ code: "23514" });
});

test("more than the wallet holds is refused, and nothing moves", async () => {
  const tenant = await makeTenant(db);
  const merchant = await makeMerchant(db, tenant, { wallet: "100" });
  const too = inTenant(db.database, tenant.id, (scoped) =>
    post(scoped, {
      kind: "test",
      currency: "MYR",
      transaction: null,
      by: null,
      legs: [
        { kind: "wallet", owner: merchant.id, amount: -money("100.01") },
        { kind: "hold", owner: merchant.id, amount: money("100.01") },
      ],
    }),
  );
  await expect(too).rejects.toMatchObject({ code: "merchant.insufficient-balance" });
  const { rows } = await db.owner.query("select kind, balance from ledger_accounts where owner_id = $1", [merchant.id]);
  expect(rows).toEqual([{ kind: "wallet", balance: "100.0000" }]);
});

test("a posted entry can be neither changed nor deleted, not even by the owner of the database", async () => {
  const tenant = await makeTenant(db);
  await makeMerchant(db, tenant, { wallet: "100" });
  await expect(db.owner.query("update ledger_entries set amount = 1 where tenant_id = $1", [tenant.id])).rejects.toThrow(/immutable/);
  await expect(db.owner.query("delete from ledger_entries where tenant_id = $1", [tenant.id])).rejects.toThrow(/immutable/);
  await expect(db.owner.query("truncate ledger_entries cascade")).rejects.toThrow(/immutable/);
});

test("any sequence of transfers leaves every balance the sum of its entries", async () => {
  const tenant = await makeTenant(db);
  const merchants = await Promise.all([1, 2, 3].map(() => makeMerchant(db, tenant, { wallet: "50" })));
  const transfer = fc.record({ from: fc.nat(2), to: fc.nat(2), amount: fc.integer({ min: 1, max: 900_000 }) });
  await fc.assert(
    fc.asyncProperty(fc.array(transfer, { maxLength: 6 }), async (transfers) => {
      const settled = await Promise.allSettled(
        transfers.map(({ from, to, amount }) =>
          inTenant(db.database, tenant.id, (scoped) =>
            post(scoped, {
              kind: "test",
              currency: "MYR",
              transaction: null,
              by: null,
              legs: [
                { kind: "wallet", owner: merchants[from]?.id ?? "", amount: -BigInt(amount) },
                { kind: "wallet", owner: merchants[to]?.id ?? "", amount: BigInt(amount) },
              ],
            }),
          ),
        ),
      );
      expect(rejections(settled).filter((code) => code !== "merchant.insufficient-balance")).toEqual([]);
      const { rows } = await db.owner.query<{ total: string }>(
        "select sum(balance) as total from ledger_accounts where tenant_id = $1 and kind = 'wallet'",
        [tenant.id],
      );
      expect(rows[0]?.total).toBe("150.0000");
    }),
    { numRuns: 25 },
  );
});

test("an account is critical below its threshold, and normal again 5 % above it", async () => {
  const tenant = await makeTenant(db);
  const account = await makeAccount(db, tenant, { balance: "1000", threshold: "1000" });
  const critical = async () =>
    (await db.owner.query<{ critical: boolean }>("select critical from payment_accounts where id = $1", [account.id])).rows[0]?.critical;
  const steps: [amount: string, critical: boolean][] = [
    ["-0.01", true],
    ["0.01", true],
    ["49.99", true],
    ["0.01", false],
    ["-50", false],
    ["-1", true],
  ];
  expect(await critical()).toBe(false);
  for (const [amount, expected] of steps) {
    await fund(db, tenant, "payment-account", account.id, amount);
    expect([amount, await critical()]).toEqual([amount, expected]);
  }
  await db.owner.query("update payment_accounts set threshold = 900 where id = $1", [account.id]);
  expect(await inTenant(db.database, tenant.id, (scoped) => recomputeCritical(scoped, tenant.id, [account.id]))).toEqual([account.id]);
  expect(await critical()).toBe(false);
});

test("amounts survive the ledger to the last digit", async () => {
  const tenant = await makeTenant(db);
  const merchant = await makeMerchant(db, tenant, { wallet: "123456789012.3456" });
  const { rows } = await db.owner.query<{ balance: string }>("select balance from ledger_accounts where owner_id = $1", [merchant.id]);
  expect(moneyText(money(rows[0]?.balance ?? ""))).toBe("123456789012.3456");
});
