import { sql } from "kysely";
import { beforeAll, expect, test } from "vitest";
import { DepositQuery } from "../../../src/contract/deposits.ts";
import { WithdrawalQuery } from "../../../src/contract/withdrawals.ts";
import { routes } from "../../../src/contract/index.ts";
import { depositHandlers } from "../../../src/server/payments/deposits.ts";
import { withdrawalHandlers } from "../../../src/server/payments/withdrawals.ts";
import { candidatesOf, linesFitting, partsOf } from "../../../src/server/bank-lines/candidates.ts";
import type { StaffCall } from "../../../src/server/call.ts";
import type { Database, Scoped } from "../../../src/server/db/scope.ts";
import { inTenant } from "../../../src/server/db/scope.ts";
import { bookMany } from "../../support/bank-lines.ts";
import { testDatabase } from "../../support/database.ts";
import { makeAccount, makeMerchant } from "../../support/factories.ts";
import { listQueries } from "../../support/list-queries.ts";
import { makeOffice } from "../../support/payments.ts";
import type { Office } from "../../support/payments.ts";
import { readsOf } from "../../support/reads-by.ts";

// Rows without their history: only how they are found is looked at.
const db = testDatabase({ invariants: false });
const many = 60_000;
/** Asked more often than a statement is planned for its values alone. */
const times = 7;
/** Rows that a page may read: its own, what its rows tell of others, and those that a filter leaves out on the way. */
const bound = 6_000;
let office: Office;
/** The first moves one amount again and again. */
let accounts: readonly { readonly id: string }[];
let merchants: readonly { readonly id: string }[];

beforeAll(async () => {
  office = await makeOffice(db);
  const { tenant } = office;
  merchants = await Promise.all(Array.from({ length: 20 }, () => makeMerchant(db, tenant)));
  accounts = await Promise.all(Array.from({ length: 20 }, () => makeAccount(db, tenant)));
  await db.owner.query(
    `insert into transactions (tenant_id, kind, txn_no, merchant_id, merchant_txn_no, reference_no, status, currency, method, member, customer_name,
        bank, account_number, holder, amount, final_amount, merchant_amount, payment_account_id, created_at, approved_at, last_action_at)
      select $1, k.kind, k.letter || '261121' || lpad(n::text, 7, '0'), ($2::uuid[])[1 + h(1) % 20], 'N' || n, 'R' || n,
        case when n > $4 - 200 then k.open when h(2) % 100 < 10 then 'rejected' when h(2) % 100 < 15 then 'expired' when h(2) % 100 < 60 then 'approved'
          else 'completed' end, 'MYR', 'bank_transfer', 'M' || h(3) % 6000,
        'Customer ' || h(3) % 6000, 'Bank ' || h(4) % 15, (5000000 + h(3) % 6000)::text, 'X', k.amount, k.amount, k.amount,
        ($3::uuid[])[1 + h(6) % 20], k.at, k.at, k.at
      from generate_series(1, $4::integer) n, lateral (select case when n % 2 = 0 then 'deposit' else 'withdrawal' end as kind,
        case when n % 2 = 0 then 'D' else 'W' end as letter, case when n % 2 = 0 then 'process' else 'pending' end as open,
        now() - ($4 - n) * interval '3 minutes' as at, case h(6) % 20 when 0 then 500 else h(5) % 900 + 10 end as amount) k`.replaceAll(
      /h\((\d)\)/g,
      "abs(hashint8extended(n, $1) % 1000003)",
    ),
    [tenant.id, merchants.map(({ id }) => id), accounts.map(({ id }) => id), many],
  );
  await db.owner.query("vacuum analyze transactions");
}, 300_000);

/** The answer of a path of either list. */
async function answerOf(path: string, call: StaffCall = office.call()) {
  const { pathname, searchParams } = new URL(path, "http://localhost");
  const query = Object.fromEntries(searchParams);
  const received = { params: undefined, body: undefined };
  return pathname === routes.listWithdrawals.path
    ? withdrawalHandlers.listWithdrawals(call, { ...received, query: WithdrawalQuery.parse(query) })
    : depositHandlers.listDeposits(call, { ...received, query: DepositQuery.parse(query) });
}

