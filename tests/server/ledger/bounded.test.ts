import { expect, test } from "vitest";
import { inTenant } from "../../../src/server/db/scope.ts";
import { post } from "../../../src/server/ledger/ledger.ts";
import { money } from "../../../src/values/money.ts";
import { testDatabase } from "../../support/database.ts";
import { makeMerchant, makeTenant } from "../../support/factories.ts";
import { readsBy } from "../../support/reads-by.ts";

const db = testDatabase();

test("a posting reads no more of accounts that have many entries", async () => {
  const tenant = await makeTenant(db);
  const merchant = await makeMerchant(db, tenant, { wallet: "1000" });
  const moved = { kind: "test", currency: merchant.currency, transaction: null, by: null };
  const legs = [
    { kind: "wallet" as const, owner: merchant.id, amount: -money("1") },
    { kind: "suspense" as const, owner: null, amount: money("1") },
  ];
  await inTenant(db.database, tenant.id, async (scoped) => {
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    for (let n = 0; n < 600; n++) await post(scoped, { ...moved, legs });
  });
  await db.owner.query("vacuum analyze");
  const reads = await readsBy(db, (database) => inTenant(database, tenant.id, (scoped) => post(scoped, { ...moved, legs })), [
    "ledger_entries",
    "ledger_groups",
    "ledger_accounts",
  ]);
  expect(reads).toBeLessThan(100);
});
