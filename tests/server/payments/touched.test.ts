import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { randomUUID } from "node:crypto";
import { bankTransactionHandlers as bank } from "../../../src/server/bank-lines/bank-lines.ts";
import { depositHandlers as deposits } from "../../../src/server/payments/deposits.ts";
import { expireDue } from "../../../src/server/payments/lapses.ts";
import { withdrawalHandlers as withdrawals } from "../../../src/server/payments/withdrawals.ts";
import { asMerchant } from "../../support/contenders.ts";
import { testDatabase } from "../../support/database.ts";
import type { Account } from "../../support/factories.ts";
import { makeAccount, makeGroup } from "../../support/factories.ts";
import type { Served } from "../../support/http.ts";
import { serve } from "../../support/http.ts";
import type { SigningMerchant } from "../../support/merchants.ts";
import { makeSigningMerchant } from "../../support/merchants.ts";
import { body, makeOffice, only } from "../../support/payments.ts";
import type { Office } from "../../support/payments.ts";

const db = testDatabase();
let served: Served;
let office: Office;
let merchant: SigningMerchant;
let account: Account;
beforeAll(async () => {
  served = await serve(db);
});
afterAll(() => served.app.close());
beforeEach(async () => {
  office = await makeOffice(db, { settings: { recall_seconds: 60 } });
  merchant = await makeSigningMerchant(db, office.deps, office.tenant, { wallet: "100000" });
  account = await makeAccount(db, office.tenant, {});
  await makeGroup(db, office.tenant, [account], [merchant]);
});

/** How often the account was announced by what `work` does. */
async function announcedBy(
  work: () => Promise<unknown>,
  published: readonly { event: string; uuids: readonly string[] }[] = office.announced,
) {
  const before = published.length;
  await work();
  return published.slice(before).filter(({ event, uuids }) => event === "paymentAccount" && uuids.includes(account.id)).length;
}
const ref = ({ uuid, version }: { uuid: string; version: number }) => body({ rows: [{ uuid, version }] });

test("an account is announced when a merchant's deposit reserves its limits, and when a refused one did not", async () => {
  const make = (amount: string) => asMerchant(served, merchant, "createDeposit", amount);
  expect(await announcedBy(() => make("100.00"), served.published)).toBe(1);
  await db.owner.query("update payment_accounts set deposit_maximum = 50 where id = $1", [account.id]);
  expect(await announcedBy(() => make("100.00"), served.published)).toBe(0);
});

test("it is announced when a deposit on it is entered by hand, rejected, expires, and when it is reopened", async () => {
  const form = { merchant: merchant.id, payment_account: account.id, amount: "100.00", member: "M1", customer_name: "Tan Wei Ming" };
  expect(await announcedBy(() => deposits.createManualDeposit(office.call(), body(form)))).toBe(1);
  const rejected = await office.paid(merchant);
  const reason = { code: "duplicate" };
  expect(await announcedBy(() => deposits.rejectDeposits(office.call(), body({ ...ref(rejected).body, reason })))).toBe(1);
  const { id: uuid } = await office.deposit(merchant);
  await db.owner.query("update transactions set expires_at = now() where id = $1", [uuid]);
  expect(await announcedBy(() => expireDue(office.deps, office.tenant.id, 10))).toBe(1);
  const { rows } = await db.owner.query<{ version: number }>("select version from transactions where id = $1", [uuid]);
  const again = body({ rows: [{ uuid, version: rows[0]?.version ?? 0 }], reason: "late" });
  expect(await announcedBy(() => deposits.reopenDeposits(office.call(), again))).toBe(1);
});

test("it is announced when a withdrawal is paid from it and when that is recalled, not when one is only claimed", async () => {
  const { id: uuid, version } = await office.withdraw(merchant);
  expect(await announcedBy(() => withdrawals.claimWithdrawals(office.call(), ref({ uuid, version })))).toBe(0);
  const claimed = await office.claimed(merchant);
  const approve = () => withdrawals.approveWithdrawals(office.call(), ref(claimed)).then(only);
  let paid: Awaited<ReturnType<typeof approve>> | undefined;
  expect(await announcedBy(async () => (paid = await approve()))).toBe(1);
  if (!paid?.done) throw new Error("it is paid");
  const { row } = paid;
  expect(await announcedBy(() => withdrawals.recallWithdrawals(office.call(), ref(row)))).toBe(1);
});

test("it is announced when a deposit on it is credited, and when a line of its bank comes", async () => {
  const taken = await office.paid(merchant);
  expect(await announcedBy(() => office.credit(taken))).toBe(1);
  const line = {
    payment_account: account.id,
    time: new Date().toISOString(),
    direction: "credit" as const,
    amount: "10.00",
    description: randomUUID(),
    reference: "",
    counterparty: "",
    counterparty_account: "",
  };
  expect(await announcedBy(() => bank.createBankLine(office.call(), body(line)))).toBe(1);
});
