import { expect, test } from "vitest";
import { testDatabase } from "../../support/database.ts";
import { makeAccount, makeGroup, makeMerchant, makeRateGroup } from "../../support/factories.ts";
import { makeOffice, rejections } from "../../support/payments.ts";

const db = testDatabase({ pool: 24, patient: true });

test("a withdrawal holds amount and fee, and remembers the wallet before it", async () => {
  const office = await makeOffice(db);
  const merchant = await makeMerchant(db, office.tenant, { wallet: "1000", withdrawal_rate: "1" });
  const row = await office.withdraw(merchant, { amount: "500.00", account_number: "51-2345 6789" });
  expect(row).toMatchObject({
    status: "pending",
    fee: "5.0000",
    merchant_amount: "505.0000",
    previous_balance: "1000.0000",
    charges: "0.0000",
  });
  expect(row.account_number).toBe("5123456789");
  expect(row.txn_no).toMatch(/^W\d{6}\d{7}$/);
  expect([await office.balance("wallet", merchant.id), await office.balance("hold", merchant.id)]).toEqual(["495.00", "505.00"]);
});

test("a merchant that bears charges has the highest account's charges held at creation", async () => {
  const office = await makeOffice(db);
  const merchant = await makeMerchant(db, office.tenant, { wallet: "1000", withdrawal_rate: "1", charges_borne_by: "merchant" });
  await makeAccount(db, office.tenant, { charges_value: "2" });
  await makeAccount(db, office.tenant, { charges_type: "percent", charges_value: "1" });
  await makeAccount(db, office.tenant, { charges_value: "90", purpose: "deposit" });
  expect(await office.withdraw(merchant, { amount: "500.00" })).toMatchObject({ charges: "5.0000", merchant_amount: "510.0000" });
  expect(await office.balance("hold", merchant.id)).toBe("510.00");
});

test("the fee rounds half to even at the currency's minor unit", async () => {
  const office = await makeOffice(db);
  const merchant = await makeMerchant(db, office.tenant, { wallet: "1000", withdrawal_rate: "0.5" });
  const fees = [];
  for (const amount of ["1.00", "3.00", "5.00"]) fees.push((await office.withdraw(merchant, { amount })).fee);
  expect(fees).toEqual(["0.0000", "0.0200", "0.0200"]);
});

test("64 withdrawals at once for a wallet of 63 take exactly 63", async () => {
  const office = await makeOffice(db);
  const merchant = await makeMerchant(db, office.tenant, { wallet: "63" });
  const asked = await Promise.allSettled(Array.from({ length: 64 }, () => office.withdraw(merchant, { amount: "1.00" })));
  expect(rejections(asked)).toEqual(["merchant.insufficient-balance"]);
  expect([await office.balance("wallet", merchant.id), await office.balance("hold", merchant.id)]).toEqual(["0.00", "63.00"]);
});

