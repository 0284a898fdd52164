import { expect, test } from "vitest";
import type { HoldForm } from "../../../src/contract/payment-accounts.ts";
import { endHolds } from "../../../src/server/accounts/holds.ts";
import { paymentAccountHandlers as act } from "../../../src/server/accounts/payment-accounts.ts";
import { testDatabase } from "../../support/database.ts";
import { makeAccount } from "../../support/factories.ts";
import { makeOffice } from "../../support/payments.ts";

const db = testDatabase();

async function scene() {
  const office = await makeOffice(db);
  const { id } = await makeAccount(db, office.tenant, { balance: "1000" });
  const at = { params: { uuid: id }, query: undefined };
  const hold = async (version: number, more: Partial<HoldForm> = {}) =>
    (await act.holdPaymentAccount(office.call(), { ...at, body: { amount: "400.00", reason: "Court order", until: "", ...more, version } }))
      .data;
  const release = async (version: number, reason = "") =>
    (await act.releasePaymentAccount(office.call(office.ben), { ...at, body: { version, reason } })).data;
  const history = async () => (await act.readPaymentAccount(office.call(), { ...at, body: undefined })).data.history;
  return { office, id, hold, release, history };
}

test("a hold takes its amount off what is payable until it is released, each with its reason in the history", async () => {
  const { hold, release, history, office, id } = await scene();
  expect(await hold(1)).toMatchObject({
    hold_amount: "400.00",
    hold_reason: "Court order",
    hold_until: null,
    payable: "600.00",
    version: 2,
  });
  expect(await release(2, "Lifted by the court")).toMatchObject({ hold_amount: "0.00", hold_reason: null, payable: "1000.00" });
  expect(await history()).toMatchObject([
    {
      act: "payment-account.release",
      by: "Ben Ooi",
      reason: "Lifted by the court",
      changes: { hold_amount: { before: "400.00", after: "0.00" } },
    },
    { act: "payment-account.hold", by: "Ann Lim", changes: { hold_reason: { after: "Court order" } } },
  ]);
  expect(office.announced.at(-1)).toEqual({ tenant: office.tenant.id, event: "paymentAccount", uuids: [id] });
});

test("a hold over another takes its place", async () => {
  const { hold } = await scene();
  await hold(1);
  expect(await hold(2, { amount: "100.00", reason: "Reduced" })).toMatchObject({
    hold_amount: "100.00",
    hold_reason: "Reduced",
    payable: "900.00",
  });
});

test("a hold ends by itself on its date, and the history says that nobody did it", async () => {
  const { office, id, hold, history } = await scene();
  const until = new Date(Date.now() + 86_400_000).toISOString();
  expect((await hold(1, { until })).hold_until).toBe(until);
  expect(await endHolds(office.deps, office.tenant.id, 10)).toEqual([]);
  await db.owner.query("update payment_accounts set hold_until = now() - interval '1 second' where tenant_id = $1", [office.tenant.id]);
  expect(await endHolds(office.deps, office.tenant.id, 10)).toEqual([id]);
  expect((await history())[0]).toMatchObject({
    act: "payment-account.release",
    by: "system",
    changes: { hold_amount: { before: "400.00", after: "0.00" } },
  });
  expect(office.announced.at(-1)).toEqual({ tenant: office.tenant.id, event: "paymentAccount", uuids: [id] });
  expect(await endHolds(office.deps, office.tenant.id, 10)).toEqual([]);
});

test("a date in the past, and an amount beyond measure, are refused by field", async () => {
  const { hold } = await scene();
  await expect(hold(1, { until: "2026-05-03T04:00:00.000Z" })).rejects.toMatchObject({ detail: { until: ["Must be in the future"] } });
  await expect(hold(1, { amount: "25000000000000.00" })).rejects.toMatchObject({
    detail: { amount: ["Must be below 25,000,000,000,000"] },
  });
});

test("there is nothing to release without a hold", async () => {
  const { release } = await scene();
  await expect(release(1)).rejects.toMatchObject({ code: "not-found" });
});
