import { createHash, randomBytes, randomUUID } from "node:crypto";
import { permissions } from "../../src/contract/permissions.ts";
import type { Deps, StaffCall } from "../../src/server/call.ts";
import { readConfig } from "../../src/server/config.ts";
import { databaseStore } from "../../src/server/files/database-store.ts";
import { openQueue } from "../../src/server/jobs/queue.ts";
import { createSweepRecord } from "../../src/server/jobs/record.ts";
import { merchantSecretPlace, secretBox } from "../../src/server/secrets/secrets.ts";
import type { Publisher } from "../../src/server/realtime/publish.ts";
import { SharedReads } from "../../src/server/shared-reads.ts";
import type { TestDatabase } from "./database.ts";

/** Rows inserted as the owner; money moves only through the server's own functions. */
export interface Tenant {
  readonly id: string;
  readonly currency: string;
}
export interface Person {
  readonly id: string;
  readonly name: string;
}
export interface Merchant {
  readonly id: string;
  readonly currency: string;
  readonly name: string;
}
export interface Account {
  readonly id: string;
  readonly code: string;
  readonly ledger: string;
}

const tag = () => randomBytes(4).toString("hex").toUpperCase();

/** A tenant with its currencies and an owner. */
export async function makeTenant(
  db: TestDatabase,
  options: { settings?: object; currency?: string; currencies?: string[] } = {},
): Promise<Tenant> {
  const { owner } = db;
  const id = randomUUID();
  const currency = options.currency ?? "MYR";
  await owner.query("insert into tenants (id, code, name, settings) values ($1, $2, $3, $4)", [
    id,
    tag().slice(0, 6),
    `Tenant ${tag()}`,
    JSON.stringify(options.settings ?? {}),
  ]);
  for (const code of [currency, ...(options.currencies ?? [])]) {
    await owner.query("insert into currencies (tenant_id, code, name, country) values ($1, $2, $2, 'Malaysia')", [id, code]);
  }
  const tenant = { id, currency };
  const { id: person } = await makePerson(db, tenant, "Owner");
  await owner.query(
    `with g as (insert into user_groups (tenant_id, code, name) values ($1, 'owner', 'Owners') returning id)
      insert into membership_groups (tenant_id, user_id, group_id) select $1, $2, id from g`,
    [id, person],
  );
  return tenant;
}

export async function setSettings({ owner }: TestDatabase, tenant: Tenant, settings: object): Promise<void> {
  await owner.query("update tenants set settings = settings || $2 where id = $1", [tenant.id, JSON.stringify(settings)]);
}

export async function makePerson({ owner }: TestDatabase, tenant: Tenant, name = `Person ${tag()}`): Promise<Person> {
  const id = randomUUID();
  await owner.query("insert into users (id, email, name) values ($1, $2, $3)", [id, `${id}@example.com`, name]);
  await owner.query("insert into memberships (tenant_id, user_id) values ($1, $2)", [tenant.id, id]);
  return { id, name };
}

/** Inserts a row of the given columns. */
async function insert({ owner }: TestDatabase, table: string, columns: Readonly<Record<string, unknown>>): Promise<void> {
  const names = Object.keys(columns);
  await owner.query(
    `insert into ${table} (${names.join(", ")}) values (${names.map((_, n) => `$${n + 1}`).join(", ")})`,
    Object.values(columns),
  );
}

/** What the tests' own handlers seal secrets with. */
const testSecrets = secretBox(Buffer.alloc(32, 7));

/** With `wallet` the adjustment account funds it, in a balanced group. */
export async function makeMerchant(
  db: TestDatabase,
  tenant: Tenant,
  { wallet = "0", ...columns }: { wallet?: string; [column: string]: unknown } = {},
): Promise<Merchant> {
  const id = randomUUID();
  const name = `Merchant ${tag()}`;
  const currency = tenant.currency;
  await insert(db, "merchants", {
    tenant_id: tenant.id,
    id,
    code: tag(),
    name,
    currency,
    callback_url: "https://merchant.example/callback",
    api_key: tag(),
    secret: testSecrets.seal(`whsec_${Buffer.from(id).toString("base64")}`, merchantSecretPlace(tenant.id, id)),
    ...columns,
  });
  await fund(db, tenant, "wallet", id, wallet);
  return { id, name, currency };
}

export async function makeAccount(
  db: TestDatabase,
  tenant: Tenant,
  { balance = "1000000", ...columns }: { balance?: string; [column: string]: unknown } = {},
): Promise<Account> {
  const id = randomUUID();
  const ledger = randomUUID();
  const code = typeof columns["code"] === "string" ? columns["code"] : `ACC-${tag()}`;
  const currency = typeof columns["currency"] === "string" ? columns["currency"] : tenant.currency;
  await insert(db, "ledger_accounts", { tenant_id: tenant.id, id: ledger, kind: "payment-account", currency, owner_id: id });
  await insert(db, "payment_accounts", {
    tenant_id: tenant.id,
    id,
    bank: "Maybank",
    account_number: tag(),
    holder: "House Sdn Bhd",
    ledger_account_id: ledger,
    ...columns,
    code,
    currency,
  });
  await fund(db, tenant, "payment-account", id, balance);
  return { id, code, ledger };
}

