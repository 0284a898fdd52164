import { sql } from "kysely";
import { Refusal } from "../../contract/problems.ts";
import type { StaffCall } from "../call.ts";
import type { Scoped } from "../db/scope.ts";

type OfCurrency = Pick<StaffCall, "tenant" | "currency">;

/** What is to be done: what is written to is kept from deletion until the transaction ends. A list is also read where nothing may be locked. */
export type Use = "read" | "write";
const lockFor = (use: Use) => (use === "write" ? sql`for key share` : sql``);

/** Throws not-found unless the tenant has this merchant in the call's currency. */
export async function requireMerchant(db: Scoped, { tenant, currency }: OfCurrency, id: string, use: Use): Promise<void> {
  const { rows } = await sql`select from merchants where tenant_id = ${tenant} and currency = ${currency} and id = ${id}
    ${lockFor(use)}`.execute(db);
  if (rows.length === 0) throw new Refusal("not-found");
}

/** The same of a merchant's set-up at a provider. */
export async function requireProvider(db: Scoped, { tenant, currency }: OfCurrency, id: string, use: Use): Promise<void> {
  const { rows } = await sql`select from merchant_providers where tenant_id = ${tenant} and currency = ${currency} and id = ${id}
    ${lockFor(use)}`.execute(db);
  if (rows.length === 0) throw new Refusal("not-found");
}
