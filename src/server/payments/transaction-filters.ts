import type { RawBuilder } from "kysely";
import { sql } from "kysely";
import type { DepositQuery } from "../../contract/deposits.ts";
import type { TransactionStatus } from "../../contract/transactions.ts";
import type { WithdrawalQuery } from "../../contract/withdrawals.ts";
import { plainNumber } from "../../contract/wire.ts";
import type { Asked } from "../../values/asked.ts";
import { isSole } from "../../values/asked.ts";
import { money } from "../../values/money.ts";
import { whereAsked } from "../db/asked.ts";
import type { Paging } from "../db/keyset.ts";

/** The query of both lists: what either can be filtered by. */
export type ListQuery = Paging & Partial<Omit<WithdrawalQuery & DepositQuery, "view" | keyof Paging>>;

/** A condition on a transaction alone. */
interface Condition {
  readonly type: "uuid" | "text" | "bigint" | "timestamptz" | "boolean";
  /** Of the row `t`. `value`: a parameter, or a column of the lists that are read together (open-totals.ts). */
  where(value: RawBuilder<unknown>): RawBuilder<unknown>;
}

const is = (column: string) => (value: RawBuilder<unknown>) => sql`${sql.ref(`t.${column}`)} = ${value}`;
const bound = (column: string, sign: string) => (value: RawBuilder<unknown>) => sql`${sql.ref(`t.${column}`)} ${sql.raw(sign)} ${value}`;

const all = {
  merchant: { type: "uuid", where: is("merchant_id") },
  member: { type: "text", where: is("member") },
  payment_account: { type: "uuid", where: is("payment_account_id") },
  reference: { type: "text", where: is("reference_no") },
  account_number: { type: "text", where: is("account_number") },
  /** Begins with the text, in any case. */
  customer_name: {
    type: "text",
    where: (name) => sql`(t.name_key >= lower(${name}) and t.name_key < lower(${name}) || chr(1114111))`,
  },
  amount_from: { type: "bigint", where: bound("amount_key", ">=") },
  amount_to: { type: "bigint", where: bound("amount_key", "<=") },
  created_from: { type: "timestamptz", where: bound("created_at", ">=") },
  created_to: { type: "timestamptz", where: bound("created_at", "<") },
  approved_from: { type: "timestamptz", where: bound("approved_at", ">=") },
  approved_to: { type: "timestamptz", where: bound("approved_at", "<") },
  claimed: { type: "boolean", where: (value) => sql`(t.claimed_by is not null) = ${value}` },
  unclaimed: { type: "boolean", where: (value) => sql`(t.claimed_by is null) = ${value}` },
  claimed_by: { type: "uuid", where: is("claimed_by") },
  /** Awaits a second person. */
  first_approved: { type: "boolean", where: (value) => sql`(t.first_approved_by is not null) = ${value}` },
} as const satisfies Record<string, Condition>;

type ConditionName = keyof typeof all;
export const conditions: readonly (readonly [ConditionName, Condition])[] = Object.entries(all) as [ConditionName, Condition][]; // its own keys

/** The values of the conditions that hold for a list's rows. */
export type Given = Readonly<Partial<Record<ConditionName, string | boolean>>>;

/** A part of a view: rows of these statuses (null: any) that meet further conditions. The parts of a view do not overlap. */
export interface Branch {
  readonly statuses: readonly TransactionStatus[] | null;
  readonly given?: Given;
  /** A condition that is none of those, after an "and". */
  readonly where?: RawBuilder<unknown>;
}

type Query = Omit<ListQuery, keyof Paging>;

const each = (asked: Asked | undefined, change: (value: string) => string): Asked | undefined =>
  asked && { ...asked, of: asked.of.map(change) };

