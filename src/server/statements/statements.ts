import { sql } from "kysely";
import { Refusal } from "../../contract/problems.ts";
import type { accountTransactionRoutes, merchantTransactionRoutes, StatementLine } from "../../contract/statements.ts";
import type { ListMeta } from "../../contract/wire.ts";
import type { Asked } from "../../values/asked.ts";
import { money, moneyText } from "../../values/money.ts";
import type { StaffCall } from "../call.ts";
import { inTime } from "../db/in-time.ts";
import type { Sorts } from "../db/keyset.ts";
import { cursorRefusal, cutPage, pageOf, requestedTotals, rowsBefore, withMoment } from "../db/keyset.ts";
import type { Scoped } from "../db/scope.ts";
import { inTenant } from "../db/scope.ts";
import type { Handlers } from "../handlers.ts";
import { balancesAt, endsOf } from "./balances.ts";
import type { LineRow } from "./lines.ts";
import { feeIn, linesOf, lineView } from "./lines.ts";
import type { Owners } from "./owners.ts";
import { holds, isOfMerchants, paymentAccounts, wallets } from "./owners.ts";
import type { StatementQuery } from "./conditions.ts";
import { askedOf } from "./conditions.ts";
import type { Reach } from "./reach.ts";
import type { Window } from "./whole.ts";
import { wholeOf } from "./whole.ts";
import { isPart, listOf, movements, reachOf } from "./reach.ts";

/** The order of the ledger: an account's entries have one of their own, and two accounts' of one moment stand by account. */
const sorts: Sorts = {
  created_at: [
    { name: "created_at", type: "timestamptz" },
    { name: "seq", type: "bigint" },
    { name: "account_id", type: "uuid" },
  ],
};

const entry = sql`e.account_id, e.seq, e.group_id, e.created_at, e.amount, e.previous_balance, e.balance`;

interface Totals {
  readonly count: number;
  readonly amount_in: string;
  readonly amount_out: string;
  readonly fee: string;
}

/** Count and sums of all movements of a reach; null where they take too long. */
async function totalsOf(db: Scoped, call: StaffCall, reach: Reach): Promise<Totals | null> {
  const all = movements(call, reach, sql`e.amount, ${feeIn(isOfMerchants(reach.owners))} as fee`, { posting: true });
  const found = await inTime(
    db,
    sql<Totals>`select count(*)::integer as count, coalesce(sum(amount) filter (where amount > 0), 0) as amount_in,
      coalesce(-sum(amount) filter (where amount < 0), 0) as amount_out, coalesce(sum(fee), 0) as fee from (${all}) t`,
  );
  return found?.[0] ?? null;
}

async function countOf(db: Scoped, call: StaffCall, reach: Reach): Promise<number | null> {
  const found = await inTime(db, sql<{ n: number }>`select count(*)::integer as n from (${movements(call, reach, sql`e.seq`)}) t`);
  return found?.[0]?.n ?? null;
}

/** One page of a statement, with count and sums when requested, all of one snapshot. */
async function listLines(
  db: Scoped,
  call: StaffCall,
  owners: Owners,
  requested: StatementQuery,
): Promise<{ data: StatementLine[]; meta: ListMeta }> {
  const query = await withMoment(db, call, requested);
  const sort = query.sort ?? ["created_at"];
  const page = pageOf(sort, sorts, query, "e");
  const reach = await reachOf(db, call, owners, query);
  const tail = sql`${page.after} order by ${page.order} limit ${page.most}`;
  const parts = movements(call, reach, sql`${entry}, ${page.key} as key`, { tail });
  const found = sql`select * from (${parts}) e order by ${page.order} limit ${page.most}`;
  const { rows } = await sql<LineRow>`select * from (${linesOf(call.tenant, found, isOfMerchants(owners))}) e order by ${page.shown}`
    .execute(db)
    .catch((error: unknown) => {
      throw cursorRefusal(error);
    });
  const cut = cutPage(rows, sort, query);
  const data = cut.rows.map(lineView);
  const wanted = requestedTotals(query.with);
  if (!wanted.count && !wanted.sums) return { data, meta: cut.meta };
  const text = (name: string) => query[`filter[${name}]`] as string | undefined; // filters of time
  const ends = isPart(query, owners)
    ? null
    : await endsOf(db, call, owners, askedOf(query, owners.code), text("created_at_from"), text("created_at_to"));
  const totals = wanted.sums || ends === null ? await totalsOf(db, call, reach) : null;
  const count = ends?.count ?? totals?.count;
  const ahead = (key: readonly string[]) => countOf(db, call, { ...reach, where: [...reach.where, sql`true ${page.ahead(key)}`] });
  return {
    data,
    meta: {
      ...cut.meta,
      ...(wanted.count && count !== undefined && { count, ...(await rowsBefore(cut, count, ahead)) }),
      ...(wanted.sums && { sums: sumsOf(totals, ends) }),
    },
  };
}

