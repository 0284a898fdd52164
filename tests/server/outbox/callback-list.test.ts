import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { MerchantCallback } from "../../../src/contract/merchant-callbacks.ts";
import { mostResent } from "../../../src/contract/merchant-callbacks.ts";
import { startReceiver } from "../../../src/server/demo/receiver.ts";
import type { Receiver, ReceiverOptions } from "../../../src/server/demo/receiver.ts";
import { merchantCallbackHandlers as handlers } from "../../../src/server/outbox/callbacks.ts";
import { inTenant } from "../../../src/server/db/scope.ts";
import { createDispatcher } from "../../../src/server/outbox/dispatch.ts";
import { findEndpoints } from "../../../src/server/outbox/endpoints.ts";
import { resendFailed as resendUpTo } from "../../../src/server/outbox/resend.ts";
import { withdrawalHandlers } from "../../../src/server/payments/withdrawals.ts";
import { asking } from "../../../src/values/asked.ts";
import { testDatabase } from "../../support/database.ts";
import { makeAccount, makeGroup, makePerson } from "../../support/factories.ts";
import { makeSigningMerchant } from "../../support/merchants.ts";
import type { SigningMerchant } from "../../support/merchants.ts";
import { body, done, makeOffice, only, refusals } from "../../support/payments.ts";
import type { Office } from "../../support/payments.ts";

const db = testDatabase();
let office: Office;
let [merchant, other]: SigningMerchant[] = [];
let receiver: Receiver;
let fault: ReceiverOptions["fault"];

const signing = async (name: string) => {
  const made = await makeSigningMerchant(db, office.deps, office.tenant, { wallet: "1000000", name });
  await db.owner.query("update merchants set callback_url = $2 where id = $1", [made.id, receiver.url(made.id)]);
  return made;
};
const one = () => merchant as SigningMerchant;

beforeEach(async () => {
  fault = () => null;
  office = await makeOffice(db, { settings: { loopback_callbacks: true, recall_seconds: 0 } });
  receiver = await startReceiver({
    secretOf: (id) => [merchant, other].find((known) => known?.id === id)?.secret,
    fault: (name) => fault(name),
    remember: 10_000,
  });
  [merchant, other] = [await signing("Harbour"), await signing("Market")];
  await makeGroup(db, office.tenant, [await makeAccount(db, office.tenant)], [one(), other as SigningMerchant]);
});
afterEach(() => receiver.stop());

/** The transaction of a withdrawal that was rejected, and so its callback is due. */
async function rejected(of = one(), request = {}): Promise<string> {
  const { id, version } = await office.withdraw(of, { amount: "10.00", ...request });
  done(
    only(await withdrawalHandlers.rejectWithdrawals(office.call(), body({ rows: [{ uuid: id, version }], reason: { code: "duplicate" } }))),
  );
  return id;
}

/** Sends what is due until no endpoint can be sent to now. */
async function dispatch(): Promise<void> {
  const dispatcher = createDispatcher(office.deps);
  do {
    await dispatcher.round();
    await dispatcher.idle();
  } while ((await findEndpoints(db.database, 1)).length > 0);
  await dispatcher.stop();
}

const list = async (query: Record<string, unknown> = {}, call = office.call()): Promise<MerchantCallback[]> =>
  (
    await handlers.listMerchantCallbacks(call, {
      query: { direction: "next", limit: 100, sort: ["-created_at"], ...query } as never,
      params: undefined,
      body: undefined,
    })
  ).data;
const read = async (uuid: string) =>
  (await handlers.readMerchantCallback(office.call(), { params: { uuid }, query: undefined, body: undefined })).data;
const codeOf = async ({ id }: SigningMerchant): Promise<string> =>
  (await db.owner.query<{ code: string }>("select code from merchants where id = $1", [id])).rows[0]?.code ?? "";
const refs = (rows: readonly MerchantCallback[]) => rows.map(({ uuid, version }) => ({ uuid, version }));
const resend = async (rows: readonly MerchantCallback[], call = office.call()) =>
  (await handlers.resendCallbacks(call, body({ rows: refs(rows) }))).data.outcomes;
const failed = { since: "2020-01-01T00:00:00.000Z" };
const count = async (of = {}, call = office.call()) =>
  (await handlers.countFailedCallbacks(call, { query: { ...failed, ...of }, params: undefined, body: undefined })).data;
const resendFailed = async (of = {}, call = office.call()) => (await handlers.resendFailedCallbacks(call, body({ ...failed, ...of }))).data;
const giveUp = () =>
  db.owner.query("update outbox set state = 'failed', next_attempt_at = null where tenant_id = $1 and state = 'pending'", [
    office.tenant.id,
  ]);
