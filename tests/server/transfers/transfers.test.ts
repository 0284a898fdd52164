import { expect, test } from "vitest";
import { testDatabase } from "../../support/database.ts";
import { makeAccount } from "../../support/factories.ts";
import { makeOffice } from "../../support/payments.ts";
import { transfersBy } from "../../support/transfers.ts";

const db = testDatabase();

test("a bank transfer waits with its money reserved, and moves it, charges apart, when it is confirmed", async () => {
  const office = await makeOffice(db);
  const [from, to] = [await makeAccount(db, office.tenant, { balance: "1000" }), await makeAccount(db, office.tenant, { balance: "0" })];
  const ann = transfersBy(office);
  const made = await ann.transfer(from, to, "600.00", { charges_value: "2.50" });
  expect(made).toMatchObject({ status: "pending", awaits: "confirmation", final_amount: "602.50", tier: 1 });
  expect(await office.balance("payment-account", from.id)).toBe("1000.00");
  await expect(ann.transfer(from, to, "397.51")).rejects.toMatchObject({
    code: "payment-account.insufficient",
    detail: { source: ["Only 397.50 is payable, 397.51 is needed"] },
  });
  const approved = await ann.approve(made);
  expect(approved).toMatchObject({ status: "approved", awaits: null, previous_balance: "1000.00", version: 2 });
  expect(await office.balance("payment-account", from.id)).toBe("397.50");
  expect(await office.balance("payment-account", to.id)).toBe("600.00");
  expect(await office.balance("bank-charges")).toBe("2.50");
  const { money, sides, history } = await ann.read(made);
  expect(money).toEqual([
    { account: "payment-account", label: from.code, before: "1000.00", change: "-602.50", after: "397.50" },
    { account: "payment-account", label: to.code, before: "0.00", change: "600.00", after: "600.00" },
    { account: "bank-charges", label: "", before: "0.00", change: "2.50", after: "2.50" },
  ]);
  expect(sides.map(({ side, line }) => [side, line])).toEqual([
    ["source", null],
    ["target", null],
  ]);
  expect(history.map(({ act }) => act)).toEqual(["transfer.approve", "transfer.create"]);
});
