import type { RawBuilder } from "kysely";
import { sql } from "kysely";
import type { Asked } from "../../values/asked.ts";
import { asking } from "../../values/asked.ts";
import { money } from "../../values/money.ts";
import { oneMeets, unmet } from "../db/asked.ts";
import type { Scoped } from "../db/scope.ts";
import type { ListQuery } from "../records/record-list.ts";
import { begins } from "../search/terms.ts";
import type { Owners, Scope } from "./owners.ts";
import { ledgersOf, withCode } from "./owners.ts";

export type StatementQuery = ListQuery & { readonly [name: `filter[${string}`]: string | Asked | readonly string[] | undefined };

/** A condition on transaction x and transfer y. */
export interface TransactionCondition {
  readonly where: RawBuilder<unknown>;
  /** The select of those that meet it, which an index finds; null: those that do not meet it are the few. */
  readonly ids: RawBuilder<unknown> | null;
}

export const textOf = (query: StatementQuery, name: string): string => {
  const value = query[`filter[${name}]`];
  return typeof value === "string" ? value.trim() : "";
};

export function askedOf(query: StatementQuery, name: string): Asked | undefined {
  const value = query[`filter[${name}]`];
  return typeof value === "object" && "of" in value ? value : undefined;
}

/** Any of these texts, as they are written, in capitals or in small letters. */
const cases = (texts: readonly string[]) =>
  sql`any(${[...new Set(texts.flatMap((text) => [text, text.toUpperCase(), text.toLowerCase()]))]}::text[])`;

/** The records with such a code: their ids first, so that an index has a value. */
async function idsOf(db: Scoped, { tenant }: Scope, field: Owners["code"] | "counter_code", code: Asked): Promise<RawBuilder<unknown>> {
  const table = field === "merchant_code" ? "merchants" : "payment_accounts";
  const { rows } = await sql<{ id: string }>`select o.id from ${sql.table(table)} o
    where o.tenant_id = ${tenant} and ${withCode({ ...code, isNot: false })}`.execute(db);
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
  const unless = ({ where, ids }: TransactionCondition, { isNot }: Asked): TransactionCondition =>
    isNot ? { where: unmet(where), ids: null } : { where, ids };

  const txnNo = askedOf(query, "txn_no");
  if (txnNo) {
    const numbers = sql`any(${txnNo.of.map((text) => text.toUpperCase())}::text[])`;
    found.push(unless(ofEither(all, sql`x.txn_no = ${numbers}`, sql`y.txn_no = ${numbers}`), txnNo));
  }

  const merchantTxnNo = askedOf(query, "merchant_txn_no");
  if (merchantTxnNo) found.push(unless(of(ofMerchants, sql`x.merchant_txn_no = ${cases(merchantTxnNo.of)}`), merchantTxnNo));

  const reference = askedOf(query, "reference_no");
  if (reference) {
    const numbers = cases(reference.of);
    found.push(unless(ofEither(all, sql`x.reference_no = ${numbers}`, sql`y.reference_no = ${numbers}`), reference));
  }

  const customer = askedOf(query, "customer_name");
  if (customer) {
    const names = oneMeets(customer.of, (name) => begins(sql`x.name_key`, sql`lower(${name}::text)`));
    found.push(unless(of(ofKinds, names), customer));
  }

  const counter = askedOf(query, "counter_code");
  if (counter) {
    // of a transfer between two of the codes each account's movement has the other at its other end
    const ends: { between: RawBuilder<unknown>; own: readonly string[] }[] = [];
    for (const code of counter.of) {
      const ids = await idsOf(db, scope, "counter_code", asking(code)); // oxlint-disable-line no-await-in-loop -- one connection
      const own = await ledgersOf(db, scope, owners, withCode(asking(code))); // oxlint-disable-line no-await-in-loop -- as above
      ends.push({ between: sql`(y.source_id = ${ids} or y.target_id = ${ids})`, own });
    }
    const or = (conditions: readonly RawBuilder<unknown>[]) => sql`(${sql.join(conditions, sql` or `)})`;
    const where = or(ends.map(({ between, own }) => sql`(${between} and e.account_id <> all(${own}::uuid[]))`));
    found.push(unless({ where, ids: sql`${transfers} and ${or(ends.map(({ between }) => between))}` }, counter));
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

  const counterpart = askedOf(query, owners.counterpart);
  if (counterpart) {
    const ids = await idsOf(db, scope, owners.counterpart, counterpart);
    const [x, y] = owners.counterpart === "merchant_code" ? ["x.merchant_id", "y.merchant_id"] : ["x.payment_account_id", "y.source_id"];
    found.push(unless(ofEither(ofKinds, sql`${sql.ref(x)} = ${ids}`, sql`${sql.ref(y)} = ${ids}`), counterpart));
  }
  return found;
}