const acts = async (act: string) =>
  (
    await db.owner.query<{ n: number }>("select count(*)::integer as n from audit_entries where tenant_id = $1 and act = $2", [
      office.tenant.id,
      act,
    ])
  ).rows[0]?.n;

test("newest first or oldest first, the list begins at the time that is jumped to", async () => {
  await rejected();
  await dispatch();
  const [old] = await list();
  await expect
    .poll(async () => Number((await db.owner.query("select extract(epoch from clock_timestamp()) as now")).rows[0].now))
    .toBeGreaterThan(Date.parse(old?.created_at ?? "") / 1000 + 1);
  await rejected();
  await dispatch();
  const [young] = await list();
  const between = new Date(Date.parse(young?.created_at ?? "") - 1).toISOString();
  const uuids = async (query: Record<string, unknown>) => (await list({ at: between, ...query })).map(({ uuid }) => uuid);
  expect(await uuids({})).toEqual([old?.uuid]);
  expect(await uuids({ sort: ["created_at"] })).toEqual([young?.uuid]);
});

describe("the list", () => {
  test("tells of each callback what became of it, newest first", async () => {
    await rejected();
    await dispatch();
    fault = () => "refused";
    await rejected();
    await dispatch();
    await rejected(other);
    const rows = await list();
    expect(rows.map(({ status, event, attempts, last_status }) => [status, event, attempts, last_status])).toEqual([
      ["waiting", "withdrawal.rejected", 0, null],
      ["failing", "withdrawal.rejected", 1, 503],
      ["delivered", "withdrawal.rejected", 1, 200],
    ]);
    expect(rows.map(({ next_attempt_at }) => next_attempt_at !== null)).toEqual([true, true, false]);
    await giveUp();
    expect((await list()).map(({ status }) => status)).toEqual(["failed", "failed", "delivered"]);
  });

  test("is filtered by merchant, state, event and time, and searched by the transaction's number", async () => {
    await rejected();
    await dispatch();
    fault = () => "refused";
    await rejected(other);
    await dispatch();
    await office.credited(one());
    const [deposit, failing, delivered] = (await list()).map(({ uuid }) => uuid);
    const found = async (query: Record<string, unknown>) => (await list(query)).map(({ uuid }) => uuid);
    const [row] = await list({ "filter[uuid]": [failing] });
    expect(await found({ "filter[merchant_code]": asking(row?.merchant_code.toLowerCase() ?? "") })).toEqual([failing]);
    expect(await found({ "filter[merchant_code]": asking("NOBODY") })).toEqual([]);
    expect(await found({ "filter[status]": ["failing"] })).toEqual([failing]);
    expect(await found({ "filter[status]": ["delivered", "waiting"] })).toEqual([deposit, delivered]);
    expect(await found({ "filter[event]": ["deposit.approved"] })).toEqual([deposit]);
    expect(await found({ "filter[txn_no]": asking(row?.txn_no.toLowerCase() ?? "") })).toEqual([failing]);
    expect(await found({ "filter[txn_no]": { isNot: true, of: [row?.txn_no] } })).toEqual(
      (await found({})).filter((one) => one !== failing),
    );
    expect(await found({ "filter[merchant_code]": { isNot: true, of: [row?.merchant_code] } })).not.toContain(failing);
    expect(await found({ "filter[merchant_code]": { isNot: false, of: ["NOBODY", row?.merchant_code] } })).toContain(failing);
    for (const q of [row?.txn_no, row?.txn_no.slice(-6), row?.merchant_txn_no])
      expect([q, await found({ q })]).toEqual([q, expect.arrayContaining([failing])]);
    expect(await found({ q: row?.txn_no })).toEqual([failing]);
    const hour = (n: number) => new Date(Date.now() + n * 3_600_000).toISOString();
    expect(await found({ "filter[created_at_from]": hour(-1), "filter[created_at_to]": hour(1) })).toHaveLength(3);
    expect(await found({ "filter[created_at_from]": row?.created_at })).toEqual([deposit, failing]);
    expect(await found({ "filter[created_at_to]": row?.created_at })).toEqual([delivered]);
    expect(await found({ "filter[created_at_from]": hour(3) })).toEqual([]);
  });

  test("shows each attempt with its time, its answer and who asked for it", async () => {
    fault = () => "refused";
    await rejected();
    await dispatch();
    fault = () => null;
    done(only({ data: { outcomes: await resend(await list()) } }));
    await dispatch();
    const [row] = await list();
    const { tries, endpoint, url } = await read(row?.uuid ?? "");
    expect(tries.map(({ n, status, by }) => [n, status, by])).toEqual([
      [2, 200, office.ann.name],
      [1, 503, null],
    ]);
    expect(tries[1]?.answer).toBe('{"error":"try again later"}');
    expect(tries.every(({ milliseconds, at }) => milliseconds >= 0 && Date.parse(at) > 0)).toBe(true);
    expect(endpoint.state).toBe("working");
    expect(url).toBe(receiver.url(one().id));
  });
});

