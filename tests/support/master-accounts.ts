import { randomBytes, randomUUID } from "node:crypto";
import type { CheckSettings } from "../../src/contract/provider-checks.ts";
import type { SecretBox } from "../../src/server/secrets/secrets.ts";
import { masterCredentialsPlace } from "../../src/server/secrets/secrets.ts";
import type { TestDatabase } from "./database.ts";
import type { Tenant } from "./factories.ts";

/** How a provider is asked whose answer is {"data": {"balance": …, "currency": …, "credit": …}}. */
export const checkSettings = (url = "https://provider.example/credit", more: Partial<CheckSettings> = {}): CheckSettings => ({
  check_url: url,
  check_method: "GET",
  check_headers: [{ name: "X-Api-Key", value: "{{key}}" }],
  check_body: "",
  timeout_seconds: 5,
  require_proxy: false,
  proxy_url: "",
  balance_pointer: "/data/balance",
  credit_pointer: "/data/credit",
  currency_pointer: "/data/currency",
  success_pointer: "",
  success_value: "",
  ...more,
});

interface Made {
  readonly secrets?: SecretBox;
  readonly credentials?: object;
  readonly settings?: Partial<CheckSettings>;
  readonly [column: string]: unknown;
}

/** A master account, inserted as the owner. Credentials need the box that seals them. */
export async function makeMasterAccount(
  { owner }: TestDatabase,
  tenant: Tenant,
  { secrets, credentials, settings, ...columns }: Made = {},
): Promise<string> {
  const id = randomUUID();
  const code = randomBytes(4).toString("hex").toUpperCase();
  const { check_headers, ...asked } = checkSettings(undefined, settings);
  const values: Record<string, unknown> = {
    tenant_id: tenant.id,
    id,
    currency: tenant.currency,
    code,
    name: `Provider ${code}`,
    check_headers: JSON.stringify(check_headers),
    ...Object.fromEntries(Object.entries(asked).map(([name, value]) => [name, value === "" ? null : value])),
    ...(secrets && credentials && { credentials: secrets.seal(JSON.stringify(credentials), masterCredentialsPlace(tenant.id, id)) }),
    ...columns,
  };
  const names = Object.keys(values);
  await owner.query(
    `insert into master_accounts (${names.join(", ")}) values (${names.map((_, at) => `$${at + 1}`).join(", ")})`,
    Object.values(values),
  );
  return id;
}