const negated = (amount: string) => (amount.startsWith("-") ? amount.slice(1) : `-${amount}`);

/** Moves money in from the adjustment account, as an opening balance. */
export async function fund(
  { owner }: TestDatabase,
  tenant: Tenant,
  kind: "wallet" | "payment-account",
  of: string,
  amount: string,
): Promise<void> {
  if (Number(amount) === 0) return;
  const client = await owner.connect();
  try {
    await client.query("begin");
    await client.query("select set_config('app.tenant_id', $1, true)", [tenant.id]);
    await client.query("select post_legs('opening', $1, null, null, null, $2, false, null)", [
      tenant.currency,
      JSON.stringify([
        { kind, owner: of, amount },
        // the adjustment account is debit-normal: it loses what a payment account gains, and gains what a wallet gains
        { kind: "adjustment", owner: null, amount: kind === "wallet" ? amount : negated(amount) },
      ]),
    ]);
    await client.query("commit");
  } catch (error) {
    await client.query("rollback");
    throw error;
  } finally {
    client.release();
  }
}

/** Links accounts and merchants by a payment group of their own. */
export async function makeGroup(
  db: TestDatabase,
  tenant: Tenant,
  accounts: readonly Account[],
  merchants: readonly Merchant[],
): Promise<string> {
  const id = randomUUID();
  await insert(db, "payment_groups", { tenant_id: tenant.id, id, name: tag(), currency: tenant.currency });
  for (const account of accounts) {
    await insert(db, "payment_group_accounts", { tenant_id: tenant.id, group_id: id, payment_account_id: account.id });
  }
  for (const merchant of merchants)
    await insert(db, "payment_group_merchants", { tenant_id: tenant.id, group_id: id, merchant_id: merchant.id });
  return id;
}

export async function makeRateGroup(db: TestDatabase, tenant: Tenant, limits: Readonly<Record<string, unknown>>): Promise<string> {
  const id = randomUUID();
  await insert(db, "rate_limit_groups", { tenant_id: tenant.id, id, name: tag(), currency: tenant.currency, ...limits });
  return id;
}

/** A publisher that records what is published, in place of the realtime service. */
export interface Announcements extends Publisher {
  readonly published: { tenant: string; event: string; uuids: readonly string[] }[];
}

export function announcements(): Announcements {
  const published: Announcements["published"] = [];
  return {
    published,
    changed: (tenant, event, uuids) => void published.push({ tenant, event, uuids }),
    flush: async () => undefined,
    close: async () => undefined,
  };
}

export function makeDeps(db: TestDatabase, publisher: Publisher = announcements()): Deps {
  const nothing = () => undefined;
  const log = { debug: nothing, info: nothing, warn: nothing, error: nothing };
  return {
    config: readConfig({ DEVELOPMENT: "true" }),
    realtime: { appId: "test", key: "key", secret: "secret", cluster: undefined, host: "127.0.0.1", port: 1, tls: false, embedded: true },
    database: db.database,
    secrets: testSecrets,
    files: databaseStore(db.database),
    publisher,
    jobs: openQueue(db.database, log),
    log,
    sweeps: createSweepRecord(),
    // none rests because the machine is busy
    figures: new SharedReads(undefined, Number.POSITIVE_INFINITY),
  };
}

interface CallOptions {
  readonly currency?: string;
  readonly key?: string | null;
  /** Used in place of the body for the key's fingerprint. */
  readonly body?: unknown;
  readonly permissions?: readonly string[];
}

/** A call as mount.ts makes it, with an idempotency key of its own unless one is given. */
export function staffCall(
  deps: Deps,
  tenant: Tenant,
  person: Person,
  { currency = tenant.currency, key = randomUUID(), body = null, permissions: rights = permissions }: CallOptions = {},
): StaffCall {
  return {
    deps,
    tenant: tenant.id,
    currency,
    currencyFacts: { minorDigits: 2, zoneMinutes: 480 },
    ip: "127.0.0.1",
    agent: "",
    requestId: randomUUID(),
    language: "en" as const,
    idempotencyKey: key,
    fingerprint: createHash("sha256").update(JSON.stringify(body)).digest(),
    gone: new AbortController().signal,
    isDue: () => false,
    caller: { kind: "user", id: person.id, name: person.name, session: randomUUID(), groups: [], permissions: new Set(rights) },
  };
}
