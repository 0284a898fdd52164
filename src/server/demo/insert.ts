import { randomBytes } from "node:crypto";
import type { ClientBase } from "pg";
import { money, moneyText } from "../../values/money.ts";
import type { Money } from "../../values/money.ts";
import { merchantSecretPlace } from "../secrets/secrets.ts";
import type { SecretBox } from "../secrets/secrets.ts";
import type { Book } from "./books.ts";
import type { DemoTenant } from "./places.ts";
import type { Random } from "./random.ts";
import type { AccountSize } from "./sizes.ts";

/** The opening balance of a ledger account, against the tenant's adjustment account. */
export interface Opening {
  readonly tenant: string;
  readonly currency: string;
  readonly account: string;
  readonly amount: Money;
  readonly counter: string;
  /** The sign of the counter-leg: 1 for a wallet, -1 for a payment account. */
  readonly side: 1 | -1;
}

/** One multi-row insert; `columns` are "name type", rows have values in their order. */
export async function insertRows(
  client: ClientBase,
  table: string,
  columns: readonly string[],
  rows: readonly (readonly unknown[])[],
): Promise<void> {
  const names = columns.map((column) => column.split(" ")[0]).join(", ");
  const arrays = columns.map((column, n) => `$${n + 1}::${column.split(" ")[1]}[]`).join(", ");
  await client.query(
    `insert into ${table} (${names}) select * from unnest(${arrays})`,
    columns.map((_, n) => rows.map((row) => row[n])),
  );
}

export async function insertTenant(client: ClientBase, tenant: DemoTenant, id: string, since: number): Promise<void> {
  const settings = {
    loopback_callbacks: true,
    withdrawal_expiry_hours: tenant.withdrawalExpiryHours,
    tiers: Object.fromEntries(
      tenant.books.map((book) => [book.currency, { confirm_from: `${book.confirmFrom}.00`, second_from: `${book.secondFrom}.00` }]),
    ),
  };
  await client.query("insert into tenants (id, code, name, colour, settings, created_at) values ($1, $2, $3, $4, $5, $6)", [
    id,
    tenant.code,
    tenant.name,
    tenant.colour,
    JSON.stringify(settings),
    new Date(since),
  ]);
  await insertRows(
    client,
    "currencies",
    [
      "tenant_id uuid",
      "code text",
      "name text",
      "minor_digits smallint",
      "country text",
      "zone text",
      "zone_minutes integer",
      "position smallint",
    ],
    tenant.books.map((book, n) => [id, book.currency, book.currencyName, book.minorDigits, book.country, book.zone, book.zoneMinutes, n]),
  );
}

/** Which of a book's rate-limit groups its n-th account is in. */
const rateLimitOf = (n: number): "Standard" | "Careful" | null => (n % 3 === 0 ? "Standard" : n % 3 === 1 ? "Careful" : null);

/**
 * Inserts a book's rate-limit groups and answers their ids by name. Of the turnover the careful one allows a busy day takes most; a third
 * is turned off and has no accounts.
 */
async function insertRateLimits(
  client: ClientBase,
  book: Book,
  sizes: ReadonlyMap<string, AccountSize>,
  random: Random,
  since: number,
): Promise<ReadonlyMap<string, string>> {
  const { facts, tenant } = book;
  const amount = (units: number) => `${Math.round(facts.median * units)}.00`;
  // a daily limit is a little more than twice what the busiest day took
  const careful = book.accounts.flatMap(({ id }, n) => (rateLimitOf(n) === "Careful" ? (sizes.get(id)?.depositDaily ?? []) : []));
  const busiest = careful.reduce((most, one) => (one > most ? one : most), money("100000"));
  const groups = [
    { name: "Standard", limits: [60, 40, null, null, 60, 8, null, null], status: "active" },
    { name: "Careful", limits: [1440, null, moneyText((busiest / 20_000n) * 10_000n), null, 1440, 5, amount(60), null], status: "active" },
    { name: "Campaign week", limits: [1440, 5000, amount(9000), amount(120), 1440, 20, amount(200), amount(60)], status: "inactive" },
  ].map((group) => ({ ...group, id: random.uuid(since) }));
  await insertRows(
    client,
    "rate_limit_groups",
    [
      "tenant_id uuid",
      "id uuid",
      "name text",
      "account_window_minutes integer",
      "account_max_count integer",
      "account_turnover numeric",
      "account_max_amount numeric",
      "member_window_minutes integer",
      "member_max_count integer",
      "member_turnover numeric",
      "member_max_amount numeric",
      "currency text",
      "status text",
      "created_at timestamptz",
      "updated_at timestamptz",
    ],
    groups.map(({ id, name, limits, status }) => [tenant, id, name, ...limits, facts.currency, status, new Date(since), new Date(since)]),
  );
  return new Map(groups.map(({ id, name }) => [name, id]));
}

interface InsertContext {
  readonly secrets: SecretBox;
  readonly since: number;
  readonly at: number;
  readonly random: Random;
}

