import { beforeAll, expect, test } from "vitest";
import { transactionSorts } from "../../../src/contract/transactions.ts";
import { WithdrawalQuery } from "../../../src/contract/withdrawals.ts";
import { withdrawalHandlers } from "../../../src/server/payments/withdrawals.ts";
import { testDatabase } from "../../support/database.ts";
import { makeMerchant } from "../../support/factories.ts";
import { makeOffice } from "../../support/payments.ts";
import type { Office } from "../../support/payments.ts";

// Rows without their history: only how they are found is looked at.
const db = testDatabase({ invariants: false });
let office: Office;

/** From when a row is made until it is approved: at once, at either side of a day, after a clock was set back, never. */
const delays = ["0 s", "90 s", "23:59:59.999", "24:00:00", "24:00:00.001", "3 days", "-00:05:00", null];

beforeAll(async () => {
  office = await makeOffice(db);
  const merchant = await makeMerchant(db, office.tenant);
  await db.owner.query(
    `insert into transactions (tenant_id, kind, txn_no, merchant_id, merchant_txn_no, status, currency, method, member, customer_name,
        bank, account_number, holder, amount, final_amount, merchant_amount, created_at, approved_at, last_action_at)
      select $1, 'withdrawal', 'W260105' || lpad(n::text, 7, '0'), $2, 'N' || n, case when d.delay is null then 'rejected' else 'approved' end,
        'MYR', 'bank_transfer', 'M' || n % 3, 'Customer ' || n % 5, 'Bank', '500' || n, 'X', n % 7 + 1, n % 7 + 1, n % 7 + 1,
        at, at + d.delay::interval, at
      from generate_series(0, 79) n, lateral (select timestamptz '2026-01-05 00:00Z' + n / 8 * interval '6 hours' as at) made,
        lateral (select ($3::text[])[n % 8 + 1] as delay) d`,
    [office.tenant.id, merchant.id, delays],
  );
});

/** All rows of a query, page by page. */
async function found(query: object): Promise<string[]> {
  const rows: string[] = [];
  for (let cursor: string | null | undefined; cursor !== null;) {
    const asked = WithdrawalQuery.parse({ view: "all", limit: 9, ...query, ...(cursor !== undefined && { cursor }) });
    // oxlint-disable-next-line no-await-in-loop -- a page tells where the next begins
    const { data, meta } = await withdrawalHandlers.listWithdrawals(office.call(), { params: undefined, body: undefined, query: asked });
    rows.push(...data.map(({ uuid }) => uuid));
    cursor = meta?.next ?? null;
  }
  return rows;
}

const times = ["2026-01-05T00:00:00Z", "2026-01-05T23:59:59.999Z", "2026-01-06T00:00:00Z", "2026-01-06T06:01:30Z", "2026-01-08T12:00:00Z"];
const spans = [undefined, ...times].flatMap((from) => [undefined, ...times].map((to) => [from, to] as const));

test.each(transactionSorts)("a span of approvals holds the rows approved in it, whenever they were made, by %s", async (sort) => {
  const column = {
    created_at: "created_at",
    amount: "amount",
    status: "status, created_at",
    customer_name: "lower(customer_name)",
    txn_no: "txn_no",
  }[sort];
  for (const [from, to] of spans) {
    const asked = { sort, ...(from && { "filter[approved_from]": from }), ...(to && { "filter[approved_to]": to }) };
    // oxlint-disable-next-line no-await-in-loop -- one span after another
    const { rows } = await db.owner.query<{ id: string }>(
      `select id from transactions where ($1::timestamptz is null or approved_at >= $1) and ($2::timestamptz is null or approved_at < $2)
        order by ${column}, id`,
      [from, to],
    );
    // oxlint-disable-next-line no-await-in-loop -- as above
    expect([from, to, await found(asked)]).toEqual([from, to, rows.map(({ id }) => id)]);
  }
});

test("a year that PostgreSQL does not have is refused as a filter", () => {
  const { error } = WithdrawalQuery.safeParse({ "filter[approved_from]": "0000-01-01T00:00:00Z" });
  expect(error?.issues).toMatchObject([{ path: ["filter[approved_from]"], message: "Must be after the year 0" }]);
});
