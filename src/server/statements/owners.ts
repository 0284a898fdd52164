import type { RawBuilder } from "kysely";
import { sql } from "kysely";
import type { Asked } from "../../values/asked.ts";
import type { StaffCall } from "../call.ts";
import { whereAsked } from "../db/asked.ts";
import type { Scoped } from "../db/scope.ts";

export type Scope = Pick<StaffCall, "tenant" | "currency">;

/** Whose statement it is. */
export interface Owners {
  /** The kind of their ledger accounts, as SQL has it: a partial index is not used for a parameter. */
  readonly kind: RawBuilder<unknown>;
  /** Movements of every decision; all others are so few that they are found by their kind, as the database's rare_kind has it. */
  readonly everyday: readonly string[];
  /** The filter that names one of them by code, and the one that names whom they dealt with. */
  readonly code: "merchant_code" | "account_code";
  readonly counterpart: "merchant_code" | "account_code";
  /** The indexes of all owners' movements (048-statements.sql) have none of these, so that each ledger account is read by its own. */
  readonly isEachRead?: true;
  /** Their ledger accounts: id, owner_id, balance, last_seq, code, name. */
  all(scope: Scope): RawBuilder<unknown>;
}

const ofMerchants = (kind: "wallet" | "hold") =>
  ({
    kind: sql.lit(kind),
    everyday: ["deposit", "withdrawal.hold", "withdrawal.release"],
    code: "merchant_code",
    counterpart: "account_code",
    all: ({ tenant, currency }) => sql`select a.id, a.owner_id, a.balance, a.last_seq, m.code, m.name from ledger_accounts a
    join merchants m on m.tenant_id = a.tenant_id and m.id = a.owner_id
    where a.tenant_id = ${tenant} and a.currency = ${currency} and a.kind = ${sql.lit(kind)}`,
  }) as const satisfies Owners;

export const wallets: Owners = ofMerchants("wallet");
/** What is held of the same merchants for withdrawals and settlements that are open. */
export const holds: Owners = { ...ofMerchants("hold"), isEachRead: true };

export const isOfMerchants = ({ code }: Owners): boolean => code === "merchant_code";

export const paymentAccounts: Owners = {
  kind: sql.lit("payment-account"),
  everyday: ["deposit", "withdrawal"],
  code: "account_code",
  counterpart: "merchant_code",
  all: ({ tenant, currency }) => sql`select a.id, a.owner_id, a.balance, a.last_seq, p.code, p.bank as name from ledger_accounts a
    join payment_accounts p on p.tenant_id = a.tenant_id and p.id = a.owner_id
    where a.tenant_id = ${tenant} and a.currency = ${currency} and a.kind = 'payment-account'`,
};

/** Whether a record o has such a code, in any case. */
export const withCode = (asked: Asked): RawBuilder<unknown> => whereAsked(asked, (code) => sql`lower(o.code) = lower(${code}::text)`);

/** Those with such a code; without one all of them. */
export const ownersWith = (owners: Owners, scope: Scope, code: Asked | undefined): RawBuilder<unknown> =>
  code === undefined ? owners.all(scope) : sql`select * from (${owners.all(scope)}) o where ${withCode(code)}`;

/** Ledger accounts of those who meet a condition on o. */
export async function ledgersOf(db: Scoped, scope: Scope, owners: Owners, condition: RawBuilder<unknown>): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`select o.id from (${owners.all(scope)}) o where ${condition}`.execute(db);
  return rows.map(({ id }) => id);
}
