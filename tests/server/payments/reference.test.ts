import { beforeEach, expect, test } from "vitest";
import { withdrawalHandlers } from "../../../src/server/payments/withdrawals.ts";
import { testDatabase } from "../../support/database.ts";
import { makeAccount, makeGroup, makeMerchant } from "../../support/factories.ts";
import type { Merchant } from "../../support/factories.ts";
import { body, done, makeOffice, only } from "../../support/payments.ts";
import type { Office } from "../../support/payments.ts";

const db = testDatabase();
let office: Office;
let merchant: Merchant;
beforeEach(async () => {
  office = await makeOffice(db);
  merchant = await makeMerchant(db, office.tenant, { wallet: "100000" });
  await makeGroup(db, office.tenant, [await makeAccount(db, office.tenant, { balance: "100000" })], [merchant]);
});

type Ref = { readonly uuid: string; readonly version: number };
const refer = async ({ uuid, version }: Ref, reference_no: string, more: { again?: true } = {}, by = office.ann) =>
  (
    await withdrawalHandlers.referWithdrawal(office.call(by), {
      params: { uuid },
      query: undefined,
      body: { version, reference_no, ...more },
    })
  ).data;
const approve = async ({ uuid, version }: Ref) =>
  done(only(await withdrawalHandlers.approveWithdrawals(office.call(), body({ rows: [{ uuid, version }] }))));

test("the slip's number is kept before the approval, which leaves it, and is in the audit", async () => {
  const referred = await refer(await office.claimed(merchant), "FT24110001");
  expect(referred).toMatchObject({ reference_no: "FT24110001", status: "process" });
  expect(await approve(referred)).toMatchObject({ reference_no: "FT24110001", status: "approved" });
  const { rows } = await db.owner.query("select before, after from audit_entries where tenant_id = $1 and act = 'withdrawal.refer'", [
    office.tenant.id,
  ]);
  expect(rows).toEqual([{ before: { reference_no: null }, after: { reference_no: "FT24110001" } }]);
});

test("one approved already takes it, too", async () => {
  expect(await refer(await approve(await office.claimed(merchant)), "FT24110002")).toMatchObject({
    reference_no: "FT24110002",
    status: "approved",
  });
});

test("a number another withdrawal has is refused with its number, unless it is asked for", async () => {
  const first = await refer(await office.claimed(merchant), "FT24110003");
  const second = await office.claimed(merchant);
  await expect(refer(second, "FT24110003")).rejects.toMatchObject({
    code: "withdrawal.reference-used",
    detail: { txn_no: first.txn_no },
  });
  expect(await refer(second, "FT24110003", { again: true })).toMatchObject({ reference_no: "FT24110003" });
});

test("nobody's, another's, a rejected one and a changed one take none", async () => {
  const { id, version } = await office.withdraw(merchant);
  await expect(refer({ uuid: id, version }, "X1")).rejects.toMatchObject({ code: "withdrawal.not-process" });
  const held = await office.claimed(merchant, {}, office.ben);
  await expect(refer(held, "X2")).rejects.toMatchObject({ code: "withdrawal.claimed" });
  const mine = await office.claimed(merchant);
  await expect(refer({ ...mine, version: mine.version + 1 }, "X3")).rejects.toMatchObject({ code: "transaction.stale" });
  const reason = { code: "duplicate" };
  const rejected = done(
    only(await withdrawalHandlers.rejectWithdrawals(office.call(), body({ rows: [{ uuid: mine.uuid, version: mine.version }], reason }))),
  );
  await expect(refer(rejected, "X4")).rejects.toMatchObject({ code: "withdrawal.not-open" });
});
