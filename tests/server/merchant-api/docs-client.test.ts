import { afterAll, beforeAll, expect, test } from "vitest";
import { createDispatcher } from "../../../src/server/outbox/dispatch.ts";
import { depositHandlers } from "../../../src/server/payments/deposits.ts";
import { withdrawalHandlers } from "../../../src/server/payments/withdrawals.ts";
import { testDatabase } from "../../support/database.ts";
import { docsClient, docsReceiver } from "../../support/docs-client.ts";
import { makeAccount, makeGroup } from "../../support/factories.ts";
import { serve } from "../../support/http.ts";
import type { Served } from "../../support/http.ts";
import { makeSigningMerchant } from "../../support/merchants.ts";
import type { SigningMerchant } from "../../support/merchants.ts";
import { body, makeOffice, only } from "../../support/payments.ts";
import type { Office } from "../../support/payments.ts";
import { uniquePng } from "../../support/receipts.ts";
import { depositOf, withdrawalOf } from "../../support/signed.ts";

const db = testDatabase();
let served: Served;
let office: Office;
let merchant: SigningMerchant;
let receiver: Awaited<ReturnType<typeof docsReceiver>>;
let client: ReturnType<typeof docsClient>;
beforeAll(async () => {
  served = await serve(db, { listen: true });
  office = await makeOffice(db, { settings: { loopback_callbacks: true, recall_seconds: 0 } });
  receiver = await docsReceiver(() => merchant.secret);
  merchant = await makeSigningMerchant(db, served.deps, office.tenant, { wallet: "1000", callback_url: receiver.url });
  await makeGroup(db, office.tenant, [await makeAccount(db, office.tenant)], [merchant]);
  client = docsClient(served.url ?? "", merchant.apiKey, merchant.secret);
});
afterAll(async () => {
  await served.app.close();
  receiver.close();
});

async function deliver(): Promise<void> {
  const dispatcher = createDispatcher(served.deps);
  await dispatcher.round();
  await dispatcher.idle();
  await dispatcher.stop();
}
const refOf = async (uuid: string) => {
  const { rows } = await db.owner.query<{ version: number }>("select version from transactions where id = $1", [uuid]);
  return { uuid, version: rows[0]?.version ?? 0 };
};

test("an integration written from /docs alone creates, reports paid with a receipt, reads, and verifies its callbacks", async () => {
  const since = "2026-01-01T00:00:00Z";
  expect(await client.testCallback()).toMatchObject({ status: 200, data: { delivered: true, status: 204 } });

  const { data = {} } = await client.deposit(depositOf("ORDER-1"));
  const { uuid } = data["transaction"] as { uuid: string }; // as /docs says
  expect(await client.deposit(depositOf("ORDER-1"))).toMatchObject({ status: 409, code: "merchant.number-taken" });
  expect(await client.paid(uuid, "BANK-77")).toMatchObject({ status: 200, data: { status: "process", reference_no: "BANK-77" } });
  expect(await client.receipt(uuid, uniquePng(), "image/png")).toMatchObject({ status: 200, data: { uuid, status: "process" } });
  const caughtUp = await client.changes(null, since);
  expect(caughtUp.data).toMatchObject([{ merchant_txn_no: "ORDER-1", status: "process" }]);

  only(await depositHandlers.approveDeposits(office.call(), body({ rows: [{ ...(await refOf(uuid)), claim: true }] })));
  await deliver();
  expect(await client.read(uuid)).toMatchObject({ data: { status: "completed", credited: "120.00" } });

  const withdrawn = await client.withdraw(withdrawalOf("PAY-1", { amount: "50.00" }));
  expect(await client.cancel(String(withdrawn.data?.["uuid"]))).toMatchObject({ status: 200, data: { status: "rejected" } });
  const refused = await client.withdraw(withdrawalOf("PAY-2", { amount: "60.00" }));
  const rejecting = { rows: [await refOf(String(refused.data?.["uuid"]))], reason: { code: "suspected-fraud" } };
  only(await withdrawalHandlers.rejectWithdrawals(office.call(), body(rejecting)));
  await deliver();

  expect(receiver.callbacks()).toMatchObject([
    { type: "test" },
    { type: "deposit.approved", data: { uuid, merchant_txn_no: "ORDER-1", amount: "120.00" } },
    { type: "withdrawal.rejected", data: { merchant_txn_no: "PAY-1", reject_reason: "merchant-asked" } },
    { type: "withdrawal.rejected", data: { merchant_txn_no: "PAY-2", reject_reason: "declined" } },
  ]);
  expect(receiver.forged()).toBe(0);
  const changed = await client.changes(caughtUp.meta?.next ?? null, since);
  expect((changed.data as unknown as { merchant_txn_no: string }[]).map((row) => row.merchant_txn_no)).toEqual([
    "ORDER-1",
    "PAY-1",
    "PAY-2",
  ]);
  expect(await client.balance()).toMatchObject({ data: { available: "1120.00", held: "0.00" } });
});