/** What the totals row tells; `difference` is what opening balance and movements miss of the closing balance. */
function sumsOf(totals: Totals | null, ends: Awaited<ReturnType<typeof endsOf>> | null): Record<string, string> {
  const moved = totals && { amount_in: money(totals.amount_in), amount_out: money(totals.amount_out), fee: money(totals.fee) };
  const sums = {
    ...moved,
    ...(ends && { previous_balance: ends.opening, balance: ends.closing }),
    ...(moved && ends && { difference: ends.closing - ends.opening - moved.amount_in + moved.amount_out }),
  };
  return Object.fromEntries(Object.entries(sums).map(([field, sum]) => [field, moneyText(sum)]));
}

async function readLine(db: Scoped, call: StaffCall, owners: Owners, uuid: string): Promise<StatementLine | null> {
  const reach = await reachOf(db, call, owners, { direction: "next", limit: 1, "filter[uuid]": [uuid] });
  const found = movements(call, reach, sql`${entry}, '[]'::jsonb as key`);
  const { rows } = await sql<LineRow>`${linesOf(call.tenant, found, isOfMerchants(owners))}`.execute(db);
  const [row] = rows;
  return row ? lineView(row) : null;
}

/** The ledger as each of these saw it, or as what is held of them. */
const statementOf = (owners: Owners, held: Owners = owners) => {
  const scoped = <T>(call: StaffCall, work: (db: Scoped) => Promise<T>) =>
    inTenant(call.deps.database, call.tenant, work, { snapshot: "snapshot" });
  return {
    list: (call: StaffCall, { query }: { query: StatementQuery }) =>
      scoped(call, (db) => listLines(db, call, listOf(query, "hold")?.includes("only") ? held : owners, query)),
    read: (call: StaffCall, { params: { uuid } }: { params: { uuid: string } }) =>
      scoped(call, async (db) => {
        // a posting that takes of the one gives to the other, so that no two of their lines have one uuid
        const row = (await readLine(db, call, owners, uuid)) ?? (await readLine(db, call, held, uuid));
        if (row === null) throw new Refusal("not-found");
        return { data: { row } };
      }),
    whole: (call: StaffCall, { query }: { query: Window }) =>
      scoped(call, async (db) => ({ data: await wholeOf(db, call, owners, query, (page) => listLines(db, call, owners, page)) })),
    balances: (call: StaffCall, { query: { at, code } }: { query: { at: string; code?: Asked | undefined } }) =>
      scoped(call, async (db) => ({ data: await balancesAt(db, call, owners, at, code) })),
  };
};

const [merchant, account] = [statementOf(wallets, holds), statementOf(paymentAccounts)];

export const merchantTransactionHandlers: Handlers<typeof merchantTransactionRoutes, StaffCall> = {
  listMerchantStatementLines: merchant.list,
  readMerchantStatementLine: merchant.read,
  readWalletBalances: merchant.balances,
  readWalletStatement: merchant.whole,
};

export const accountTransactionHandlers: Handlers<typeof accountTransactionRoutes, StaffCall> = {
  listAccountStatementLines: account.list,
  readAccountStatementLine: account.read,
  readAccountBalances: account.balances,
  readAccountStatement: account.whole,
};
