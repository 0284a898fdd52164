import { beforeAll, expect, test } from "vitest";
import type { z } from "zod";
import { WithdrawalQuery } from "../../../src/contract/withdrawals.ts";
import { withdrawalHandlers } from "../../../src/server/payments/withdrawals.ts";
import { testDatabase } from "../../support/database.ts";
import { readsOf } from "../../support/reads-by.ts";
import { makeMerchant } from "../../support/factories.ts";
import { makeOffice } from "../../support/payments.ts";
import type { Office } from "../../support/payments.ts";

// Rows without their history: only how they are found is looked at.
const db = testDatabase({ invariants: false });
const many = 30_000;
let office: Office;

beforeAll(async () => {
  office = await makeOffice(db);
  const merchant = await makeMerchant(db, office.tenant);
  await db.owner.query(
    `insert into transactions (tenant_id, kind, txn_no, merchant_id, merchant_txn_no, status, currency, method, member, customer_name,
        bank, account_number, holder, amount, final_amount, merchant_amount, created_at)
      select $1, 'withdrawal', 'W261120' || lpad(n::text, 7, '0'), $2, 'L' || n, 'completed', 'MYR', 'bank_transfer', 'M' || n % 100,
        'Customer ' || n % 500, 'Maybank', (5000000 + n)::text, 'X', 1 + n % 300, 1 + n % 300, 1 + n % 300,
        '2026-11-20T12:00:00Z'::timestamptz - n * interval '1 minute'
      from generate_series(1, $3::integer) n`,
    [office.tenant.id, merchant.id, many],
  );
  await db.owner.query("vacuum analyze transactions");
}, 300_000);

const list = (query: z.input<typeof WithdrawalQuery>, call = office.call()) =>
  withdrawalHandlers.listWithdrawals(call, { query: WithdrawalQuery.parse({ view: "all", ...query }), params: undefined, body: undefined });

const middle = "2026-11-10 12:00";

/** Cursors of a page in the middle of the list sorted so. */
async function halfway(sort: "created_at" | "-created_at" | "amount"): Promise<{ next: string; previous: string }> {
  const begin = sort === "amount" ? { "filter[amount_from]": "150" } : { at: middle };
  const first = await list({ sort, limit: 50, ...begin });
  const { meta } = await list({ sort, limit: 50, cursor: first.meta.next ?? "" });
  return { next: meta.next ?? "", previous: meta.previous ?? "" };
}

test.each([
  ["oldest first", "created_at"],
  ["newest first", "-created_at"],
  ["by amount, hundreds of them equal", "amount"],
] as const)("%s: onwards, back, from a row, from a time and the last page, each is read by the index alone", async (_, sort) => {
  const { next, previous } = await halfway(sort);
  const ways: z.input<typeof WithdrawalQuery>[] = [
    { cursor: next },
    { cursor: previous, direction: "previous" },
    { from: previous },
    { direction: "previous" },
    ...(sort === "amount" ? [] : [{ at: middle }]),
  ];
  for (const way of ways) {
    // oxlint-disable-next-line no-await-in-loop -- what one way reads must not count for another
    const { whole, indexed } = await readsOf(db, async (database) => {
      const call = { ...office.call(), deps: { ...office.deps, database } };
      expect((await list({ sort, limit: 100, ...way }, call)).data).toHaveLength(100);
    });
    expect([way, whole]).toEqual([way, 0]);
    expect(indexed).toBeLessThan(1_000);
  }
});
