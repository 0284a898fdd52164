import type { RawBuilder } from "kysely";
import { sql } from "kysely";
import { money } from "../../values/money.ts";
import type { Scoped } from "../db/scope.ts";
import type { ListQuery } from "../records/record-list.ts";
import { begins } from "../search/terms.ts";
import type { Owners, Scope } from "./owners.ts";
import { ledgersOf } from "./owners.ts";

export type StatementQuery = ListQuery & { readonly [name: `filter[${string}`]: string | readonly string[] | undefined };

/** A condition on transaction x and transfer y, and the select of those that meet it, which an index finds. */
export interface TransactionCondition {
  readonly where: RawBuilder<unknown>;
  readonly ids: RawBuilder<unknown>;
}

export const textOf = (query: StatementQuery, name: string): string => {
  const value = query[`filter[${name}]`];
  return typeof value === "string" ? value.trim() : "";
};

const cases = (text: string) => sql`any(${[...new Set([text, text.toUpperCase(), text.toLowerCase()])]}::text[])`;

/** The records with this code: their ids first, so that an index has a value. */
async function idsOf(db: Scoped, { tenant }: Scope, field: Owners["code"] | "counter_code", code: string): Promise<RawBuilder<unknown>> {
  const table = field === "merchant_code" ? "merchants" : "payment_accounts";
  const { rows } = await sql<{ id: string }>`select r.id from ${sql.table(table)} r
    where r.tenant_id = ${tenant} and lower(r.code) = lower(${code}::text)`.execute(db);
  return sql`any(${rows.map(({ id }) => id)}::uuid[])`;
}

/** What the filters ask of a movement's transaction or transfer, in the order in which they lead. */
export async function transactionConditions(
  db: Scoped,
  scope: Scope,
  owners: Owners,
  query: StatementQuery,
): Promise<TransactionCondition[]> {
  const { tenant, currency } = scope;
  const all = sql`select x.id from transactions x where x.tenant_id = ${tenant} and x.currency = ${currency}`;
  const ofKinds = sql`${all} and x.kind in ('deposit', 'withdrawal')`;
  const ofMerchants = sql`${ofKinds} and x.merchant_id in (select m.id from merchants m where m.tenant_id = ${tenant} and m.currency = ${currency})`;
  const transfers = sql`select y.id from transfers y where y.tenant_id = ${tenant} and y.currency = ${currency}`;
  const of = (from: RawBuilder<unknown>, where: RawBuilder<unknown>) => ({ where, ids: sql`${from} and ${where}` });
  const ofEither = (from: RawBuilder<unknown>, x: RawBuilder<unknown>, y: RawBuilder<unknown>) => ({
    where: sql`(${x} or ${y})`,
    ids: sql`${from} and ${x} union all ${transfers} and ${y}`,
  });
  const found: TransactionCondition[] = [];

  const txnNo = textOf(query, "txn_no").toUpperCase();
  if (txnNo) found.push(ofEither(all, sql`x.txn_no = ${txnNo}`, sql`y.txn_no = ${txnNo}`));

  const merchantTxnNo = textOf(query, "merchant_txn_no");
  if (merchantTxnNo) found.push(of(ofMerchants, sql`x.merchant_txn_no = ${cases(merchantTxnNo)}`));

  const reference = textOf(query, "reference_no");
  if (reference) found.push(ofEither(all, sql`x.reference_no = ${cases(reference)}`, sql`y.reference_no = ${cases(reference)}`));

  const customer = textOf(query, "customer_name");
  if (customer) found.push(of(ofKinds, begins(sql`x.name_key`, sql`lower(${customer}::text)`)));

  const counter = textOf(query, "counter_code");
  if (counter) {
    const ids = await idsOf(db, scope, "counter_code", counter);
    const between = sql`(y.source_id = ${ids} or y.target_id = ${ids})`;
    const own = await ledgersOf(db, scope, owners, sql`lower(o.code) = lower(${counter}::text)`);
    found.push({ where: sql`${between} and e.account_id <> all(${own}::uuid[])`, ids: sql`${transfers} and ${between}` });
  }

  const amounts = (["from", "to"] as const).flatMap((end) => {
    const text = textOf(query, `amount_${end}`);
    return text === "" ? [] : [sql`${end === "from" ? sql`>=` : sql`<=`} ${String(money(text))}::bigint`];
  });
  const within = (key: string) =>
    sql.join(
      amounts.map((bound) => sql`${sql.ref(key)} ${bound}`),
      sql` and `,
    );
  if (amounts.length > 0) found.push(ofEither(ofKinds, within("x.amount_key"), within("y.amount_key")));

  const counterpart = textOf(query, owners.counterpart);
  if (counterpart) {
    const ids = await idsOf(db, scope, owners.counterpart, counterpart);
    const [x, y] = owners.counterpart === "merchant_code" ? ["x.merchant_id", "y.merchant_id"] : ["x.payment_account_id", "y.source_id"];
    found.push(ofEither(ofKinds, sql`${sql.ref(x)} = ${ids}`, sql`${sql.ref(y)} = ${ids}`));
  }
  return found;
}
