import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { sql } from "kysely";
import { amountText } from "../../values/money.ts";
import type { Deps } from "../call.ts";
import { inTenant } from "../db/scope.ts";
import { signRequest } from "../merchant-api/sign.ts";
import { forgetEndpoint } from "../outbox/endpoints.ts";
import { merchantSecretPlace } from "../secrets/secrets.ts";
import { demoTenants } from "./places.ts";
import type { DemoBook } from "./places.ts";
import { seededRandom } from "./random.ts";
import type { Random } from "./random.ts";
import { startReceiver } from "./receiver.ts";
import { slipOf } from "./slip.ts";

export interface Traffic {
  stop(): Promise<void>;
}

interface Customer {
  readonly member: string;
  readonly customer_name: string;
  readonly bank: string;
  readonly account_number: string;
  readonly holder: string;
  readonly method: string;
}

interface Simulated {
  readonly tenant: string;
  readonly id: string;
  readonly code: string;
  readonly apiKey: string;
  readonly secret: string;
  readonly book: DemoBook;
  readonly customers: readonly Customer[];
}

interface Paid {
  readonly uuid: string;
  readonly amount: string;
  readonly currency: string;
  readonly customer_name: string;
  readonly reference_no: string;
}

interface TrafficOptions {
  /** Mean ms between two requests of all merchants together. */
  readonly every?: number;
  readonly seed?: number;
}

const api = "/service/payment/api/merchant/v1";
/** Most open withdrawals of a currency, so that an unattended demo does not fill up. */
const mostOpen = 150;

/**
 * Simulates merchants: they create deposits (most of them reported paid) and withdrawals by signed HTTP requests, and receive callbacks on
 * a loopback server that sometimes fails. `baseUrl`: the server's.
 */
export async function simulateMerchants(
  deps: Deps,
  baseUrl: string,
  { every = 2_600, seed = Date.now() % 1_000_000 }: TrafficOptions = {},
): Promise<Traffic> {
  const random = seededRandom(seed);
  const merchants = await loadMerchants(deps);
  const secrets = new Map(merchants.map(({ code, secret }) => [code.toLowerCase(), secret]));
  const ailing = new Set(merchants.filter(isAiling).map(({ code }) => code.toLowerCase()));
  const receiver = await startReceiver({
    secretOf: (name) => secrets.get(name),
    fault: (name) => (ailing.has(name) || random.chance(0.06) ? "refused" : null),
  });
  await pointCallbacks(deps, merchants, (code) => receiver.url(code));
  const ending = new AbortController();
  const paying = new Set<Promise<void>>();

  const pause = (milliseconds: number) => delay(milliseconds, undefined, { signal: ending.signal, ref: false }).catch(() => undefined);
  const send = async (merchant: Simulated, path: string, body: object | Buffer): Promise<unknown> => {
    const isFile = Buffer.isBuffer(body);
    const text = isFile ? body : JSON.stringify(body);
    const answer = await fetch(`${baseUrl}${api}${path}`, {
      method: "POST",
      headers: {
        ...signRequest(merchant, { method: "POST", path: `${api}${path}`, idempotencyKey: randomUUID(), body: text }),
        "content-type": isFile ? "application/pdf" : "application/json",
      },
      body: isFile ? new Uint8Array(body) : text.toString(),
      signal: AbortSignal.any([ending.signal, AbortSignal.timeout(10_000)]),
    });
    const read = (await answer.json()) as { data?: unknown };
    return answer.ok ? read.data : null;
  };

  const receipt = (merchant: Simulated, { uuid, amount, currency, customer_name, reference_no }: Paid) =>
    send(
      merchant,
      `/deposits/${uuid}/receipt`,
      slipOf([
        "Transfer receipt",
        `${currency} ${amount}`,
        customer_name,
        `Reference ${reference_no}`,
        new Date().toISOString().slice(0, 16),
      ]),
    );

  const one = async () => {
    const merchant = random.weighted(
      merchants,
      merchants.map(({ book, code }) => book.share * (book.merchants.find((known) => known.code === code)?.weight ?? 1)),
    );
    const customer = random.pick(merchant.customers);
    const common = {
      merchant_txn_no: `${merchant.code}-${Date.now().toString(36).toUpperCase()}${random.digits(3)}`,
      amount: someAmount(merchant.book, random),
      currency: merchant.book.currency,
      method: customer.method,
      member: customer.member,
      customer_name: customer.customer_name,
    };
    if (random.chance(0.55)) {
      const created = (await send(merchant, "/deposits", common)) as { transaction: { uuid: string } } | null;
      if (!created || random.chance(0.15)) return;
      const paid = pause(random.whole(6_000, 90_000)).then(async () => {
        if (ending.signal.aborted) return;
        const reference_no = random.digits(10);
        await send(merchant, `/deposits/${created.transaction.uuid}/paid`, { reference_no });
        if (random.chance(0.4)) await receipt(merchant, { uuid: created.transaction.uuid, ...common, reference_no });
      });
      const settled = paid.catch(() => undefined).finally(() => paying.delete(settled));
      paying.add(settled);
    } else if ((await openIn(deps, merchant)) < mostOpen) {
      const { bank, account_number, holder } = customer;
      await send(merchant, "/withdrawals", { ...common, bank, account_number, holder });
    }
  };

  const running = (async () => {
    // some of what the demo begins with has a receipt, too
    for (const merchant of merchants) {
      const deposits = await paidDeposits(deps, merchant).catch((error: unknown) => {
        deps.log.debug({ err: error }, "demo deposits not read");
        return [];
      });
      for (const paid of deposits) if (!ending.signal.aborted) await receipt(merchant, paid).catch(() => undefined);
    }
    while (!ending.signal.aborted) {
      await pause(every * (0.4 + 1.2 * random.next()));
      // the server may be restarting or a limit used up; merchants try again later
      if (!ending.signal.aborted && merchants.length > 0)
        await one().catch((error: unknown) => deps.log.debug({ err: error }, "demo merchant refused"));
    }
  })();

  return {
    async stop() {
      ending.abort();
      await Promise.all([running, ...paying]);
      await receiver.stop();
    },
  };
}

