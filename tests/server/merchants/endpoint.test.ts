import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterEach, beforeEach, expect, test } from "vitest";
import { inTenant } from "../../../src/server/db/scope.ts";
import { mailPlace } from "../../../src/server/mail/mails.ts";
import { tenantMerchantHandlers as act } from "../../../src/server/merchants/merchants.ts";
import { createDispatcher } from "../../../src/server/outbox/dispatch.ts";
import { findEndpoints, noteAttempt } from "../../../src/server/outbox/endpoints.ts";
import { withdrawalHandlers } from "../../../src/server/payments/withdrawals.ts";
import { testDatabase } from "../../support/database.ts";
import { makeSigningMerchant } from "../../support/merchants.ts";
import type { SigningMerchant } from "../../support/merchants.ts";
import { body, makeOffice } from "../../support/payments.ts";
import type { Office } from "../../support/payments.ts";

const db = testDatabase();
let office: Office;
let merchant: SigningMerchant;
let answers = 503;
let received: string[] = [];
const server = createServer((request, response) => {
  request.on("data", (chunk: Buffer) => received.push(chunk.toString("utf8")));
  request.on("end", () => response.writeHead(answers).end());
});

beforeEach(async () => {
  [answers, received] = [503, []];
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const { port } = server.address() as AddressInfo; // it listens on a port
  office = await makeOffice(db, { settings: { loopback_callbacks: true, recall_seconds: 0 } });
  merchant = await makeSigningMerchant(db, office.deps, office.tenant, {
    name: "Harbour Shop",
    wallet: "1000000",
    callback_url: `http://127.0.0.1:${port}/callbacks`,
  });
});
afterEach(() => new Promise((closed) => server.close(closed)));

const of = () => ({ params: { uuid: merchant.id }, query: undefined, body: undefined });
const endpoint = async () => (await act.readMerchant(office.call(), of())).data.endpoint;

async function dispatch(): Promise<void> {
  const dispatcher = createDispatcher(office.deps);
  await dispatcher.round();
  await dispatcher.idle();
  await dispatcher.stop();
}
async function reject(): Promise<void> {
  const { id, version } = await office.withdraw(merchant, { amount: "10.00" });
  await withdrawalHandlers.rejectWithdrawals(office.call(), body({ rows: [{ uuid: id, version }], reason: { code: "duplicate" } }));
}
const due = () =>
  db.owner.query("update outbox set next_attempt_at = now() where state = 'pending' and tenant_id = $1", [office.tenant.id]);
const failingFor = (time: string) =>
  db.owner.query("update callback_endpoints set failing_since = now() - $2::interval, paused_until = null where merchant_id = $1", [
    merchant.id,
    time,
  ]);
const attempts = async () =>
  (await db.owner.query<{ n: number }>("select count(*)::integer as n from callback_attempts where tenant_id = $1", [office.tenant.id]))
    .rows[0]?.n;
/** An endpoint that has failed for six days and was tried once more. */
async function disabled(): Promise<void> {
  await reject();
  await dispatch();
  await failingFor("6 days");
  await due();
  await dispatch();
}

test("an endpoint tells whether it works, since when it fails and when it is tried next, and that it works again", async () => {
  expect(await endpoint()).toEqual({
    state: "working",
    failing_since: null,
    disabled_at: null,
    next_attempt_at: null,
    waiting: 0,
    failed: 0,
  });
  await reject();
  await dispatch();
  const failing = await endpoint();
  expect(failing).toMatchObject({ state: "failing", disabled_at: null, waiting: 1, failed: 0 });
  expect(Date.parse(failing.next_attempt_at ?? "")).toBeGreaterThan(Date.parse(failing.failing_since ?? ""));
  await due();
  await dispatch();
  expect((await endpoint()).failing_since).toBe(failing.failing_since);
  answers = 200;
  await due();
  await dispatch();
  expect(await endpoint()).toMatchObject({ state: "working", failing_since: null, waiting: 0 });
  await db.owner.query("update merchants set callback_url = null where id = $1", [merchant.id]);
  expect((await endpoint()).state).toBe("none");
});

