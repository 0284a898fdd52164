import { describe, expect, test } from "vitest";
import { createBankPage } from "../../../src/console/screens/withdrawals/bank-page/bank-page.ts";
import { setAmountDecimals } from "../../../src/console/kit/look/amounts.ts";
import type { Services } from "../../../src/console/kit/commands/services.ts";
import { aWithdrawal } from "./rows.ts";

const one = aWithdrawal({ amount: "14850.50" });
const other = aWithdrawal({ uuid: "44444444-4444-4444-8444-444444444444", amount: "20.00" });

function opened(refused = false) {
  const copied: string[] = [];
  const said: unknown[] = [];
  const services: Pick<Services, "copy"> = {
    copy: (text, what) => {
      if (!refused) copied.push(text);
      said.push(what);
      return Promise.resolve(!refused);
    },
  };
  return { page: createBankPage(services), copied, said };
}

describe("copying for a bank's page", () => {
  test("one key again and again: amount, payee, account, reference, and the amount anew", async () => {
    const { page, copied } = opened();
    for (let press = 0; press < 5; press++) await page.desk.copyNext(one);
    expect(copied).toEqual(["14850.50", "NOR HIDAYAH", "114022074821", "W2611210004821", "14850.50"]);
  });

  test("the field copied last is marked, and named with its place and the next one", async () => {
    const { page, said } = opened();
    await page.desk.copyNext(one);
    await page.desk.copyNext(one);
    expect(page.store.getState().copied).toEqual({ uuid: one.uuid, field: "name" });
    expect(said[1]).toMatchObject({ key: "withdrawal.said.copied-field", words: { at: 2, of: 4, text: "NOR HIDAYAH" } });
  });

  test("another row begins anew, and so does a row come back to", async () => {
    const { page, copied } = opened();
    await page.desk.copyNext(one);
    await page.desk.copyNext(other);
    expect(copied).toEqual(["14850.50", "20.00"]);
    page.came(one.uuid);
    expect(page.store.getState().copied).toBeNull();
    await page.desk.copyNext(one);
    page.came(one.uuid);
    await page.desk.copyNext(one);
    expect(copied.slice(2)).toEqual(["14850.50", "NOR HIDAYAH"]);
  });

  test("what the browser refused to copy is not marked", async () => {
    const { page } = opened(true);
    await page.desk.copyNext(one);
    expect(page.store.getState().copied).toBeNull();
  });

  test("an amount has the currency's decimals and no marks between thousands", async () => {
    const { page, copied } = opened();
    setAmountDecimals(0);
    await page.desk.copyNext(aWithdrawal({ currency: "VND", amount: "4850000.00" }));
    setAmountDecimals(2);
    expect(copied).toEqual(["4850000"]);
  });
});

test("a slip is compared with the record it was pasted on, and the next one opens empty", () => {
  const { page } = opened();
  page.given("Amount: 20.00");
  page.desk.openSlip(other);
  expect(page.store.getState().slip).toEqual({ row: other, text: "Amount: 20.00" });
  page.closeSlip();
  page.desk.openSlip(one);
  expect(page.store.getState().slip).toEqual({ row: one, text: "" });
});
