import { describe, expect, test } from "vitest";
import { transferHandlers } from "../../../src/server/transfers/transfers.ts";
import { testDatabase } from "../../support/database.ts";
import { makeAccount, makeMerchant } from "../../support/factories.ts";
import { body, makeOffice, only } from "../../support/payments.ts";
import { ref, transfersBy } from "../../support/transfers.ts";

const db = testDatabase();

async function scene() {
  const office = await makeOffice(db, {
    settings: { recall_seconds: 60, tiers: { MYR: { confirm_from: "1000.00", second_from: "5000.00" } } },
  });
  const from = await makeAccount(db, office.tenant, { balance: "20000" });
  const to = await makeAccount(db, office.tenant, { balance: "0" });
  const merchant = await makeMerchant(db, office.tenant, { wallet: "20000" });
  return { office, from, to, merchant, ann: transfersBy(office), ben: transfersBy(office, office.ben) };
}
type Scene = Awaited<ReturnType<typeof scene>>;

const large: [string, (at: Scene) => Promise<Parameters<Scene["ann"]["approve"]>[0]>][] = [
  ["a bank transfer", ({ ann, from, to }) => ann.transfer(from, to, "5000.00")],
  ["a manual transfer", ({ ann, from, to }) => ann.manual(from, to, "5000.00")],
  ["a wallet adjustment", ({ ann, merchant }) => ann.adjust(merchant, "5000.00", { direction: "debit" })],
  ["a settlement", ({ ann, merchant, from }) => ann.settle(merchant, from, "5000.00")],
  ["a cash-out", ({ ann, merchant }) => ann.cashOut(merchant, "5000.00")],
];

test.each(large)("%s from the tier on waits for a second person, who is not its maker, and then is posted", async (_, make) => {
  const at = await scene();
  const { office, ann, ben, from } = at;
  const balances = async () => [await office.balance("payment-account", from.id), await office.balance("adjustment")];
  const before = await balances();
  const made = await make(at);
  expect(made).toMatchObject({ status: "pending", awaits: "second", tier: 3, first_approved_by: { name: "Ann Lim" } });
  expect(await balances()).toEqual(before);
  expect(await ann.trySecond(made)).toMatchObject({ problem: { code: "transfer.second-same-person" } });
  expect(await ben.tryApprove(made)).toMatchObject({ problem: { code: "transfer.second-needed" } });
  expect(await ben.second(made)).toMatchObject({
    status: "approved",
    approved_by: { name: "Ben Ooi" },
    first_approved_by: { name: "Ann Lim" },
  });
});

test("the second person rejects what waits for them without the right to reject, and nothing else", async () => {
  const { office, ann, from, to, merchant } = await scene();
  const permissions = ["pas.transaction.transfers.second-approve"] as const;
  const by = async (person: typeof office.ben, made: Parameters<typeof ref>[0]) =>
    only(await transferHandlers.rejectTransfers(office.call(person, { permissions }), body({ rows: [ref(made)], reason: "Not agreed" })));
  expect(await by(office.ben, await ann.transfer(from, to, "100.00"))).toMatchObject({
    problem: { code: "transfer.second-not-awaited" },
  });
  const waits = await ann.settle(merchant, from, "5000.00");
  expect(await by(office.ann, waits)).toMatchObject({ problem: { code: "transfer.second-same-person" } });
  expect(await by(office.ben, waits)).toMatchObject({ done: true, row: { status: "rejected" } });
});

test("below the tier nothing waits for a second person", async () => {
  const { ann, ben, merchant, from, to } = await scene();
  expect((await ann.adjust(merchant, "4999.99")).status).toBe("approved");
  const made = await ann.transfer(from, to, "4999.99");
  expect(made.awaits).toBe("confirmation");
  expect(await ben.trySecond(made)).toMatchObject({ problem: { code: "transfer.second-not-awaited" } });
});

test("the amount must be read before tiers 2 and 3 are approved", async () => {
  const { office, ann, ben, from, to } = await scene();
  const second = await ann.transfer(from, to, "1000.00");
  const act = (rows: object[]) => transferHandlers.approveTransfers(office.call(), body({ rows: rows as never })); // of the route's shape
  expect(only(await act([ref(second)]))).toMatchObject({
    problem: { code: "transfer.confirm-needed", data: { tier: 2, amount: "1000.00" } },
  });
  expect(only(await act([{ ...ref(second), confirmed: { amount: "100.00" } }]))).toMatchObject({
    problem: { code: "transfer.confirm-needed" },
  });
  expect((await ann.approve(second)).status).toBe("approved");
  const third = await ann.transfer(from, to, "5000.00");
  const bare = await transferHandlers.secondApproveTransfers(office.call(office.ben), body({ rows: [ref(third)] }));
  expect(only(bare)).toMatchObject({ problem: { code: "transfer.confirm-needed", data: { tier: 3 } } });
  expect((await ben.second(third)).status).toBe("approved");
});

describe("handed back", () => {
  test("it needs both approvals anew, by two people, with the reason on record", async () => {
    const { ann, ben, from, to } = await scene();
    const back = await ben.handBack(await ann.transfer(from, to, "5000.00"), "Which invoice?");
    expect(back).toMatchObject({ status: "pending", awaits: "first", first_approved_by: null, last_action_by: { name: "Ben Ooi" } });
    expect((await ann.read(back)).history[0]).toMatchObject({ act: "transfer.hand-back", reason: "Which invoice?", by: "Ben Ooi" });
    expect(await ann.trySecond(back)).toMatchObject({ problem: { code: "transfer.second-not-awaited" } });
    const first = await ben.approve(back);
    expect(first).toMatchObject({ status: "pending", awaits: "second", first_approved_by: { name: "Ben Ooi" } });
    expect(await ben.trySecond(first)).toMatchObject({ problem: { code: "transfer.second-same-person" } });
    expect((await ann.second(first)).status).toBe("approved");
  });

  test("its maker may take it back", async () => {
    const { ann, ben, merchant } = await scene();
    expect((await ann.recall(await ben.handBack(await ann.adjust(merchant, "5000.00")))).status).toBe("rejected");
  });
});

test("a recalled second approval waits for the second person again, with what it holds", async () => {
  const { office, ann, ben, merchant, from } = await scene();
  const made = await ben.second(await ann.settle(merchant, from, "5000.00"));
  const back = await ben.recall(made);
  expect(back).toMatchObject({ status: "pending", awaits: "second", first_approved_by: { name: "Ann Lim" } });
  expect(await office.balance("hold", merchant.id)).toBe("5000.00");
  expect((await ben.second(back)).status).toBe("approved");
  expect(await office.balance("hold", merchant.id)).toBe("0.00");
});
