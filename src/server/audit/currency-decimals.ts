import type { ClientBase } from "pg";
import { minorDigitsOf } from "../../values/currencies.ts";

/** Currencies whose decimals differ from ISO 4217: their amounts were already finer, or somebody set them. */
export async function otherDecimals(owner: ClientBase): Promise<object[]> {
  const { rows } = await owner.query<{ tenant: string; currency: string; decimals: number }>(
    "select t.code as tenant, c.code as currency, c.minor_digits as decimals from currencies c join tenants t on t.id = c.tenant_id order by 1, 2",
  );
  return rows
    .map((row) => ({ ...row, iso_4217: minorDigitsOf(row.currency) }))
    .filter(({ decimals, iso_4217: standard }) => decimals !== standard);
}
