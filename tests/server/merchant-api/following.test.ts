import type { FastifyInstance } from "fastify";
import { pino } from "pino";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { buildApp } from "../../../src/server/app.ts";
import { depositHandlers } from "../../../src/server/payments/deposits.ts";
import { reportDepositPaid } from "../../../src/server/payments/transactions.ts";
import { withdrawalHandlers } from "../../../src/server/payments/withdrawals.ts";
import type { MerchantCall } from "../../../src/server/call.ts";
import type { Replica } from "../../../src/server/db/replica.ts";
import { inTenant } from "../../../src/server/db/scope.ts";
import { listTransactions } from "../../../src/server/merchant-api/list.ts";
import { testDatabase } from "../../support/database.ts";
import { makeAccount, makeGroup } from "../../support/factories.ts";
import { makeSigningMerchant } from "../../support/merchants.ts";
import type { SigningMerchant } from "../../support/merchants.ts";
import { body, done, makeOffice, only } from "../../support/payments.ts";
import type { Office } from "../../support/payments.ts";
import { depositOf, signedBy, withdrawalOf } from "../../support/signed.ts";

const db = testDatabase();
let app: FastifyInstance;
let office: Office;
let merchant: SigningMerchant;
let send: ReturnType<typeof signedBy>;
beforeAll(async () => {
  office = await makeOffice(db);
  app = await buildApp(office.deps, { logger: pino({ level: "silent" }), consoleFolder: null });
});
afterAll(() => app.close());
beforeEach(async () => {
  merchant = await makeSigningMerchant(db, office.deps, office.tenant, { wallet: "1000" });
  await makeGroup(db, office.tenant, [await makeAccount(db, office.tenant)], [merchant]);
  send = signedBy(app, merchant);
});

const numbers = ({ data }: { data: { merchant_txn_no: string }[] }) => data.map(({ merchant_txn_no }) => merchant_txn_no);

/** The data of the latest callback of a transaction. */
async function told(uuid: string): Promise<unknown> {
  const { rows } = await db.owner.query<{ data: unknown }>(
    "select body::jsonb -> 'data' as data from outbox where transaction_id = $1 order by event_n desc limit 1",
    [uuid],
  );
  return rows[0]?.data;
}

const since = "2026-01-01T00:00:00Z";

async function deposits(...names: string[]): Promise<string[]> {
  const uuids: string[] = [];
  for (const name of names) uuids.push((await send("POST", "/deposits", { body: depositOf(name) })).data.transaction.uuid);
  return uuids;
}

test("the list is filtered by type, statuses and time of creation", async () => {
  const [first = "", second = ""] = await deposits("D-1", "D-2");
  await send("POST", "/withdrawals", { body: withdrawalOf("W-1") });
  await send("POST", `/deposits/${first}/paid`, { body: { reference_no: "R-1" } });
  expect(numbers(await send("GET", "/transactions?type=withdrawal"))).toEqual(["W-1"]);
  expect(numbers(await send("GET", "/transactions?status=pending"))).toEqual(["W-1", "D-2"]);
  expect(numbers(await send("GET", "/transactions?status=process,pending&type=deposit"))).toEqual(["D-2", "D-1"]);
  const { created_at } = (await send("GET", `/transactions/${second}`)).data;
  expect(numbers(await send("GET", `/transactions?created_from=${created_at}`))).toEqual(["W-1", "D-2"]);
  expect(numbers(await send("GET", `/transactions?created_to=${created_at}`))).toEqual(["D-1"]);
  expect((await send("GET", "/transactions?status=gone")).code).toBe("request.invalid");
  expect((await send("GET", "/transactions?created_from=yesterday")).code).toBe("request.invalid");
});

test("what changes comes again by the cursor of the last change, once each time, and the cursor lasts when nothing has changed", async () => {
  const [first = ""] = await deposits("D-1", "D-2", "D-3");
  const page = await send("GET", `/transactions?updated_since=${since}&limit=2`);
  expect(numbers(page)).toEqual(["D-1", "D-2"]);
  // read already, and changed before the next page
  await send("POST", `/deposits/${first}/paid`, { body: { reference_no: "R-1" } });
  const rest = await send("GET", `/transactions?cursor=${page.next}&limit=10`);
  expect(rest.data).toMatchObject([{ merchant_txn_no: "D-3" }, { merchant_txn_no: "D-1", status: "process" }]);
  const none = await send("GET", `/transactions?cursor=${rest.next}`);
  expect([numbers(none), none.next]).toEqual([[], rest.next]);
  expect(numbers(await send("GET", `/transactions?updated_since=${rest.data[1].updated_at}`))).toEqual(["D-1"]);
});

