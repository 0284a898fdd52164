import type { RawBuilder } from "kysely";
import { sql } from "kysely";
import { holdsAny } from "../../contract/permissions.ts";
import type { Found, searchRoutes } from "../../contract/search.ts";
import { searchKinds, searchPermissions } from "../../contract/search.ts";
import type { TransactionStatus } from "../../contract/transactions.ts";
import { amountText } from "../../values/money.ts";
import { findAccounts } from "../accounts/account-rows.ts";
import type { StaffCall } from "../call.ts";
import type { Scoped } from "../db/scope.ts";
import { inTenant } from "../db/scope.ts";
import type { TransactionKind } from "../db/tables.ts";
import type { Handlers } from "../handlers.ts";
import { findMerchants } from "../merchants/merchant-rows.ts";

/** Of each kind. */
const most = 12;
/** Of a name many customers share, the newest among so many are shown. */
const namesakes = 200;

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Text that begins with `start`; the column is compared in code point order. */
const begins = (column: RawBuilder<unknown>, start: RawBuilder<unknown>) =>
  sql`(${column} >= ${start} and ${column} < ${start} || chr(1114111))`;
const lower = (text: string) => sql`lower(${text}::text)`;
const upper = (text: string) => sql`upper(${text}::text)`;

/** Numbers as they are kept: without blanks and hyphens. */
const plain = (q: string): string => q.replace(/[ -]/g, "");

type Scope = Pick<StaffCall, "tenant" | "currency" | "currencyFacts">;

/** What was found, and how well it fits: 0 the whole of an id, 1 a number's last characters, 2 a beginning. */
interface Hit {
  readonly found: Found;
  readonly rank: number;
}

/** Each branch by an index of its own, exact ones first; a merchant's number is asked for merchant by merchant, as its index has it. */
async function findTransactions(db: Scoped, { tenant, currency }: Scope, kind: TransactionKind, q: string): Promise<Hit[]> {
  const from = sql`from transactions t where t.tenant_id = ${tenant} and t.currency = ${currency} and t.kind = ${sql.lit(kind)}`;
  const by = (rank: number, condition: RawBuilder<unknown>) =>
    sql`(select t.id, ${sql.lit(rank)} as rank ${from} and ${condition} limit ${sql.lit(most)})`;
  const number = plain(q);
  const branches = [
    ...(uuid.test(q) ? [by(0, sql`t.id = ${q}::uuid`)] : []),
    by(0, sql`t.txn_no = ${upper(q)}`),
    sql`(select t.id, 0 as rank from merchants m cross join lateral (select t.id ${from} and t.merchant_id = m.id and t.merchant_txn_no = ${q}
      limit 1) t where m.tenant_id = ${tenant} and m.currency = ${currency} limit ${sql.lit(most)})`,
    by(0, sql`t.reference_no = ${q}`),
    ...(kind === "withdrawal" && number !== "" ? [by(0, sql`t.account_number = ${number}`)] : []),
    // the index finds the last six; of the few rows the rest is compared
    ...(/^\d{6,}$/.test(number) ? [by(1, sql`t.txn_tail = ${number.slice(-6)} and right(t.txn_no, ${number.length}) = ${number}`)] : []),
    sql`(select n.id, 2 as rank from (select t.id, t.created_at ${from} and ${begins(sql`t.name_key`, lower(q))}
      order by t.name_key, t.id limit ${sql.lit(namesakes)}) n order by n.created_at desc limit ${sql.lit(most)})`,
  ];
  const { rows } = await sql<{
    id: string;
    txn_no: string;
    customer_name: string;
    amount: string;
    status: TransactionStatus;
    rank: number;
  }>`
    select t.id, t.txn_no, t.customer_name, t.amount, t.status, f.rank
    from (select b.id, min(b.rank) as rank from (${sql.join(branches, sql` union all `)}) b group by b.id) f
    join transactions t on t.tenant_id = ${tenant} and t.id = f.id
    order by f.rank, t.created_at desc, t.id limit ${sql.lit(most)}`.execute(db);
  return rows.map((row) => ({
    rank: row.rank,
    found: {
      kind,
      uuid: row.id,
      name: row.txn_no,
      note: row.customer_name,
      amount: amountText(row.amount),
      currency,
      status: row.status,
    },
  }));
}

