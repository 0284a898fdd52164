import { expect, test } from "vitest";
import { accountTransactionRoutes, merchantTransactionRoutes } from "../../../src/contract/statements.ts";
import type { Database } from "../../../src/server/db/scope.ts";
import { accountTransactionHandlers, merchantTransactionHandlers } from "../../../src/server/statements/statements.ts";
import { testDatabase } from "../../support/database.ts";
import type { Account } from "../../support/factories.ts";
import { makeAccount, makeMerchant } from "../../support/factories.ts";
import { makeOffice } from "../../support/payments.ts";
import type { Office } from "../../support/payments.ts";
import { readsBy } from "../../support/reads-by.ts";

// Postings without their history: only how they are found is looked at.
const db = testDatabase({ invariants: false });
const tables = ["ledger_entries", "ledger_groups", "transactions"];
const [few, many] = [11_000, 12_000];
let office: Office;
/** Where a page in the middle of all begins. */
const middle = "2026-11-16 12:00";

type Statement = "merchant" | "account";

interface Owners {
  readonly wallets: readonly string[];
  readonly holds: readonly string[];
  readonly accounts: readonly Account[];
  readonly merchants: readonly string[];
}

/** Deposits, one a minute, in turns of twelve merchants and ten accounts, each with a hold; every hundredth is an adjustment by hand instead. */
async function grow(from: number, to: number, { wallets, holds, accounts, merchants }: Owners) {
  const owner = await db.owner.connect();
  const [ledgers, banks] = [accounts.map(({ ledger }) => ledger), accounts.map(({ id }) => id)];
  const fresh = [office.tenant.id, from, to, wallets, ledgers, merchants, banks, holds];
  const numbered = `from generate_series($2::integer, $3::integer - 1) n cross join lateral (select '2026-11-20T12:00:00Z'::timestamptz - n * interval '1 minute' as at,
    uuidv7(('2026-11-20T12:00:00Z'::timestamptz - n * interval '1 minute') - now()) as id) g`;
  try {
    await owner.query("begin");
    await owner.query("set local session_replication_role = replica");
    await owner.query(
      `create temporary table fresh on commit drop as select n, g.at, g.id, ($4::uuid[])[1 + n % cardinality($4)] as wallet,
      ($8::uuid[])[1 + n % cardinality($8)] as hold, ($5::uuid[])[1 + n % cardinality($5)] as account, ($6::uuid[])[1 + n % cardinality($6)] as merchant,
      ($7::uuid[])[1 + n % cardinality($7)] as bank, $1::uuid as tenant, case when n % 100 = 0 then 'adjustment' end as rare ${numbered}`,
      fresh,
    );
    await owner.query(`insert into transactions (tenant_id, id, kind, txn_no, merchant_id, merchant_txn_no, reference_no, status, currency, method, member,
        customer_name, amount, final_amount, merchant_amount, payment_account_id, created_at)
      select tenant, id, 'deposit', 'D' || n, merchant, 'N' || n, 'R' || n, 'completed', 'MYR', 'qr', 'M', 'Customer ' || n, 1 + n, 1 + n, 1 + n, bank, at from fresh`);
    await owner.query(
      `insert into ledger_groups (tenant_id, id, kind, currency, transaction_id, by_user, created_at)
      select tenant, id, coalesce(rare, 'deposit'), 'MYR', case when rare is null then id end, case when rare is not null then $1::uuid end, at from fresh`,
      [office.ann.id],
    );
    await owner.query(`insert into ledger_entries (tenant_id, account_id, account_kind, rare_kind, seq, group_id, currency, side, amount, previous_balance, balance, created_at)
      select tenant, account, 'payment-account', rare, 1000000 - n, id, 'MYR', 1, 1, 1000000 - n, 1000001 - n, at from fresh
      union all select tenant, hold, 'hold', null, 1000000 - n, id, 'MYR', -1, 1, 1000000 - n, 1000001 - n, at from fresh
      union all select tenant, wallet, 'wallet', rare, 1000000 - n, id, 'MYR', -1, 1, 1000000 - n, 1000001 - n, at from fresh`);
    await owner.query("commit");
  } finally {
    owner.release();
  }
  await db.owner.query("vacuum analyze ledger_entries, ledger_groups, transactions");
}

const statements = {
  merchant: (database: Database, query: Record<string, unknown>) =>
    merchantTransactionHandlers.listMerchantStatementLines(callOn(database), {
      query: merchantTransactionRoutes.listMerchantStatementLines.query.parse(query),
      params: undefined,
      body: undefined,
    }),
  account: (database: Database, query: Record<string, unknown>) =>
    accountTransactionHandlers.listAccountStatementLines(callOn(database), {
      query: accountTransactionRoutes.listAccountStatementLines.query.parse(query),
      params: undefined,
      body: undefined,
    }),
};
const callOn = (database: Database) => ({ ...office.call(), deps: { ...office.deps, database } });