test("every view, sort and filter the lists offer is read by indexes alone, as the server's own role, and no page reads much", async () => {
  const place = { tenant: office.tenant.id, currency: "MYR" };
  const queries = await listQueries(db.owner, place, async (path) => {
    const { meta } = await answerOf(path);
    return { meta: { next: meta?.next ?? null } };
  });
  const wrong: unknown[] = [];
  for (const { what, path } of queries) {
    // oxlint-disable-next-line no-await-in-loop -- what one list reads must not count for another
    const read = await readsOf(db, (database) => answerOf(path, { ...office.call(), deps: { ...office.deps, database } }), { times });
    if (read.whole > 0 || read.indexed > bound) wrong.push([what, read]);
  }
  for (const [what, count] of [
    ["withdrawals", withdrawalHandlers.countWithdrawals],
    ["deposits", depositHandlers.countDeposits],
  ] as const) {
    const received = { params: undefined, query: undefined, body: undefined };
    // oxlint-disable-next-line no-await-in-loop -- as above
    const read = await readsOf(db, (database) => count({ ...office.call(), deps: { ...office.deps, database } }, received), { times });
    if (read.whole > 0 || read.indexed > bound) wrong.push([`counts of ${what}`, read]);
  }
  expect(wrong).toEqual([]);
  expect(queries.length).toBeGreaterThan(200);
});

test("a bank line is held against what its account moved about its time, however much it moved before and after", async () => {
  const place = { tenant: office.tenant.id, currency: "MYR" };
  const { rows } = await db.owner.query<{ id: string; transaction: string }>(
    `with t as (select id, created_at, amount, payment_account_id, case kind when 'deposit' then 'credit' else 'debit' end as direction, gen_random_uuid() as line
       from (select *, row_number() over (partition by payment_account_id, kind order by status = 'approved' desc, created_at desc) as nth from transactions
         where tenant_id = $1) t where nth = 40),
     added as (insert into bank_lines (tenant_id, id, currency, payment_account_id, time, direction, amount, description, source, digest)
       select $1, line, 'MYR', payment_account_id, created_at + interval '1 minute', direction, amount, 'TRF', 'hand', uuid_send(line) from t)
     select line as id, id as transaction from t order by amount desc, line`, // the first has parts: transactions of less beside it
    [office.tenant.id],
  );
  await db.owner.query("vacuum analyze bank_lines");
  const ids = rows.map(({ id }) => id);
  const found: Record<string, unknown> = {};
  const reads: Record<string, number> = {};
  const asked: Record<string, (scoped: Scoped) => Promise<unknown>> = {
    "what fits the lines": (scoped) => candidatesOf(scoped, place, ids).then((all) => new Set(all.map(({ line_id }) => line_id)).size),
    "the parts of a line": (scoped) => partsOf(scoped, place, ids[0] ?? "").then((all) => all.length > 0),
    "the lines of a deposit": (scoped) => linesFitting(scoped, place, rows[0]?.transaction ?? ""),
    "late deposits": (scoped) =>
      sql`select late_deposits(${place.tenant}::uuid, ${place.currency}::text)`.execute(scoped).then(() => "asked"),
  };
  for (const [what, ask] of Object.entries(asked)) {
    const work = async (database: Database) => void (found[what] = await inTenant(database, place.tenant, ask));
    // oxlint-disable-next-line no-await-in-loop -- what one reads must not count for another
    const { whole, indexed } = await readsOf(db, work, { tables: ["transactions"], times });
    reads[what] = whole + indexed;
  }
  expect(found).toEqual({
    "what fits the lines": 40,
    "the parts of a line": true,
    "the lines of a deposit": [ids[0]],
    "late deposits": "asked",
  });
  for (const [what, read] of Object.entries(reads)) expect(read, `${what}: ${JSON.stringify(reads)}`).toBeLessThan(1_000);
});

test("a new deposit is held against the bank lines by its own id, however many there are", async () => {
  for (const { id } of accounts) await bookMany({ db, tenant: office.tenant }, id, 40, "B"); // oxlint-disable-line no-await-in-loop -- one connection
  await db.owner.query("vacuum analyze bank_lines");
  let n = 0;
  const { whole, indexed } = await readsOf(db, (database) =>
    inTenant(database, office.tenant.id, (scoped) =>
      sql`insert into transactions (tenant_id, kind, txn_no, merchant_id, merchant_txn_no, status, currency, method, member, customer_name, amount,
          final_amount, merchant_amount, payment_account_id, created_at, last_action_at)
        values (${office.tenant.id}, 'deposit', ${`D26110100000${n++}`}, ${merchants[0]?.id}, ${`X${n}`}, 'pending', 'MYR', 'bank_transfer', 'M1', 'Tan',
          500, 500, 500, ${accounts[0]?.id}, now(), now())`.execute(scoped),
    ),
  );
  expect(whole).toBe(0);
  expect(indexed).toBeLessThan(1_000);
});
