import { expect, test } from "vitest";
import type { Withdrawal } from "../../../src/contract/withdrawals.ts";
import { withdrawalHandlers as act } from "../../../src/server/payments/withdrawals.ts";
import { testDatabase } from "../../support/database.ts";
import { makeAccount, makeMerchant } from "../../support/factories.ts";
import { body, makeOffice, only, refusals } from "../../support/payments.ts";
import type { Office } from "../../support/payments.ts";

const db = testDatabase();

const ref = ({ uuid, version }: Withdrawal) => ({ uuid, version });
const sure = ({ amount, holder }: Withdrawal) => ({ confirmed: { amount, holder } });
const rowOf = <P>(outcome: { done: true; row: Withdrawal } | { done: false; problem: P }): Withdrawal => {
  if (!outcome.done) throw new Error(JSON.stringify(outcome.problem));
  return outcome.row;
};
const handBack = async (office: Office, row: Withdrawal, person = office.ben) =>
  only(await act.handBackWithdrawals(office.call(person), body({ rows: [ref(row)], reason: "Ask the customer first" })));

/** One of 60,000.00 that Ann has approved first. */
async function scene() {
  const office = await makeOffice(db, { settings: { recall_seconds: 60 } });
  const merchant = await makeMerchant(db, office.tenant, { wallet: "200000" });
  await makeAccount(db, office.tenant);
  const claimed = await office.claimed(merchant, { amount: "60000.00" });
  const first = rowOf(only(await act.approveWithdrawals(office.call(), body({ rows: [{ ...ref(claimed), ...sure(claimed) }] }))));
  return { office, merchant, first };
}

test("a first approval handed back waits in the queue again, free and with the reason on record, and no money has moved", async () => {
  const { office, merchant, first } = await scene();
  expect(first).toMatchObject({ status: "process", first_approved_by: { name: "Ann Lim" }, claim: null });
  const back = rowOf(await handBack(office, first));
  expect(back).toMatchObject({ status: "pending", first_approved_by: null, claim: null, version: first.version + 1 });
  expect(back.flags).toContain("returned");
  expect(await office.balance("hold", merchant.id)).toBe("60000.00");
  const { data } = await act.readWithdrawal(office.call(), { params: { uuid: back.uuid }, query: undefined, body: undefined });
  expect(data.history.at(-1)).toMatchObject({ act: "hand-back", by: "Ben Ooi", reason: "Ask the customer first", from_status: "process" });
  const { rows } = await db.owner.query("select act, actor_name, reason from audit_entries where entity_id = $1 order by id desc limit 1", [
    back.uuid,
  ]);
  expect(rows).toEqual([{ act: "withdrawal.hand-back", actor_name: "Ben Ooi", reason: "Ask the customer first" }]);
  expect(office.announced.at(-1)).toEqual({ tenant: office.tenant.id, event: "withdraw", uuids: [back.uuid] });
  // anybody may take it, and it needs both persons again
  const again = rowOf(only(await act.claimWithdrawals(office.call(office.ben), body({ rows: [ref(back)] }))));
  const second = rowOf(only(await act.approveWithdrawals(office.call(office.ben), body({ rows: [{ ...ref(again), ...sure(again) }] }))));
  expect(second).toMatchObject({ status: "process", first_approved_by: { name: "Ben Ooi" } });
  expect(rowOf(only(await act.secondApproveWithdrawals(office.call(), body({ rows: [{ ...ref(second), ...sure(second) }] })))).status).toBe(
    "approved",
  );
});

test("only another person hands back, only what waits for a second one, and only as it was seen", async () => {
  const { office, merchant, first } = await scene();
  expect(await handBack(office, first, office.ann)).toMatchObject({ problem: { code: "withdrawal.second-same-person" } });
  expect(await handBack(office, { ...first, version: 1 })).toMatchObject({ problem: { code: "transaction.stale" } });
  const claimed = await office.claimed(merchant);
  expect(await handBack(office, claimed)).toMatchObject({ problem: { code: "withdrawal.second-not-awaited" } });
  const paid = rowOf(
    only(await act.secondApproveWithdrawals(office.call(office.ben), body({ rows: [{ ...ref(first), ...sure(first) }] }))),
  );
  expect(await handBack(office, paid)).toMatchObject({ problem: { code: "transaction.already-decided", status: 409 } });
});

test("the second person rejects what waits for them without the right to reject, and nothing else", async () => {
  const { office, merchant, first } = await scene();
  const permissions = ["pas.transaction.withdrawals.second-approve"] as const;
  const by = async (person: typeof office.ben, row: { uuid: string; version: number }) =>
    only(await act.rejectWithdrawals(office.call(person, { permissions }), body({ rows: [row], reason: { code: "duplicate" } })));
  const { id, version } = await office.withdraw(merchant);
  expect(await by(office.ben, { uuid: id, version })).toMatchObject({ problem: { code: "withdrawal.second-not-awaited" } });
  expect(await by(office.ann, ref(first))).toMatchObject({ problem: { code: "withdrawal.second-same-person" } });
  expect(rowOf(await by(office.ben, ref(first)))).toMatchObject({ status: "rejected", rejected_by: { name: "Ben Ooi" } });
  expect(await office.balance("hold", merchant.id)).toBe("500.00");
});

test("handed back and approved by two at once, one of them wins", async () => {
  const { office, merchant, first } = await scene();
  const cara = office.ben;
  const outcomes = await Promise.all([
    handBack(office, first, cara),
    act.secondApproveWithdrawals(office.call(office.ben), body({ rows: [{ ...ref(first), ...sure(first) }] })).then(only),
  ]);
  expect(outcomes.filter(({ done }) => done)).toHaveLength(1);
  expect(refusals(outcomes)).toHaveLength(1);
  const paid = outcomes[1]?.done === true;
  expect(await office.balance("hold", merchant.id)).toBe(paid ? "0.00" : "60000.00");
});

test("the second person is shown the account the first chose, and that it is critical", async () => {
  const office = await makeOffice(db, { settings: { recall_seconds: 60 } });
  const merchant = await makeMerchant(db, office.tenant, { wallet: "200000" });
  await makeAccount(db, office.tenant, { code: "FIRST" });
  const low = await makeAccount(db, office.tenant, { code: "LOW", type: "backup", threshold: "2000000" });
  await db.owner.query("update payment_accounts set critical = true where id = $1", [low.id]);
  const claimed = await office.claimed(merchant, { amount: "60000.00" });
  expect(claimed.paying_account).toMatchObject({ code: "FIRST", critical: false });
  const first = rowOf(
    only(await act.approveWithdrawals(office.call(), body({ rows: [{ ...ref(claimed), ...sure(claimed), payment_account: low.id }] }))),
  );
  expect(first.paying_account).toMatchObject({ code: "LOW", critical: true });
  const { data } = await act.readWithdrawal(office.call(office.ben), { params: { uuid: first.uuid }, query: undefined, body: undefined });
  expect(data.accounts.filter(({ suggested }) => suggested)).toMatchObject([{ code: "LOW", critical: true }]);
  const paid = rowOf(
    only(await act.secondApproveWithdrawals(office.call(office.ben), body({ rows: [{ ...ref(first), ...sure(first) }] }))),
  );
  expect(paid.payment_account?.code).toBe("LOW");
});
