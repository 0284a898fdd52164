import { randomBytes, randomUUID } from "node:crypto";
import { parseArgs } from "node:util";
import { sql } from "kysely";
import { fitsMinorUnit, moneyText, parseMoney } from "../../values/money.ts";
import type { Money } from "../../values/money.ts";
import { record, systemActor } from "../audit/record.ts";
import { isDevelopment } from "../config.ts";
import type { Config } from "../config.ts";
import { inTenant } from "../db/scope.ts";
import type { Database, Scoped } from "../db/scope.ts";
import { post } from "../ledger/ledger.ts";
import { merchantFaults } from "../merchants/merchant-rules.ts";
import { merchantSecretPlace } from "../secrets/secrets.ts";
import type { SecretBox } from "../secrets/secrets.ts";

const usage = `npm run create-merchant -- --tenant MHP --code SHOP --name "Night Market" --currency MYR
  [--callback https://shop.example/callback] [--group Main] [--accounts MBB-1,CIMB-2] [--wallet 1000.00]`;

interface MerchantArguments {
  readonly tenant: string;
  readonly code: string;
  readonly name: string;
  readonly currency: string;
  readonly callback: string | null;
  readonly group: string | null;
  readonly accounts: readonly string[];
  readonly wallet: Money;
}

function read(args: readonly string[]): MerchantArguments {
  const option = { type: "string" } as const;
  const names = ["tenant", "code", "name", "currency", "callback", "group", "accounts", "wallet"] as const;
  const { values } = parseArgs({ args: [...args], options: Object.fromEntries(names.map((name) => [name, option])) });
  const text = (name: (typeof names)[number]) => (typeof values[name] === "string" ? values[name].trim() : "");
  const [tenant, code, name, currency] = [text("tenant"), text("code"), text("name"), text("currency")];
  if (!tenant || !code || !name || !currency) throw new Error(`--tenant, --code, --name and --currency are needed\n${usage}`);
  const wallet = parseMoney(text("wallet") || "0");
  if (wallet === null || wallet < 0n) throw new Error("--wallet: an amount such as 1000.00");
  const accounts = text("accounts")
    .split(",")
    .map((one) => one.trim())
    .filter(Boolean);
  if (accounts.length > 0 && !text("group")) throw new Error("--group: needed with --accounts, which it links to the merchant");
  return { tenant, code, name, currency, callback: text("callback") || null, group: text("group") || null, accounts, wallet };
}

/**
 * Creates a merchant and prints its credentials once; links it to a payment group with the named accounts, and funds its wallet from the
 * adjustment account. All or nothing, audited, as the server's own role in the tenant.
 */
export async function createMerchant(
  database: Database,
  secrets: SecretBox,
  config: Config,
  args: readonly string[],
  print: (line: string) => void,
): Promise<void> {
  const wanted = read(args);
  const tenant = await database.open.selectFrom("tenants").select("id").where("code", "=", wanted.tenant).executeTakeFirst();
  if (!tenant) throw new Error(`--tenant: there is none with code ${wanted.tenant}`);
  const id = randomUUID();
  const apiKey = `${wanted.tenant}_${randomBytes(18).toString("base64url")}`;
  const secret = `whsec_${randomBytes(32).toString("base64")}`;
  await inTenant(database, tenant.id, async (db) => {
    await requireNoFaults(db, tenant.id, wanted, config);
    await db
      .insertInto("merchants")
      .values({
        tenant_id: tenant.id,
        id,
        code: wanted.code,
        name: wanted.name,
        currency: wanted.currency,
        callback_url: wanted.callback,
        api_key: apiKey,
        secret: secrets.seal(secret, merchantSecretPlace(tenant.id, id)),
      })
      .execute();
    const { code, name, currency, callback } = wanted;
    await record(db, tenant.id, systemActor, {
      act: "merchant.create",
      entity: "merchant",
      entityId: id,
      after: { code, name, currency, callback_url: callback, status: "active" },
    });
    if (wanted.group !== null) await link(db, tenant.id, id, wanted, wanted.group);
    if (wanted.wallet > 0n) await fundWallet(db, tenant.id, id, wanted);
  });
  print(`merchant ${wanted.code} (${wanted.name}) of ${wanted.tenant}, ${wanted.currency}`);
  print(`api key ${apiKey}`);
  print(`secret ${secret}`);
}

async function requireNoFaults(db: Scoped, tenant: string, wanted: MerchantArguments, config: Config): Promise<void> {
  const currency = await db
    .selectFrom("currencies")
    .select("minor_digits")
    .where("tenant_id", "=", tenant)
    .where("code", "=", wanted.currency)
    .executeTakeFirst();
  if (!currency) throw new Error(`--currency: ${wanted.tenant} has no ${wanted.currency}`);
  if (!fitsMinorUnit(wanted.wallet, currency.minor_digits)) {
    throw new Error(`--wallet: ${wanted.currency} has ${currency.minor_digits} decimals`);
  }
  const fault = merchantFaults({ callback_url: wanted.callback }, isDevelopment(config))["callback_url"];
  if (fault) throw new Error(`--callback: ${fault.join(", ")}`);
  const same = await db
    .selectFrom("merchants")
    .select("id")
    .where("tenant_id", "=", tenant)
    .where("code", "=", wanted.code)
    .executeTakeFirst();
  if (same) throw new Error(`--code: there is a merchant with code ${wanted.code}`);
}

async function link(db: Scoped, tenant: string, merchant: string, wanted: MerchantArguments, name: string): Promise<void> {
  const found = await db
    .selectFrom("payment_groups")
    .select(["id", "currency"])
    .where("tenant_id", "=", tenant)
    .where("name", "=", name)
    .executeTakeFirst();
  if (found && found.currency !== wanted.currency) throw new Error(`--group: ${name} is of ${found.currency}`);
  const group = found?.id ?? randomUUID();
  if (!found) await db.insertInto("payment_groups").values({ tenant_id: tenant, id: group, name, currency: wanted.currency }).execute();
  await db.insertInto("payment_group_merchants").values({ tenant_id: tenant, group_id: group, merchant_id: merchant }).execute();
  const linked = await sql<{ code: string }>`with named as (
      select id, code from payment_accounts where tenant_id = ${tenant} and currency = ${wanted.currency} and code = any(${wanted.accounts}::text[])
    ), linked as (
      insert into payment_group_accounts (tenant_id, group_id, payment_account_id) select ${tenant}, ${group}, id from named on conflict do nothing
    ) select code from named`.execute(db);
  const missing = wanted.accounts.filter((code) => !linked.rows.some((row) => row.code === code));
  if (missing.length > 0) throw new Error(`--accounts: no payment account of ${wanted.currency} with code ${missing.join(", ")}`);
  await record(db, tenant, systemActor, {
    act: found ? "payment-group.update" : "payment-group.create",
    entity: "payment-group",
    entityId: group,
    after: { name, currency: wanted.currency, merchant, accounts: wanted.accounts },
  });
}

async function fundWallet(db: Scoped, tenant: string, merchant: string, { currency, wallet }: MerchantArguments): Promise<void> {
  const amount = moneyText(wallet);
  await post(db, {
    kind: "adjustment",
    currency,
    transaction: null,
    by: null,
    reason: "first balance, by command",
    legs: [
      { kind: "wallet", owner: merchant, amount: wallet },
      { kind: "adjustment", owner: null, amount: wallet },
    ],
  });
  await record(db, tenant, systemActor, { act: "merchant.adjust", entity: "merchant", entityId: merchant, after: { wallet: amount } });
}