test("one that has failed for five days is disabled: nothing waits for its turn there, and nothing is lost", async () => {
  await reject();
  await dispatch();
  await failingFor("4 days 23 hours");
  await due();
  await dispatch();
  expect((await endpoint()).state).toBe("failing");
  await failingFor("5 days 1 minute");
  await due();
  await dispatch();
  expect(await endpoint()).toMatchObject({ state: "disabled", next_attempt_at: null, waiting: 1 });
  const made = await attempts();
  await reject();
  await due();
  expect(await findEndpoints(db.database, 10)).toEqual([]);
  await dispatch();
  expect(await attempts()).toBe(made);

  answers = 200;
  expect((await act.enableMerchantEndpoint(office.call(), of())).data).toEqual({ enabled: true });
  expect(await endpoint()).toMatchObject({ state: "working", waiting: 2 });
  // one at first, then more
  await dispatch();
  await dispatch();
  expect(await endpoint()).toMatchObject({ state: "working", waiting: 0, failed: 0 });
  expect((await act.enableMerchantEndpoint(office.call(), of())).data).toEqual({ enabled: false });
  const { history } = (await act.readMerchant(office.call(), of())).data;
  expect(history.map(({ act: one }) => one)).toEqual(["merchant.enable-callbacks", "merchant.disable-callbacks"]);
});

test("its owners are told once by mail, with a link to the merchant", async () => {
  await disabled();
  const kept = async () =>
    (
      await db.owner.query<{ recipient: string; subject: string }>("select recipient, subject from mails where tenant_id = $1", [
        office.tenant.id,
      ])
    ).rows;
  const { rows: owners } = await db.owner.query<{ email: string }>(
    `select u.email from users u join membership_groups m on m.user_id = u.id join user_groups g on g.id = m.group_id and g.code = 'owner'
      where m.tenant_id = $1`,
    [office.tenant.id],
  );
  expect(owners).not.toEqual([]);
  expect(await kept()).toEqual(owners.map(({ email }) => ({ recipient: email, subject: "Callbacks to Harbour Shop are disabled" })));
  await inTenant(db.database, office.tenant.id, async (scoped) => {
    for (let n = 0; n < 3; n++) await noteAttempt(scoped, { tenant_id: office.tenant.id, merchant_id: merchant.id }, "refused");
  });
  expect(await kept()).toHaveLength(owners.length);
  const { rows } = await db.owner.query<{ id: string; body: Buffer }>("select id, body from mails where tenant_id = $1", [
    office.tenant.id,
  ]);
  for (const mail of rows)
    expect(office.deps.secrets.open(mail.body, mailPlace(office.tenant.id, mail.id))).toContain(
      `/payment/merchants?record=${merchant.id}&tenant=${office.tenant.id}&currency=MYR`,
    );
});

test("a test call tells what came of it and changes nothing on failure; one that is taken enables the endpoint", async () => {
  await disabled();
  expect((await act.testMerchantCallback(office.call(), of())).data).toMatchObject({ delivered: false, status: 503 });
  expect((await endpoint()).state).toBe("disabled");
  answers = 200;
  received = [];
  expect((await act.testMerchantCallback(office.call(), of())).data).toMatchObject({ delivered: true, status: 200, error: null });
  expect(JSON.parse(received.join(""))).toMatchObject({ type: "test", data: { merchant: "Harbour Shop" } });
  expect((await endpoint()).state).toBe("working");
  await db.owner.query("update merchants set callback_url = null where id = $1", [merchant.id]);
  await expect(act.testMerchantCallback(office.call(), of())).rejects.toMatchObject({ code: "callback.no-address" });
  const other = await makeOffice(db);
  await expect(act.testMerchantCallback(other.call(), of())).rejects.toMatchObject({ code: "not-found" });
});
