import { randomUUID } from "node:crypto";
import { beforeAll, expect, test } from "vitest";
import { searchHandlers } from "../../../src/server/search/search.ts";
import { testDatabase } from "../../support/database.ts";
import { readsBy, readsOf } from "../../support/reads-by.ts";
import { makeMerchant } from "../../support/factories.ts";
import { makeOffice } from "../../support/payments.ts";
import type { Office } from "../../support/payments.ts";

// Rows without their history: only how they are found is looked at.
const db = testDatabase({ invariants: false });
const many = 60_000;
let office: Office;

beforeAll(async () => {
  office = await makeOffice(db);
  const { tenant } = office;
  const merchants = await Promise.all(
    Array.from({ length: 20 }, (_, at) => {
      // letters only, because a code by chance would be found by its digits, too
      const letters = String.fromCharCode(65 + at);
      return makeMerchant(db, tenant, { code: `SHOP-${letters}`, name: `Shop ${letters}` });
    }),
  );
  await db.owner.query(
    `insert into transactions (tenant_id, kind, txn_no, merchant_id, merchant_txn_no, reference_no, status, currency, method, member, customer_name,
        bank, account_number, holder, amount, final_amount, merchant_amount)
      select $1, k.kind, k.letter || '261121' || lpad(n::text, 7, '0'), ($2::uuid[])[1 + n % 20], 'N' || n, case when n % 3 = 0 then 'R' || n end,
        'completed', 'MYR', 'bank_transfer', 'M' || n % 1000, case when n % 3 = 0 then 'Tan Wei Ming' else 'Customer ' || n end,
        'Maybank', (5000000 + n)::text, 'X', 10, 10, 10
      from generate_series(1, $3::integer) n, lateral (select case when n % 2 = 0 then 'deposit' else 'withdrawal' end as kind,
        case when n % 2 = 0 then 'D' else 'W' end as letter) k`,
    [tenant.id, merchants.map(({ id }) => id), many],
  );
  await db.owner.query("analyze");
}, 300_000);

test.each([
  ["a number", "W2611210000777", 1],
  ["its last six digits", "000777", 1],
  ["a merchant's number", "N778", 1],
  ["a bank's reference", "R777", 1],
  ["a payee's account", "5000777", 1],
  ["an id", randomUUID(), 0],
  ["a name one has", "customer 50003", 1],
  ["a name thousands have", "tan wei", 24],
  ["words thousands have", "ming tan", 24],
  ["a word in another order", "50003 customer", 1],
  ["a slip", "mign tan", 24],
  ["a payee's last four", "0777", 6],
  ["a customer's id", "M777", 12],
  ["several numbers", "W2611210000777, W2611210000779 R777", 2],
  ["nothing there is", "zzzz", 0],
])("%s is found by indexes alone, as the server's own role, however often it is asked for", async (_, q, found) => {
  const { whole, indexed } = await readsOf(db, async (database) => {
    const call = { ...office.call(), deps: { ...office.deps, database } };
    const { data } = await searchHandlers.search(call, { query: { q }, params: undefined, body: undefined });
    expect(data).toHaveLength(found);
  });
  expect(whole).toBe(0);
  expect(indexed).toBeLessThan(1_500);
});

test("the parts of an id are looked for in no names", async () => {
  const reads = await readsBy(
    db,
    async (database) => {
      const call = { ...office.call(), deps: { ...office.deps, database } };
      await searchHandlers.search(call, { query: { q: "0165c90b-beef-7712-8030-41d4a395b2c6" }, params: undefined, body: undefined });
    },
    ["search_terms"],
  );
  expect(reads).toBe(0);
});
