import { describe, expect, test } from "vitest";
import type { Check } from "../../../src/contract/transactions.ts";
import type { Withdrawal } from "../../../src/contract/withdrawals.ts";
import { nameLikeness } from "../../../src/server/payments/names.ts";
import { withdrawalHandlers as act } from "../../../src/server/payments/withdrawals.ts";
import { testDatabase } from "../../support/database.ts";
import { makeAccount, makeMerchant, makeRateGroup } from "../../support/factories.ts";
import { body, makeOffice } from "../../support/payments.ts";
import type { Office } from "../../support/payments.ts";

const db = testDatabase();

const detail = async (office: Office, { uuid }: { uuid: string }) =>
  (await act.readWithdrawal(office.call(), { params: { uuid }, query: undefined, body: undefined })).data;
const approve = (office: Office, { uuid, version, amount, holder }: Withdrawal, more: { payment_account?: string } = {}) =>
  act.approveWithdrawals(office.call(), body({ rows: [{ uuid, version, confirmed: { amount, holder }, ...more }] }));
const check = (checks: readonly Check[], name: Check["name"]) => checks.find((one) => one.name === name);

test("the record shows each account with why it may not pay, and suggests the best that may", async () => {
  const office = await makeOffice(db);
  const merchant = await makeMerchant(db, office.tenant, { wallet: "9000", withdrawal_rate: "1" });
  const make = (code: string, columns = {}) => makeAccount(db, office.tenant, { code, balance: "5000", ...columns });
  await make("A-BACKUP", { type: "backup" });
  await make("B-ATM", { type: "atm" });
  await make("C-FULL", { withdrawal_daily_limit: "100" });
  const used = await make("D-USED", { charges_value: "2" });
  await make("E-FRESH", { hold_amount: "1000", reserve_amount: "500" });
  await make("F-OFF", { status: "inactive" });
  await approve(office, await office.claimed(merchant, { amount: "50.00", account_number: "99999" }), { payment_account: used.id });
  const row = await office.claimed(merchant);
  const { accounts, checks, money } = await detail(office, row);
  expect(accounts.map(({ code, suggested, unfit }) => [code, suggested, unfit?.code ?? null])).toEqual([
    ["C-FULL", false, "daily"],
    ["E-FRESH", true, null],
    ["F-OFF", false, "inactive"],
    ["D-USED", false, null],
    ["B-ATM", false, null],
    ["A-BACKUP", false, null],
  ]);
  expect(accounts.find(({ suggested }) => suggested)).toMatchObject({
    payable: "3500.00",
    balance: "5000.00",
    balance_after: "4500.00",
    daily_used: "0.00",
  });
  expect(check(checks, "account-balance")).toEqual({
    name: "account-balance",
    result: "pass",
    values: { account: "E-FRESH", payable: "3500.00", needed: "500.00", after: "3000.00" },
  });
  expect(money).toEqual([
    { account: "hold", label: expect.any(String), before: "505.00", change: "-505.00", after: "0.00" },
    { account: "payment-account", label: "E-FRESH", before: "5000.00", change: "-500.00", after: "4500.00" },
    { account: "fee-income", label: money[0]?.label, before: "0.50", change: "5.00", after: "5.50" },
  ]);
});

test("what a decision moved can be read afterwards, entry by entry", async () => {
  const office = await makeOffice(db, { settings: { recall_seconds: 60 } });
  const merchant = await makeMerchant(db, office.tenant, { wallet: "9000", withdrawal_rate: "1" });
  await makeAccount(db, office.tenant, { code: "PAID", charges_value: "2" });
  const row = await office.claimed(merchant);
  await approve(office, row);
  const { money, callback, checks, accounts } = await detail(office, row);
  expect(money.map(({ account, change }) => [account, change])).toEqual([
    ["hold", "-505.00"],
    ["payment-account", "-502.00"],
    ["fee-income", "5.00"],
    ["bank-charges", "2.00"],
  ]);
  expect(callback).toMatchObject({ state: "held", attempts: 0 });
  expect([checks, accounts]).toEqual([[], []]);
});

test("the same payee and amount within 24 hours warns and names the twin; a rejected twin does not", async () => {
  const office = await makeOffice(db);
  const merchant = await makeMerchant(db, office.tenant, { wallet: "9000" });
  await makeAccount(db, office.tenant);
  const payee = { account_number: "5551234", amount: "100.00" };
  const first = await office.claimed(merchant, payee);
  const second = await office.claimed(merchant, payee);
  await office.claimed(merchant, { ...payee, amount: "100.01" });
  const read = await detail(office, second);
  expect(check(read.checks, "same-payee")).toEqual({
    name: "same-payee",
    result: "warn",
    values: { count: "1", txn_no: first.txn_no, hours: "24" },
  });
  expect(read.row).toMatchObject({ tier: 2, flags: expect.arrayContaining(["duplicate"]) });
  expect(read.payee_open.map(({ txn_no }) => txn_no)).toContain(first.txn_no);
  await act.rejectWithdrawals(office.call(), body({ rows: [{ uuid: first.uuid, version: first.version }], reason: { code: "duplicate" } }));
  expect(check((await detail(office, second)).checks, "same-payee")?.result).toBe("pass");
});

