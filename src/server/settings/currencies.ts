import { sql } from "kysely";
import { currencyRoutes } from "../../contract/currencies.ts";
import type { NewCurrency } from "../../contract/currencies.ts";
import { Refusal } from "../../contract/problems.ts";
import type { Currency } from "../../contract/session.ts";
import { minorDigitsOf } from "../../values/currencies.ts";
import { zoneMinutes } from "../../values/zones.ts";
import { actorOf } from "../audit/record.ts";
import type { StaffCall } from "../call.ts";
import { inTenant } from "../db/scope.ts";
import type { Scoped } from "../db/scope.ts";
import type { Handlers } from "../handlers.ts";
import { once } from "../idempotency.ts";

/** The tenant's currencies, in the tenant's order. */
export async function currenciesOf(db: Scoped, tenant: string): Promise<Currency[]> {
  const rows = await db
    .selectFrom("currencies")
    .select(["code", "name", "minor_digits", "country", "zone"])
    .where("tenant_id", "=", tenant)
    .orderBy("position")
    .orderBy("code")
    .execute();
  return rows.map(({ country, zone, ...currency }) => ({ ...currency, country: { name: country, timezone: { gmt: zone } } }));
}

/** A new currency with the fields `add_currency` of the database needs. */
export const addedCurrency = (given: NewCurrency) => ({
  ...given,
  minor_digits: minorDigitsOf(given.code),
  zone_minutes: zoneMinutes(given.zone),
});

export const currencyHandlers: Handlers<typeof currencyRoutes, StaffCall> = {
  async listCurrencies({ deps, tenant }) {
    return { data: await inTenant(deps.database, tenant, (db) => currenciesOf(db, tenant)) };
  },

  async addCurrency(call, { body }) {
    const { requestId, ...actor } = actorOf(call);
    const data = await once(call, null, async (db) => {
      const { rows } = await sql<{ added: boolean }>`select add_currency(${call.tenant}, ${JSON.stringify(addedCurrency(body))}::jsonb,
        ${JSON.stringify({ ...actor, request_id: requestId })}::jsonb) as added`.execute(db);
      if (rows[0]?.added !== true) throw new Refusal("request.invalid", { code: ["Already taken"] });
      return { answer: await currenciesOf(db, call.tenant) };
    });
    return { data };
  },
};