test("a change still being written while the list is read is not skipped", async () => {
  const [slow = ""] = await deposits("D-1", "D-2");
  const before = await send("GET", `/transactions?updated_since=${since}`);
  const actor = { kind: "merchant" as const, id: merchant.id, name: merchant.name, ip: null, requestId: null };
  let go: () => void = () => undefined;
  const gate = new Promise<void>((open) => (go = open));
  let written: () => void = () => undefined;
  const isWritten = new Promise<void>((done) => (written = done));
  const writing = inTenant(db.database, office.tenant.id, async (scoped) => {
    await reportDepositPaid(scoped, { tenant: office.tenant.id, merchant: merchant.id, actor }, slow, { reference_no: "R-1" });
    written();
    await gate;
  });
  await isWritten;
  // created later and visible before it
  await deposits("D-3");
  const during = await send("GET", `/transactions?cursor=${before.next}`);
  go();
  await writing;
  const after = await send("GET", `/transactions?cursor=${during.next}`);
  expect([...numbers(during), ...numbers(after)]).toEqual(["D-1", "D-3"]);
});

test("what changed is read where it is written, because a replica does not know who is writing; what was created may be a replica's", async () => {
  await deposits("D-1");
  let reads = 0;
  const read = () => {
    reads += 1;
    return Promise.resolve(null);
  };
  const database = { ...db.database, readsReplica: true as const, replica: { read } as Partial<Replica> as Replica };
  const call = { deps: { ...office.deps, database }, tenant: office.tenant.id, caller: { id: merchant.id } } as MerchantCall;
  const [changed, created] = [{ limit: 10, updated_since: since }, { limit: 10 }];
  expect(numbers(await listTransactions(call, changed))).toEqual(["D-1"]);
  expect(reads).toBe(0);
  expect(numbers(await listTransactions(call, created))).toEqual(["D-1"]);
  expect(reads).toBe(1);
});

test("what is settled is told in whole milliseconds, as changes are dated", async () => {
  for (let n = 0; n < 20; n++) {
    const { rows } = await db.owner.query<{ rest: number }>("select extract(microseconds from settled_until())::integer % 1000 as rest");
    expect(rows).toEqual([{ rest: 0 }]);
  }
});

test("the bank's number of a payment, said after its approval, is a change", async () => {
  const { uuid } = (await send("POST", "/withdrawals", { body: withdrawalOf("W-1") })).data;
  const version = async () =>
    (await db.owner.query<{ version: number }>("select version from transactions where id = $1", [uuid])).rows[0]?.version ?? 0;
  await withdrawalHandlers.claimWithdrawals(office.call(), body({ rows: [{ uuid, version: await version() }] }));
  const confirmed = { amount: withdrawalOf("W-1").amount, holder: withdrawalOf("W-1").holder };
  done(only(await withdrawalHandlers.approveWithdrawals(office.call(), body({ rows: [{ uuid, version: await version(), confirmed }] }))));
  const { next } = await send("GET", `/transactions?updated_since=${since}`);
  const request = { params: { uuid }, query: undefined, body: { version: await version(), reference_no: "FT24110001" } };
  await withdrawalHandlers.referWithdrawal(office.call(), request);
  const after = await send("GET", `/transactions?cursor=${next}`);
  expect(after.data).toMatchObject([{ merchant_txn_no: "W-1", reference_no: "FT24110001" }]);
});

test("a cursor of another list, of another shape, or of nobody's is refused", async () => {
  const [uuid = ""] = await deposits("D-1");
  for (const query of [`updated_since=${since}&cursor=${uuid}`, "cursor=12.34", "cursor=99999999999999999999.x"]) {
    expect([query, (await send("GET", `/transactions?${query}`)).code]).toEqual([query, "request.invalid"]);
  }
});