test("a first payee is marked, and warns only from the amount that needs confirming", async () => {
  const office = await makeOffice(db, { settings: { tiers: { MYR: { confirm_from: "300.00", second_from: "900.00" } } } });
  const merchant = await makeMerchant(db, office.tenant, { wallet: "9000" });
  await makeAccount(db, office.tenant);
  const small = await office.claimed(merchant, { account_number: "111111", amount: "299.99" });
  expect(small).toMatchObject({ tier: 1, flags: ["first-payee"] });
  const large = await office.claimed(merchant, { account_number: "222222", amount: "300.00" });
  expect(large).toMatchObject({ tier: 3, flags: ["first-payee"] });
  await approve(office, small);
  const known = await office.claimed(merchant, { account_number: "111111", amount: "300.00" });
  expect(known).toMatchObject({ tier: 2, flags: [] });
});

test("a customer's rate limit fails the check with its numbers, and blocks the approval", async () => {
  const office = await makeOffice(db);
  const merchant = await makeMerchant(db, office.tenant, { wallet: "9000" });
  const rate = await makeRateGroup(db, office.tenant, { member_window_minutes: 60, member_max_count: 2 });
  await makeAccount(db, office.tenant, { rate_limit_group_id: rate });
  const rows = [];
  for (let n = 0; n < 3; n++)
    rows.push(await office.claimed(merchant, { member: "BUSY", amount: `${n + 1}00.00`, account_number: `6${n}0000` }));
  // two earlier ones are open, and go first
  const [, , row] = rows as [Withdrawal, Withdrawal, Withdrawal];
  const read = await detail(office, row);
  expect(check(read.checks, "rate-member")).toMatchObject({ result: "fail", values: { count: "3", max_count: "2", minutes: "60" } });
  expect(read.row.flags).toContain("limit");
  const { data } = await approve(office, row);
  expect(data.outcomes[0]).toMatchObject({ problem: { code: "payment-account.unfit" } });
});

test("a customer's last five and total are theirs alone", async () => {
  const office = await makeOffice(db);
  const merchant = await makeMerchant(db, office.tenant, { wallet: "9000" });
  await makeAccount(db, office.tenant);
  for (let n = 0; n < 7; n++) {
    const row = await office.claimed(merchant, { member: "REGULAR", amount: `${n + 1}.00`, account_number: "7770000" });
    if (n < 6) await approve(office, row);
  }
  await approve(office, await office.claimed(merchant, { member: "OTHER", amount: "90.00", account_number: "8880000" }));
  const { data } = await act.listWithdrawals(office.call(), {
    query: { view: "process", direction: "next", limit: 10 },
    params: undefined,
    body: undefined,
  });
  const read = await detail(office, data[0] as Withdrawal); // the seventh
  expect(read.customer_last.map(({ amount }) => amount)).toEqual(["6.00", "5.00", "4.00", "3.00", "2.00"]);
  expect(read.customer_total).toEqual({ count: 6, amount: "21.00" });
});

describe("names", () => {
  const cases: [string, string, (likeness: number) => boolean][] = [
    ["Tan Wei Ming", "TAN WEI MING", (n) => n === 100],
    ["Tan Wei Ming", "WEI MING TAN", (n) => n === 100],
    ["Nguyễn Văn An", "NGUYEN VAN AN", (n) => n === 100],
    ["José María", "Jose Maria", (n) => n === 100],
    ["陈伟明", "陈伟明", (n) => n === 100],
    ["Tan Wei-Ming", "TAN WEIMING", (n) => n === 100],
    ["Muhammad Faizal bin Rahman", "MUHAMMAD FAIZAL BIN RAHM", (n) => n >= 90],
    ["Tan Wei Ming", "TAN W M", (n) => n >= 70],
    ["Tan Wei Ming", "SITI AMINAH", (n) => n < 30],
    ["Tan Wei Ming", "TAN AH KOW", (n) => n < 70],
    ["Tan Wei Ming", "", (n) => n === 0],
  ];
  test.each(cases)("%s and %s", (left, right, holds) => {
    const likeness = nameLikeness(left, right);
    expect([likeness, holds(likeness)]).toEqual([likeness, true]);
    expect(nameLikeness(right, left)).toBe(likeness);
  });
});
