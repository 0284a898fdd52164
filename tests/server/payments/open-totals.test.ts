import { Kysely, PostgresDialect } from "kysely";
import { beforeAll, expect, test } from "vitest";
import { DepositQuery } from "../../../src/contract/deposits.ts";
import type { pinRoutes } from "../../../src/contract/pins.ts";
import { transactionStatuses } from "../../../src/contract/transactions.ts";
import type { Received } from "../../../src/contract/route.ts";
import { WithdrawalQuery } from "../../../src/contract/withdrawals.ts";
import type { Database } from "../../../src/server/db/scope.ts";
import type { Tables } from "../../../src/server/db/tables.ts";
import { seededRandom } from "../../../src/server/demo/random.ts";
import { depositHandlers, openDeposits } from "../../../src/server/payments/deposits.ts";
import { readOpenTotals } from "../../../src/server/payments/open-totals.ts";
import { conditions } from "../../../src/server/payments/transaction-filters.ts";
import { openWithdrawals, withdrawalHandlers } from "../../../src/server/payments/withdrawals.ts";
import { pinHandlers } from "../../../src/server/preferences/handlers.ts";
import { SharedReads } from "../../../src/server/shared-reads.ts";
import { testDatabase } from "../../support/database.ts";
import { makeAccount, makeGroup, makeMerchant } from "../../support/factories.ts";
import type { Person } from "../../support/factories.ts";
import { body, makeOffice } from "../../support/payments.ts";
import type { Office } from "../../support/payments.ts";

// rows are changed as no act would, so that every condition has some that meet it
const db = testDatabase({ invariants: false });
const random = seededRandom(7);
const totals = { direction: "next", limit: 0, with: "count,sums,oldest" } as const;
const names = ["Tan Wei Ming", "tan ah kow", "Nguyễn Thị Hoa", "محمد علي", "TANAKA Jun"] as const;
const amounts = ["10.00", "25.50", "100.00", "999.99"] as const;
const statuses = ["pending", "process", "approved", "rejected"] as const;

/** Some value of each filter that is a condition on a transaction alone, drawn from the rows there are. */
let drawn: { readonly id: string; readonly values: Readonly<Record<string, readonly string[]>> };
let at: Office;

async function fill(): Promise<Office> {
  const office = await makeOffice(db);
  const merchants = [
    await makeMerchant(db, office.tenant, { wallet: "100000" }),
    await makeMerchant(db, office.tenant, { wallet: "100000" }),
  ];
  const accounts = [await makeAccount(db, office.tenant), await makeAccount(db, office.tenant)];
  await makeGroup(db, office.tenant, accounts, merchants);
  for (let n = 0; n < 60; n++) {
    const given = { amount: random.pick(amounts), member: random.pick(["M1", "M2"]), customer_name: random.pick(names) };
    const merchant = random.pick(merchants);
    if (n % 2 === 0) await office.deposit(merchant, given);
    else await office.withdraw(merchant, { ...given, account_number: random.pick(["50001", "50002"]) });
  }
  await db.owner.query(`alter table transactions disable trigger user;
    do $$ declare c text; begin
      for c in select conname from pg_constraint where conrelid = 'transactions'::regclass and contype = 'c' loop
        execute format('alter table transactions drop constraint %I', c);
      end loop;
    end $$`);
  const { rows } = await db.owner.query<{ id: string }>("select id from transactions where tenant_id = $1", [office.tenant.id]);
  for (const { id } of rows)
    await db.owner.query(
      `update transactions set status = $2, claimed_by = $3, first_approved_by = $4, created_at = $5, approved_at = $6, reference_no = $7,
         payment_account_id = $8 where id = $1`,
      [
        id,
        random.weighted(statuses, [4, 4, 1, 1]),
        random.pick([office.ann.id, office.ben.id, null]),
        random.pick([office.ann.id, null]),
        time(random.whole(0, 9)),
        random.pick([time(random.whole(0, 9)), null]),
        random.pick(["R1", "R2", null]),
        random.pick(accounts).id,
      ],
    );
  await db.owner.query("alter table transactions enable trigger user");
  const times = Array.from({ length: 10 }, (_, n) => time(n));
  const values = {
    merchant: merchants.map(({ id }) => id),
    member: ["M1", "M2", "M9"],
    amount_from: amounts,
    amount_to: amounts,
    created_from: times,
    created_to: times,
    approved_from: times,
    approved_to: times,
    claimed: ["yes", "no", "yes,no", "yes,yes", ""],
    customer_name: ["tan", "TAN A", "Nguyễn", "مح", "%"],
    payment_account: accounts.map(({ id }) => id),
    reference: ["R1", "R2"],
    account_number: ["5000-1", "50 002"],
    claimed_by: ["me", crypto.randomUUID()],
    status: ["pending", "process", "pending,process", "approved", "pending,approved", transactionStatuses.join(","), ""],
  };
  drawn = { id: rows[0]?.id ?? "", values };
  return office;
}
const time = (minute: number) => `2026-01-05T10:0${minute}:00.000Z`;