function someAmount({ median, unit, minorDigits }: DemoBook, random: Random): string {
  const whole = Math.max(unit, Math.round(random.around(median, 0.9) / unit) * unit);
  return minorDigits > 0 ? `${whole}.${random.chance(0.15) ? random.digits(2) : "00"}` : String(whole);
}

async function loadMerchants(deps: Deps): Promise<Simulated[]> {
  const all: Simulated[] = [];
  for (const { code, books } of demoTenants) {
    const tenant = await deps.database.open.selectFrom("tenants").select("id").where("code", "=", code).executeTakeFirst();
    if (!tenant) continue;
    const found = await inTenant(deps.database, tenant.id, async (db) => {
      const merchants = await db
        .selectFrom("merchants")
        .select(["id", "code", "api_key", "secret", "currency"])
        .where("tenant_id", "=", tenant.id)
        .where("status", "=", "active")
        .where("callback_url", "like", "http://127.0.0.1:%/callbacks/%")
        .execute();
      const customers = await sql<Customer & { merchant_id: string }>`
        select distinct on (merchant_id, member) merchant_id, member, customer_name, bank, account_number, holder, method
        from transactions where tenant_id = ${tenant.id} and kind = 'withdrawal' and created_at > now() - interval '7 days'
        order by merchant_id, member`.execute(db);
      return { merchants, customers: customers.rows };
    });
    for (const { id, code: merchant, api_key, secret, currency } of found.merchants) {
      const book = books.find((known) => known.currency === currency);
      const customers = found.customers.filter((customer) => customer.merchant_id === id);
      if (!book || customers.length === 0) continue;
      const plain = deps.secrets.open(secret, merchantSecretPlace(tenant.id, id));
      all.push({ tenant: tenant.id, id, code: merchant, apiKey: api_key, secret: plain, book, customers });
    }
  }
  return all;
}

/** Whether its address goes on failing. */
const isAiling = ({ book, code }: Simulated): boolean => book.merchants.some((known) => known.code === code && known.ailing === true);

/** Points the merchants' callbacks to the receiver, whose port changes at each start; waiting callbacks go there too. */
async function pointCallbacks(deps: Deps, merchants: readonly Simulated[], urlOf: (code: string) => string): Promise<void> {
  for (const merchant of merchants) {
    const { tenant, id, code } = merchant;
    const url = urlOf(code.toLowerCase());
    await inTenant(deps.database, tenant, async (db) => {
      await db.updateTable("merchants").set({ callback_url: url }).where("tenant_id", "=", tenant).where("id", "=", id).execute();
      if (!isAiling(merchant)) await forgetEndpoint(db, tenant, id);
    });
  }
}

/** A few of the merchant's deposits in process, as long as none of them all has a receipt. */
async function paidDeposits(deps: Deps, { tenant, id }: Simulated): Promise<Paid[]> {
  const { rows } = await inTenant(deps.database, tenant, (db) =>
    sql<Paid>`select t.id as uuid, t.amount::text as amount, t.currency, t.customer_name, coalesce(t.reference_no, '') as reference_no
      from transactions t where t.tenant_id = ${tenant} and t.merchant_id = ${id} and t.kind = 'deposit' and t.status = 'process'
        and not exists (select from receipts r join transactions x on x.tenant_id = r.tenant_id and x.id = r.transaction_id
          where r.tenant_id = ${tenant} and x.merchant_id = ${id}) order by t.created_at desc limit 2`.execute(db),
  );
  return rows.map((row) => ({ ...row, amount: amountText(row.amount) }));
}

async function openIn(deps: Deps, { tenant, book }: Simulated): Promise<number> {
  const { rows } = await inTenant(deps.database, tenant, (db) =>
    sql<{ n: number }>`select count(*)::integer as n from transactions
      where tenant_id = ${tenant} and currency = ${book.currency} and kind = 'withdrawal' and status in ('pending', 'process')`.execute(db),
  );
  return rows[0]?.n ?? 0;
}
