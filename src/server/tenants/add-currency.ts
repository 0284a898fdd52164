import { parseArgs } from "node:util";
import type { ClientBase } from "pg";
import { NewCurrency } from "../../contract/currencies.ts";
import { currencyName } from "../../values/currencies.ts";
import { defaultZone } from "../../values/zones.ts";
import { systemActor } from "../audit/record.ts";
import { addedCurrency } from "../settings/currencies.ts";

const usage = `npm run add-currency -- --tenant MHP --currency VND [--name "Vietnamese dong"] [--country "Viet Nam"] [--zone +07:00]`;

/** Adds a currency to a tenant; its decimals are those of ISO 4217. */
export async function addCurrency(owner: ClientBase, args: readonly string[], print: (line: string) => void): Promise<void> {
  const option = { type: "string" } as const;
  const { values } = parseArgs({
    args: [...args],
    options: { tenant: option, currency: option, name: option, country: option, zone: option },
  });
  const { tenant: tenantCode, currency: code } = values;
  if (!tenantCode || !code) throw new Error(`--tenant and --currency are needed\n${usage}`);
  const given = NewCurrency.safeParse({
    code,
    name: values.name ?? nameOf(code),
    country: values.country ?? code,
    zone: values.zone ?? defaultZone,
  });
  if (!given.success) {
    throw new Error(
      given.error.issues.map(({ path, message }) => `--${path[0] === "code" ? "currency" : String(path[0])}: ${message}`).join("\n"),
    );
  }
  const tenant = (await owner.query<{ id: string }>("select id from tenants where code = $1", [tenantCode])).rows[0]?.id;
  if (tenant === undefined) throw new Error(`there is no tenant with code ${tenantCode}`);
  const added = addedCurrency(given.data);
  const { rows } = await owner.query<{ added: boolean }>("select add_currency($1, $2, $3) as added", [
    tenant,
    JSON.stringify(added),
    JSON.stringify(systemActor),
  ]);
  if (rows[0]?.added !== true) throw new Error(`tenant ${tenantCode} has ${code} already`);
  print(`tenant ${tenantCode} has ${code} (${added.name}) with ${added.minor_digits} decimals, zone ${added.zone}`);
}

/** The currency's name; an invalid code unchanged, because it is refused later. */
const nameOf = (code: string): string => (/^[A-Z]{3}$/.test(code) ? currencyName(code) : code);