beforeAll(async () => void (at = await fill()));

const kinds = {
  withdrawal: {
    views: ["queue", "mine", "process", "second", "all", "today"],
    fields: Object.keys(WithdrawalQuery.shape),
    open: (query: object, person: Person) => openWithdrawals(at.call(person), WithdrawalQuery.parse(query)),
    list: (query: object, person: Person) =>
      withdrawalHandlers.listWithdrawals(at.call(person), { ...none, query: { ...WithdrawalQuery.parse(query), ...totals } }),
  },
  deposit: {
    views: ["queue", "mine", "waiting", "second", "all", "today", "late"],
    fields: Object.keys(DepositQuery.shape),
    open: (query: object, person: Person) => openDeposits(at.call(person), DepositQuery.parse(query)),
    list: (query: object, person: Person) =>
      depositHandlers.listDeposits(at.call(person), { ...none, query: { ...DepositQuery.parse(query), ...totals } }),
  },
} as const;
const none = { params: undefined, body: undefined };

test.each(["withdrawal", "deposit"] as const)("%ss counted together are those each list's own call counts", async (kind) => {
  const { views, fields, open, list } = kinds[kind];
  const scope = { tenant: at.tenant.id, currency: at.tenant.currency, kind };
  const used = new Map<string, number>();
  const lists = Array.from({ length: 400 }, () => {
    const query: Record<string, string> = { view: random.pick(views) };
    for (const [name, values] of Object.entries(drawn.values))
      if (fields.includes(`filter[${name}]`) && random.chance(name === "status" ? 0.5 : 0.12))
        query[`filter[${name}]`] = random.pick(values);
    const person = random.pick([at.ann, at.ben]);
    return { query, person, own: open(query, person) };
  }).flatMap(({ own, ...one }) => (own === null ? [] : [{ ...one, own }]));
  const found = await Promise.all(lists.map(({ own }) => readOpenTotals(db.database, scope, own)));
  for (const [n, { query, person, own }] of lists.entries()) {
    const { meta } = await list(query, person);
    const { count, sums, oldest_at } = meta;
    expect(found[n]?.totals, JSON.stringify(query)).toEqual({ count, sums, oldest_at });
    if (count) for (const name of Object.keys(own)) used.set(name, (used.get(name) ?? 0) + 1);
  }
  // each condition was met by some rows
  const wanted = conditions.map(([name]) => name).filter((name) => kind === "withdrawal" || name !== "account_number");
  const never = wanted.filter((name) => !used.has(name));
  expect(never).toEqual(kind === "withdrawal" ? ["payment_account", "reference"] : []);
});

test("a list with decided rows, or a filter that reads more than the transaction, is left to its own call", () => {
  const { withdrawal, deposit } = kinds;
  for (const query of [
    { view: "all" },
    { view: "today" },
    { view: "all", "filter[status]": "pending,approved" },
    { view: "queue", q: "tan" },
    { view: "queue", "filter[bank]": "Maybank" },
    { view: "queue", "filter[payout_file]": drawn.id },
    { view: "queue", "filter[member]": "M1,M2" },
    { view: "queue", "filter[merchant]": `!${drawn.id}` },
    { view: "queue", "filter[uuid]": drawn.id },
  ])
    expect(withdrawal.open(query, at.ann), JSON.stringify(query)).toBeNull();
  expect(deposit.open({ view: "late" }, at.ann)).toBeNull();
  expect(withdrawal.open({ view: "all", "filter[status]": "pending" }, at.ann)).toEqual({ pending: true, process: false });
});