export async function insertBook(
  client: ClientBase,
  book: Book,
  sizes: ReadonlyMap<string, AccountSize>,
  { secrets, since, at, random }: InsertContext,
): Promise<void> {
  const { tenant, facts } = book;
  const { currency } = facts;
  await insertRows(
    client,
    "ledger_accounts",
    ["tenant_id uuid", "id uuid", "kind text", "currency text", "owner_id uuid"],
    [
      [tenant, book.feeId, "fee-income", currency, null],
      [tenant, book.chargesId, "bank-charges", currency, null],
      [tenant, book.adjustmentId, "adjustment", currency, null],
      [tenant, random.uuid(since), "settlement", currency, null],
      [tenant, random.uuid(since), "suspense", currency, null],
      ...book.merchants.flatMap((one) => [
        [tenant, one.walletId, "wallet", currency, one.id],
        [tenant, one.holdId, "hold", currency, one.id],
      ]),
      ...book.accounts.map((one) => [tenant, one.ledgerId, "payment-account", currency, one.id]),
    ],
  );
  await insertRows(
    client,
    "merchants",
    [
      "tenant_id uuid",
      "id uuid",
      "code text",
      "name text",
      "currency text",
      "deposit_rate numeric",
      "withdrawal_rate numeric",
      "settlement_rate numeric",
      "website_url text",
      "backoffice_url text",
      "callback_url text",
      "api_key text",
      "secret bytea",
      "created_at timestamptz",
      "updated_at timestamptz",
    ],
    book.merchants.map((one) => [
      tenant,
      one.id,
      one.code,
      one.name,
      currency,
      moneyText(one.depositRate),
      moneyText(one.withdrawalRate),
      "0.5",
      `https://www.${one.code.toLowerCase()}.example`,
      `https://office.${one.code.toLowerCase()}.example`,
      one.callbackUrl,
      `${book.tenantCode}_${randomBytes(18).toString("base64url")}`,
      secrets.seal(`whsec_${randomBytes(32).toString("base64")}`, merchantSecretPlace(tenant, one.id)),
      new Date(since),
      new Date(since),
    ]),
  );
  const rateLimits = await insertRateLimits(client, book, sizes, random, since);
  await insertAccounts(client, book, sizes, rateLimits, { secrets, since, at, random });
  const groups = [`${currency} main`, `${currency} VIP`].map((name) => ({ id: random.uuid(since), name }));
  await insertRows(
    client,
    "payment_groups",
    ["tenant_id uuid", "id uuid", "name text", "currency text", "created_at timestamptz", "updated_at timestamptz"],
    groups.map(({ id, name }) => [tenant, id, name, currency, new Date(since), new Date(since)]),
  );
  await insertRows(
    client,
    "payment_group_accounts",
    ["tenant_id uuid", "group_id uuid", "payment_account_id uuid"],
    groups.flatMap(({ id }, g) => book.accounts.filter((_, n) => g === 0 || n % 2 === 0).map((one) => [tenant, id, one.id])),
  );
  await insertRows(
    client,
    "payment_group_merchants",
    ["tenant_id uuid", "group_id uuid", "merchant_id uuid"],
    groups.flatMap(({ id }, g) => book.merchants.filter((_, n) => g === 0 || n === 0).map((one) => [tenant, id, one.id])),
  );
}

async function insertAccounts(
  client: ClientBase,
  book: Book,
  sizes: ReadonlyMap<string, AccountSize>,
  rateLimits: ReadonlyMap<string, string>,
  { since, at }: InsertContext,
): Promise<void> {
  const { facts, tenant } = book;
  const largest = `${facts.secondFrom * 2.5}.00`;
  const smallest = `${facts.unit}.00`;
  await insertRows(
    client,
    "payment_accounts",
    [
      "tenant_id uuid",
      "id uuid",
      "code text",
      "bank text",
      "account_number text",
      "holder text",
      "currency text",
      "type text",
      "purpose text",
      "method text",
      "status text",
      "reserve_amount numeric",
      "threshold numeric",
      "critical boolean",
      "critical_since timestamptz",
      "deposit_minimum numeric",
      "deposit_maximum numeric",
      "withdrawal_minimum numeric",
      "withdrawal_maximum numeric",
      "deposit_daily_limit numeric",
      "deposit_monthly_limit numeric",
      "withdrawal_daily_limit numeric",
      "withdrawal_monthly_limit numeric",
      "charges_value numeric",
      "rate_limit_group_id uuid",
      "ledger_account_id uuid",
      "created_at timestamptz",
      "updated_at timestamptz",
    ],
    book.accounts.map((one, n) => {
      const size = sizes.get(one.id);
      if (!size) throw new Error(`${one.code} has no size`);
      return [
        tenant,
        one.id,
        one.code,
        one.bank,
        one.number,
        one.holder,
        facts.currency,
        one.type,
        one.purpose,
        one.method,
        one.status,
        moneyText(size.reserve),
        moneyText(size.threshold),
        size.critical,
        size.critical ? new Date(at - (22 - n) * 60_000) : null,
        smallest,
        largest,
        smallest,
        largest,
        moneyText(size.depositDaily),
        moneyText(size.depositMonthly),
        moneyText(size.withdrawalDaily),
        moneyText(size.withdrawalMonthly),
        facts.charge,
        rateLimits.get(rateLimitOf(n) ?? "") ?? null,
        one.ledgerId,
        new Date(since),
        new Date(since),
      ];
    }),
  );
}