test("a transaction tells its charges, its reference, and what the balance felt once it is approved", async () => {
  await db.owner.query("update merchants set deposit_rate = 1.5 where id = $1", [merchant.id]);
  const [uuid = ""] = await deposits("D-1");
  const read = () => send("GET", `/transactions/${uuid}`);
  expect((await read()).data).toMatchObject({
    fee: "1.80",
    charges: "0.00",
    charges_borne_by: "house",
    reference_no: null,
    credited: null,
  });
  const { data } = await send("POST", `/deposits/${uuid}/paid`, { body: { reference_no: "R-9" } });
  expect(data).toMatchObject({ reference_no: "R-9", credited: null, debited: null });
  const { rows } = await db.owner.query<{ version: number }>("select version from transactions where id = $1", [uuid]);
  only(await depositHandlers.approveDeposits(office.call(), body({ rows: [{ uuid, version: rows[0]?.version ?? 0, claim: true }] })));
  expect((await read()).data).toMatchObject({ status: "approved", amount: "120.00", credited: "118.20", debited: null });
  expect(await told(uuid)).toMatchObject({
    charges: "0.00",
    charges_borne_by: "house",
    reference_no: "R-9",
    credited: "118.20",
    debited: null,
  });
});

test("the callback of a withdrawal tells its charges and what the balance gave, of a rejection nothing of it", async () => {
  await db.owner.query("update merchants set withdrawal_rate = 1, charges_borne_by = 'merchant' where id = $1", [merchant.id]);
  await db.owner.query("update payment_accounts set charges_type = 'fixed', charges_value = 2 where tenant_id = $1", [office.tenant.id]);
  const asked = async (name: string) => (await send("POST", "/withdrawals", { body: withdrawalOf(name) })).data.uuid;
  const [paid, refused] = [await asked("W-1"), await asked("W-2")];
  const confirmed = { amount: withdrawalOf("W-1").amount, holder: withdrawalOf("W-1").holder };
  done(
    only(await withdrawalHandlers.approveWithdrawals(office.call(), body({ rows: [{ uuid: paid, version: 1, claim: true, confirmed }] }))),
  );
  const reason = { code: "duplicate" };
  done(only(await withdrawalHandlers.rejectWithdrawals(office.call(), body({ rows: [{ uuid: refused, version: 1 }], reason }))));
  const { data } = await send("GET", `/transactions/${paid}`);
  expect(await told(paid)).toMatchObject({ charges: "2.00", charges_borne_by: "merchant", debited: data.debited, credited: null });
  expect(Number(data.debited)).toBe(Number(data.amount) + Number(data.fee) + 2);
  expect(await told(refused)).toMatchObject({ debited: null, credited: null });
});

test("an amount that arrived instead of the one asked for is told with both", async () => {
  const [uuid = ""] = await deposits("D-1");
  await send("POST", `/deposits/${uuid}/paid`, { body: { reference_no: "R-other-amount" } });
  const { rows } = await db.owner.query<{ version: number }>("select version from transactions where id = $1", [uuid]);
  const approving = { uuid, version: rows[0]?.version ?? 0, claim: true, amount: "100.00", reason: "so it came" } as const;
  done(only(await depositHandlers.approveDeposits(office.call(), body({ rows: [approving] }))));
  expect((await send("GET", `/transactions/${uuid}`)).data).toMatchObject({
    amount: "100.00",
    asked_amount: "120.00",
    amount_reason: "so it came",
    credited: "100.00",
  });
});

test("an answer kept for its key before the later fields came is completed with them", async () => {
  const [body_, key] = [withdrawalOf("W-1"), "kept-before-1"];
  const first = await send("POST", "/withdrawals", { body: body_, key });
  const {
    charges: _,
    charges_borne_by: __,
    credited: ___,
    debited: ____,
    reference_no: _____,
    asked_amount: ______,
    amount_reason: _______,
    ...kept
  } = first.data;
  await db.owner.query("update idempotency_keys set packed = null, answer = $2 where key = $1 and tenant_id = $3", [
    key,
    JSON.stringify({ answer: kept }),
    office.tenant.id,
  ]);
  expect((await send("POST", "/withdrawals", { body: body_, key })).data).toEqual(first.data);
});