type Lists = Received<typeof pinRoutes.readPinFigures>["body"]["lists"];

/** An office whose turns at the database and whose statements for open rows are counted, and with its own memory of figures. */
function counted(office: Office = at) {
  let [turns, statements] = [0, 0];
  const open = new Kysely<Tables>({
    dialect: new PostgresDialect({ pool: db.database.pool }),
    log: ({ query }) => void (statements += Number(query.sql.includes("jsonb_to_recordset"))),
  });
  const run: Database["turns"]["run"] = (tenant, work) => ((turns += 1), db.database.turns.run(tenant, work));
  const deps = {
    ...office.deps,
    figures: new SharedReads<never>(),
    database: { ...db.database, open, turns: { ...db.database.turns, run } },
  };
  const ask = async (person: Person, lists: Lists) =>
    (await pinHandlers.readPinFigures({ ...office.call(person), deps }, body({ lists }))).data;
  return { ask, turns: () => turns, statements: () => statements };
}
const from = (amount: string, more: Record<string, string> = {}) => ({
  screen: "withdrawals" as const,
  query: { view: "queue", "filter[amount_from]": amount, ...more },
});
const ofOwnCall = async (query: object) => (await kinds.withdrawal.list(query, at.ann)).meta.count;

test("what different users ask for at once is read in one transaction, and their open rows of a kind by one statement", async () => {
  const { ask, turns, statements } = counted();
  const lists = amounts.map((amount) => from(amount));
  const deposits = { screen: "deposits" as const, query: { view: "queue" } };
  const lines = { screen: "bank-transactions" as const, query: {} };
  const [anns, bens] = await Promise.all([ask(at.ann, [...lists, deposits, lines]), ask(at.ben, [from("50.00"), { ...from("0.00") }])]);
  expect([turns(), statements()]).toEqual([1, 2]);
  expect(anns.map((one) => one.known && one.count).slice(0, 4)).toEqual(await Promise.all(lists.map(({ query }) => ofOwnCall(query))));
  expect(bens).toMatchObject([{ count: await ofOwnCall(from("50.00").query) }, { count: await ofOwnCall({ view: "queue" }) }]);
});

test("a list that fails takes no other with it", async () => {
  const { ask } = counted();
  // a letter that the database does not have
  const bad = from("1.00", { "filter[member]": "\u0000" });
  const [anns, bens] = await Promise.allSettled([ask(at.ann, [from("20.00"), from("30.00")]), ask(at.ben, [bad])]);
  expect(bens.status).toBe("rejected");
  expect(anns).toMatchObject({
    value: [{ count: await ofOwnCall(from("20.00").query) }, { count: await ofOwnCall(from("30.00").query) }],
  });
});

test("where more rows are open than are read at once, each list is counted by its own call", async () => {
  const { rows } = await db.owner.query<{ names: string }>(
    `select string_agg(quote_ident(column_name), ', ') as names from information_schema.columns
     where table_name = 'transactions' and is_generated = 'NEVER' and column_name not in ('id', 'txn_no', 'merchant_txn_no', 'status')`,
  );
  const columns = rows[0]?.names;
  const others = await makeOffice(db);
  const merchant = await makeMerchant(db, others.tenant, { wallet: "100000" });
  await others.withdraw(merchant, { amount: "5.00" });
  const client = await db.owner.connect();
  await client.query(`set session_replication_role = replica;
    insert into transactions (id, txn_no, status, ${columns})
      select uuidv7(), 'WX' || n, 'pending', ${columns} from transactions t, generate_series(1, 10001) n where t.tenant_id = '${others.tenant.id}';
    reset session_replication_role`);
  client.release();
  const { ask, turns } = counted(others);
  const lists = [from("5.00"), from("6.00"), from("0.00", { "filter[claimed]": "no" })];
  expect(await ask(others.ann, lists)).toMatchObject([{ count: 10_002, sums: { amount: "50010.00" } }, { count: 0 }, { count: 10_002 }]);
  // that it must be so is remembered
  const before = turns();
  await ask(others.ann, [from("4.00")]);
  expect(turns()).toBe(before + 1);
});