describe("a resend", () => {
  test("goes at once, keeps the id, is audited, and is told on the channel", async () => {
    await rejected();
    await dispatch();
    const [before] = await list();
    office.announced.length = 0;
    const [outcome] = await resend(await list());
    expect(outcome).toMatchObject({ done: true, row: { status: "waiting", asked: true } });
    expect(office.announced).toContainEqual(expect.objectContaining({ event: "callback", uuids: [before?.uuid] }));
    await dispatch();
    expect(receiver.requests).toBe(2);
    expect(receiver.effects.map(({ id }) => id)).toEqual([before?.uuid]);
    expect(await acts("withdrawal.send-callback")).toBe(1);
  });

  test("asked for twice, or by two at once, is one attempt", async () => {
    await rejected();
    await dispatch();
    const rows = await list();
    await Promise.all([resend(rows), resend(rows), resend(rows, office.call(office.ben))]);
    const [one, two] = [createDispatcher(office.deps), createDispatcher(office.deps)];
    await Promise.all([one.round(), two.round()]);
    await Promise.all([one.idle(), two.idle()]);
    await Promise.all([one.stop(), two.stop()]);
    expect(receiver.requests).toBe(2);
  });

  test("is refused for what is told no more, without an address, and without the right to its kind", async () => {
    const id = await rejected();
    const rows = await list();
    await db.owner.query("update outbox set state = 'cancelled', next_attempt_at = null where transaction_id = $1", [id]);
    expect(refusals(await resend(rows)).map(({ code }) => code)).toEqual(["callback.replaced"]);
    await db.owner.query("update outbox set state = 'failed' where transaction_id = $1", [id]);
    await db.owner.query("update merchants set callback_url = null where id = $1", [one().id]);
    expect(refusals(await resend(rows)).map(({ code }) => code)).toEqual(["callback.no-address"]);
    expect(await count()).toMatchObject({ count: 0, unaddressed: 1 });
    await db.owner.query("update merchants set callback_url = $2 where id = $1", [one().id, receiver.url(one().id)]);
    const call = office.call(await makePerson(db, office.tenant, "Only Deposits"), {
      permissions: ["pas.merchant.transactions.view", "pas.transaction.deposits.send-callback"],
    } as never);
    expect(refusals(await resend(rows, call)).map(({ code }) => code)).toEqual(["permission.missing"]);
    expect(await count({}, call)).toMatchObject({ count: 0 });
    expect(await resendFailed({}, call)).toEqual({ sent: 0, left: 0 });
  });
});

describe("all that failed", () => {
  test("are counted and then sent again, of a merchant or of all, since a moment, without what is on its way or was taken", async () => {
    await rejected();
    await dispatch();
    fault = () => "refused";
    await rejected();
    await rejected();
    await rejected(other);
    await dispatch();
    await rejected(other);
    expect(await count()).toEqual({ count: 3, merchants: 2, disabled: 0, unaddressed: 0 });
    expect(await count({ merchant_code: await codeOf(one()) })).toMatchObject({ count: 2, merchants: 1 });
    expect(await count({ since: new Date(Date.now() + 60_000).toISOString() })).toMatchObject({ count: 0 });
    fault = () => null;
    expect(await resendFailed({ merchant_code: await codeOf(one()) })).toEqual({ sent: 2, left: 0 });
    expect(await count()).toMatchObject({ count: 1 });
    // asked for once more before they went: there is nothing left to ask for
    expect(await resendFailed({ merchant_code: await codeOf(one()) })).toEqual({ sent: 0, left: 0 });
    await dispatch();
    expect(receiver.effects.filter(({ merchant: at }) => at === one().id)).toHaveLength(3);
    expect(await acts("withdrawal.send-callback")).toBe(2);
    expect(await acts("merchant.resend-callbacks")).toBe(2);
  });

  test("are sent by an act up to its bound, the oldest first; it tells how many are left", async () => {
    expect(mostResent).toBe(1_000);
    for (let n = 0; n < 3; n++) await rejected(n === 1 ? other : one());
    await giveUp();
    const { answer, ids } = await inTenant(db.database, office.tenant.id, (scoped) => resendUpTo(scoped, office.call(), failed, 2));
    expect(answer).toEqual({ sent: 2, left: 1 });
    const all = await list({ sort: ["created_at"] });
    expect(ids.toSorted()).toEqual(all.slice(0, 2).map(({ uuid }) => uuid));
  });
});