test("a merchant's number is taken once, also when two use it at the same moment", async () => {
  const office = await makeOffice(db);
  const merchant = await makeMerchant(db, office.tenant, { wallet: "1000" });
  const asked = await Promise.allSettled(Array.from({ length: 4 }, () => office.withdraw(merchant, { merchant_txn_no: "SAME" })));
  expect(asked.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  expect(rejections(asked)).toEqual(Array(3).fill("merchant.number-taken"));
  expect(await office.balance("hold", merchant.id)).toBe("500.00");
});

test("amounts finer than the currency, other currencies and inactive merchants are refused", async () => {
  const office = await makeOffice(db);
  const merchant = await makeMerchant(db, office.tenant, { wallet: "1000" });
  await expect(office.withdraw(merchant, { amount: "1.005" })).rejects.toMatchObject({ code: "amount.too-precise" });
  await expect(office.withdraw(merchant, { amount: "0" })).rejects.toMatchObject({ code: "amount.not-positive" });
  await expect(office.withdraw(merchant, { currency: "USD" })).rejects.toMatchObject({ code: "currency.invalid" });
  const idle = await makeMerchant(db, office.tenant, { wallet: "1000", status: "suspended" });
  await expect(office.withdraw(idle)).rejects.toMatchObject({ code: "merchant.inactive" });
});

test("a withdrawal expires by the tenant's hours, by default never; a deposit by its minutes", async () => {
  const office = await makeOffice(db, { settings: { withdrawal_expiry_hours: 2, deposit_expiry_minutes: 7 } });
  const merchant = await makeMerchant(db, office.tenant, { wallet: "1000" });
  await makeGroup(db, office.tenant, [await makeAccount(db, office.tenant)], [merchant]);
  const [withdrawal, deposit] = [await office.withdraw(merchant), await office.deposit(merchant)];
  expect(Number(withdrawal.expires_at) - Number(withdrawal.created_at)).toBe(2 * 3_600_000);
  expect(Number(deposit.expires_at) - Number(deposit.created_at)).toBe(7 * 60_000);
  const usual = await makeOffice(db);
  expect((await usual.withdraw(await makeMerchant(db, usual.tenant, { wallet: "1000" }))).expires_at).toBeNull();
});

test("a deposit is shown an account of the merchant's groups: fit, normal before backup, least used first", async () => {
  const office = await makeOffice(db);
  const merchant = await makeMerchant(db, office.tenant);
  const make = (code: string, columns = {}) => makeAccount(db, office.tenant, { code, ...columns });
  await make("FOREIGN"); // in no group of the merchant
  const linked = [
    await make("AA-BACKUP", { type: "backup" }),
    await make("BB-INACTIVE", { status: "inactive" }),
    await make("CC-PAYS", { purpose: "withdrawal" }),
    await make("DD-QR", { method: "qr" }),
    await make("EE-SMALL", { deposit_maximum: "100" }),
    await make("FF-FULL", { deposit_daily_limit: "400" }),
    await make("GG-FIT", { deposit_daily_limit: "1000" }),
    await make("HH-FIT", { purpose: "deposit" }),
  ];
  await makeGroup(db, office.tenant, linked, [merchant]);
  const chosen = [];
  for (let n = 0; n < 5; n++) {
    const { payment_account_id } = await office.deposit(merchant);
    const { rows } = await db.owner.query<{ code: string }>("select code from payment_accounts where id = $1", [payment_account_id]);
    chosen.push(rows[0]?.code);
  }
  // turn by turn, until GG's 1,000 a day are used up
  expect(chosen).toEqual(["GG-FIT", "HH-FIT", "GG-FIT", "HH-FIT", "HH-FIT"]);
  const stranger = await makeMerchant(db, office.tenant);
  await expect(office.deposit(stranger)).rejects.toMatchObject({ code: "account.none-found" });
});

test("64 deposits at once for a daily limit of 63 take exactly 63", async () => {
  const office = await makeOffice(db);
  const merchant = await makeMerchant(db, office.tenant);
  const account = await makeAccount(db, office.tenant, { deposit_daily_limit: "63", deposit_monthly_limit: "100" });
  await makeGroup(db, office.tenant, [account], [merchant]);
  const asked = await Promise.allSettled(Array.from({ length: 64 }, () => office.deposit(merchant, { amount: "1.00" })));
  expect(rejections(asked)).toEqual(["account.none-found"]);
  const { rows } = await db.owner.query("select period, used from limit_usage where payment_account_id = $1 order by period", [account.id]);
  expect(rows).toEqual([
    { period: "day", used: "63.0000" },
    { period: "month", used: "63.0000" },
  ]);
});

test("an account's rate limit lets through what it allows, however many come at once", async () => {
  const office = await makeOffice(db);
  const merchant = await makeMerchant(db, office.tenant);
  const rate = await makeRateGroup(db, office.tenant, { account_window_minutes: 10, account_max_count: 5 });
  const account = await makeAccount(db, office.tenant, { rate_limit_group_id: rate });
  await makeGroup(db, office.tenant, [account], [merchant]);
  const asked = await Promise.allSettled(Array.from({ length: 16 }, (_, n) => office.deposit(merchant, { member: `M${n}` })));
  expect(asked.filter(({ status }) => status === "fulfilled")).toHaveLength(5);
});

test("a customer's rate limit counts that customer only, by count, turnover and single amount", async () => {
  const office = await makeOffice(db);
  const merchant = await makeMerchant(db, office.tenant);
  const rate = await makeRateGroup(db, office.tenant, {
    member_window_minutes: 10,
    member_max_count: 3,
    member_turnover: "1200",
    member_max_amount: "900",
  });
  const account = await makeAccount(db, office.tenant, { rate_limit_group_id: rate });
  await makeGroup(db, office.tenant, [account], [merchant]);
  const asked = await Promise.allSettled(Array.from({ length: 8 }, () => office.deposit(merchant, { member: "BUSY", amount: "100.00" })));
  expect(asked.filter(({ status }) => status === "fulfilled")).toHaveLength(3);
  await office.deposit(merchant, { member: "OTHER", amount: "900.00" });
  await expect(office.deposit(merchant, { member: "OTHER", amount: "300.01" })).rejects.toMatchObject({ code: "deposit.rate-limited" });
  await expect(office.deposit(merchant, { member: "THIRD", amount: "900.01" })).rejects.toMatchObject({ code: "deposit.rate-limited" });
});