/** The filters by texts and records that are conditions on a transaction alone; `caller` is who "me" is. */
const askedBy = (query: Query, caller: string): readonly (readonly [ConditionName, Asked | undefined])[] => [
  ["merchant", query["filter[merchant]"]],
  ["member", query["filter[member]"]],
  ["payment_account", query["filter[payment_account]"]],
  ["reference", query["filter[reference]"]],
  ["account_number", each(query["filter[account_number]"], plainNumber)],
  ["customer_name", query["filter[customer_name]"]],
  ["claimed_by", each(query["filter[claimed_by]"], (user) => (user === "me" ? caller : user))],
];

/** Conditions of filters that name several values, or what is left out. */
export const severalBy = (query: Query, caller: string): RawBuilder<unknown>[] =>
  askedBy(query, caller).flatMap(([name, asked]) => {
    if (asked === undefined || isSole(asked)) return [];
    const { type, where } = all[name];
    return [whereAsked(asked, (value) => where(sql`${value}::${sql.raw(type)}`))];
  });

/** Those of a list's filters that are conditions on a transaction alone and have one value; `caller` is who "me" is. */
export function givenBy(query: Query, caller: string): Given {
  const { "filter[claimed]": claimed } = query;
  const values: { readonly [name in ConditionName]?: string | boolean | undefined } = {
    ...Object.fromEntries(askedBy(query, caller).map(([name, asked]) => [name, asked && isSole(asked) ? asked.of[0] : undefined])),
    amount_from: key(query["filter[amount_from]"]),
    amount_to: key(query["filter[amount_to]"]),
    created_from: query["filter[created_from]"],
    created_to: query["filter[created_to]"],
    approved_from: query["filter[approved_from]"],
    approved_to: query["filter[approved_to]"],
    claimed: claimed && !claimed.includes("no") ? true : undefined,
    unclaimed: claimed && !claimed.includes("yes") ? true : undefined,
  };
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Given; // its own keys
}

/** Most rows are approved within this time. */
const soon = sql.raw("interval '24 hours'");

/**
 * A filter by time of approval, as parts to be read one beside the other: rows approved soon after they were made are found by when they
 * were made, in the list's own order; the few others have an index of their own (migration 085). An index by approval would have to be
 * read whole for a page in any other order.
 */
export function approvalParts(query: Pick<ListQuery, "filter[approved_from]" | "filter[approved_to]">): RawBuilder<unknown>[] {
  const { "filter[approved_from]": from, "filter[approved_to]": to } = query;
  if (from === undefined && to === undefined) return [sql``];
  const took = sql`t.approved_at - t.created_at`;
  const made = [
    ...(from === undefined ? [] : [sql`and t.created_at >= ${from}::timestamptz - ${soon}`]),
    ...(to === undefined ? [] : [sql`and t.created_at < ${to}::timestamptz`]),
  ];
  return [
    sql`and ${took} between interval '0' and ${soon} ${sql.join(made, sql` `)}`,
    sql`and ${took} not between interval '0' and ${soon}`,
  ];
}

const key = (amount: string | undefined) => (amount === undefined ? undefined : String(money(amount)));

const plain: ReadonlySet<string> = new Set(["status", ...conditions.map(([name]) => name)].map((name) => `filter[${name}]`));

/** Whether a list has no filter but the status and those with one value. */
export const isPlain = (query: Query): boolean =>
  severalBy(query, "").length === 0 &&
  Object.entries(query).every(([name, value]) =>
    name === "q" ? !value : !name.startsWith("filter[") || value === undefined || plain.has(name),
  );

/** The conditions with their values as parameters. */
export const conditionsOf = (given: Given): RawBuilder<unknown>[] =>
  conditions.flatMap(([name, { type, where }]) => {
    const value = given[name];
    if (value === undefined) return [];
    // a literal, because a partial index is not used for a parameter
    return [where(typeof value === "boolean" ? sql.lit(value) : sql`${value}::${sql.raw(type)}`)];
  });

/** The statuses common to a branch and the filter; null: any. */
export function statusesOf({ statuses: own }: Branch, requested: readonly TransactionStatus[] | undefined): TransactionStatus[] | null {
  if (own === null) return requested ? [...new Set(requested)] : null;
  return own.filter((status) => !requested || requested.includes(status));
}