interface Ranked {
  readonly id: string;
  readonly rank: number;
}

/** The ids a kind of record is found by, best first: by the whole of one of its own, then by a beginning, the first of these before the next. */
async function ranked(
  db: Scoped,
  table: "merchants" | "payment_accounts",
  { tenant, currency }: Scope,
  { exact, beginning }: Readonly<Record<"exact" | "beginning", readonly RawBuilder<unknown>[]>>,
): Promise<Ranked[]> {
  const branch = (rank: number, place: number) => (condition: RawBuilder<unknown>, n: number) =>
    sql`(select r.id, ${sql.lit(rank)} as rank, ${sql.lit(place + n)} as place, r.code from ${sql.table(table)} r
      where r.tenant_id = ${tenant} and r.currency = ${currency} and ${condition} limit ${sql.lit(most)})`;
  const branches = [...exact.map(branch(0, 0)), ...beginning.map(branch(2, exact.length))];
  const { rows } = await sql<Ranked>`select b.id, min(b.rank) as rank from (${sql.join(branches, sql` union all `)}) b
    group by b.id, b.code order by min(b.place), b.code limit ${sql.lit(most)}`.execute(db);
  return rows;
}

const inOrder = <R extends { readonly id: string }>(ranks: readonly Ranked[], rows: readonly R[], foundOf: (row: R) => Found): Hit[] =>
  ranks.flatMap(({ id, rank }) => {
    const row = rows.find((one) => one.id === id);
    return row ? [{ rank, found: foundOf(row) }] : [];
  });
const idsOf = (ranks: readonly Ranked[]): string[] => ranks.map(({ id }) => id);

const code = sql`r.code collate "C"`;

async function findMerchantsBy(db: Scoped, scope: Scope, q: string): Promise<Hit[]> {
  const ranks = await ranked(db, "merchants", scope, {
    exact: [...(uuid.test(q) ? [sql`r.id = ${q}::uuid`] : []), sql`r.code = ${upper(q)}`],
    beginning: [begins(code, upper(q)), begins(sql`r.name_key`, lower(q))],
  });
  return inOrder(ranks, await findMerchants(db, scope, idsOf(ranks)), (row) => ({
    kind: "merchant",
    uuid: row.id,
    name: row.code,
    note: row.name,
    amount: null,
    currency: row.currency,
    status: row.status,
  }));
}

async function findAccountsBy(db: Scoped, scope: Scope, q: string): Promise<Hit[]> {
  const number = plain(q);
  const ranks = await ranked(db, "payment_accounts", scope, {
    exact: [
      ...(uuid.test(q) ? [sql`r.id = ${q}::uuid`] : []),
      sql`r.code = ${upper(q)}`,
      ...(number === "" ? [] : [sql`r.account_number = ${number}`]),
    ],
    beginning: [
      begins(code, upper(q)),
      ...(number.length >= 2 ? [begins(sql`r.account_number collate "C"`, sql`${number}::text`)] : []),
      begins(sql`r.holder_key`, lower(q)),
    ],
  });
  return inOrder(ranks, await findAccounts(db, scope, idsOf(ranks)), (row) => ({
    kind: "payment-account",
    uuid: row.id,
    name: row.code,
    note: row.holder,
    amount: amountText(row.balance),
    currency: row.currency,
    status: row.shown_status,
  }));
}

const finders: Readonly<Record<Found["kind"], (db: Scoped, scope: Scope, q: string) => Promise<Hit[]>>> = {
  withdrawal: (db, scope, q) => findTransactions(db, scope, "withdrawal", q),
  deposit: (db, scope, q) => findTransactions(db, scope, "deposit", q),
  merchant: findMerchantsBy,
  "payment-account": findAccountsBy,
};

export const searchHandlers: Handlers<typeof searchRoutes, StaffCall> = {
  async search(call, { query: { q } }) {
    const allowed = searchKinds.filter((kind) => holdsAny(call.caller.permissions, searchPermissions[kind]));
    return inTenant(call.house.database, call.tenant, async (db) => {
      const hits: Hit[] = [];
      for (const kind of allowed) hits.push(...(await finders[kind](db, call, q)));
      return { data: hits.toSorted((a, b) => a.rank - b.rank).map(({ found }) => found) };
    });
  },
};