/** A page, or a statement's figures, and how many lines it has however many there are. */
const pages: readonly (readonly [what: string, query: Record<string, unknown>, lines: number])[] = [
  ["the first page", { sort: "-created_at" }, 100],
  ["the last page", { sort: "-created_at", direction: "previous" }, 100],
  ["a page from a day", { sort: "-created_at", at: middle }, 100],
  ["the oldest first", { sort: "created_at" }, 100],
  ["a day with its totals", { sort: "-created_at", "filter[created_at_from]": "2026-11-20T06:00:00Z", with: "count,sums" }, 100],
  ["one merchant", { sort: "-created_at", "filter[merchant_code]": "SHOP3" }, 100],
  ["one account", { sort: "-created_at", "filter[account_code]": "BANK-3" }, 100],
  ["two merchants", { sort: "-created_at", "filter[merchant_code]": "SHOP3,SHOP4" }, 100],
  ["any other merchant", { sort: "-created_at", "filter[merchant_code]": "!SHOP3" }, 100],
  ["any other customer", { sort: "-created_at", "filter[customer_name]": "!customer 7770" }, 100],
  ["a common type", { sort: "-created_at", "filter[kind]": "deposit" }, 100],
  ["a rare type", { sort: "-created_at", "filter[kind]": "adjustment" }, 100],
  ["what was made by hand", { sort: "-created_at", "filter[source]": "manual" }, 100],
  ["a source", { sort: "-created_at", "filter[source]": "api" }, 100],
  ["a number", { "filter[txn_no]": "D777" }, 1],
  ["a merchant's number", { "filter[merchant_txn_no]": "N777" }, 1],
  ["two numbers", { "filter[txn_no]": "D777,D778" }, 2],
  ["a reference", { "filter[reference_no]": "R777" }, 1],
  ["a customer", { "filter[customer_name]": "customer 7770" }, 1],
  ["an amount", { "filter[amount_from]": "105", "filter[amount_to]": "109" }, 5],
  ["a text", { q: "D777" }, 1],
];

/** The same of what is held of merchants. */
const heldPages: typeof pages = [
  ["what is held", { sort: "-created_at", "filter[hold]": "only" }, 100],
  ["the last page of what is held", { sort: "-created_at", direction: "previous", "filter[hold]": "only" }, 100],
  ["a day of what is held", { "filter[hold]": "only", "filter[created_at_from]": "2026-11-20T06:00:00Z", with: "count,sums" }, 100],
  ["what is held of one merchant", { sort: "-created_at", "filter[hold]": "only", "filter[merchant_code]": "SHOP3" }, 100],
  ["what is held for a number", { "filter[hold]": "only", "filter[txn_no]": "D777" }, 1],
];
const pagesOf = { merchant: [...pages, ...heldPages], account: pages } as const;

const read = async (statement: Statement, query: Record<string, unknown>) =>
  readsBy(db, (database) => statements[statement](database, query), tables);

test("pages of statements and their filters read no more of a ledger three times as long", { timeout: 300_000 }, async () => {
  office = await makeOffice(db);
  const { tenant } = office;
  const merchants: string[] = [];
  for (let n = 0; n < 12; n++) merchants.push((await makeMerchant(db, tenant, { code: `SHOP${n}` })).id);
  const accounts: Account[] = [];
  for (let n = 0; n < 10; n++) accounts.push(await makeAccount(db, tenant, { code: `BANK-${n}`, balance: "0" }));
  const ledgersOf = async (kind: "wallet" | "hold"): Promise<string[]> => {
    const { rows } = await db.owner.query<{ id: string }>(
      `insert into ledger_accounts (tenant_id, kind, currency, owner_id) select $1, $3, 'MYR', m from unnest($2::uuid[]) m returning id`,
      [tenant.id, merchants, kind],
    );
    return rows.map(({ id }) => id);
  };
  const owners = { wallets: await ledgersOf("wallet"), holds: await ledgersOf("hold"), accounts, merchants };
  await grow(0, few, owners);
  const before = new Map<string, number>();
  for (const statement of ["merchant", "account"] as const) {
    for (const [what, query, lines] of pagesOf[statement]) {
      const { data } = await statements[statement](db.database, query);
      expect([statement, what, data.length]).toEqual([statement, what, lines]);
      before.set(`${statement}: ${what}`, await read(statement, query));
    }
  }
  await grow(few, many, owners);
  const grown: Record<string, number> = {};
  for (const statement of ["merchant", "account"] as const) {
    for (const [what, query] of pagesOf[statement]) grown[`${statement}: ${what}`] = await read(statement, query);
  }
  if (process.env["SHOW"]) console.log(Object.fromEntries([...before].map(([what, reads]) => [what, [reads, grown[what]]])));
  for (const [what, reads] of before) expect([what, (grown[what] ?? Infinity) <= reads * 1.2 + 300]).toEqual([what, true]);
});
