import { mkdtempSync, rmSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { audit } from "../../../src/server/audit/command.ts";
import { secretBox } from "../../../src/server/secrets/secrets.ts";
import { testDatabase } from "../../support/database.ts";
import { makeAccount, makeMerchant, makeTenant } from "../../support/factories.ts";

const db = testDatabase();
const migration = new URL("../../../src/server/db/migrations/021-currency-decimals.sql", import.meta.url);
let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "decimals-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const corrected = async (): Promise<void> => void (await db.owner.query(await readFile(migration, "utf8")));
const decimals = async (tenant: string): Promise<Record<string, number>> => {
  const { rows } = await db.owner.query<{ code: string; minor_digits: number }>(
    "select code, minor_digits from currencies where tenant_id = $1",
    [tenant],
  );
  return Object.fromEntries(rows.map((row) => [row.code, row.minor_digits]));
};

test("a tenant created with two decimals gets those of ISO 4217 while its amounts are whole", async () => {
  const tenant = await makeTenant(db, { currency: "VND", currencies: ["KWD", "CLF", "MYR"] });
  await makeMerchant(db, tenant, { wallet: "1000" });
  await makeAccount(db, tenant, { charges_type: "percent", charges_value: "0.3750" });
  expect(await decimals(tenant.id)).toEqual({ VND: 2, KWD: 2, CLF: 2, MYR: 2 });
  await corrected();
  expect(await decimals(tenant.id)).toEqual({ VND: 0, KWD: 3, CLF: 4, MYR: 2 });
});

test.each([
  [
    "a wallet",
    async () => {
      const tenant = await makeTenant(db, { currency: "VND" });
      await makeMerchant(db, tenant, { wallet: "899.67" });
      return tenant;
    },
  ],
  [
    "an account's limit",
    async () => {
      const tenant = await makeTenant(db, { currency: "VND" });
      await makeAccount(db, tenant, { deposit_minimum: "1.25" });
      return tenant;
    },
  ],
  [
    "an account's charges",
    async () => {
      const tenant = await makeTenant(db, { currency: "VND" });
      await makeAccount(db, tenant, { charges_type: "fixed", charges_value: "0.3333" });
      return tenant;
    },
  ],
  ["a tier", () => makeTenant(db, { currency: "VND", settings: { tiers: { VND: { confirm_from: "5000.50", second_from: "50000.00" } } } })],
])("where %s is finer they stay, and the audit says so", async (_, make) => {
  const tenant = await make();
  await corrected();
  expect(await decimals(tenant.id)).toEqual({ VND: 2 });
  const { rows } = await db.owner.query<{ code: string }>("select code from tenants where id = $1", [tenant.id]);
  const said: string[] = [];
  const owner = await db.owner.connect();
  try {
    await audit(owner, secretBox(Buffer.alloc(32, 7)), folder, (line) => said.push(line));
  } finally {
    owner.release();
  }
  expect(said).toContain("NOTE    currencies with other decimals than ISO 4217 has for them");
  expect(said.join("\n")).toContain(JSON.stringify({ tenant: rows[0]?.code, currency: "VND", decimals: 2, iso_4217: 0 }));
});
