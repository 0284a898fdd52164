import { afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import type { AccountDay, CashFlowDay, MerchantDay } from "../../../src/contract/reports.ts";
import { accountDayRoutes, cashFlowRoutes, merchantDayRoutes, tellsDifference } from "../../../src/contract/reports.ts";
import { closeDays } from "../../../src/server/reports/close-days.ts";
import { accountDayHandlers, cashFlowHandlers, merchantDayHandlers } from "../../../src/server/reports/reports.ts";
import { addDays } from "../../../src/values/days.ts";
import { money, moneyText } from "../../../src/values/money.ts";
import { makeClock } from "../../support/clock.ts";
import type { Clock } from "../../support/clock.ts";
import { testDatabase } from "../../support/database.ts";
import { makeAccount, makeMerchant } from "../../support/factories.ts";
import type { Account, Merchant } from "../../support/factories.ts";
import { makeOffice } from "../../support/payments.ts";
import type { Office } from "../../support/payments.ts";
import { callIn, none } from "../../support/report-houses.ts";
import { transfersBy } from "../../support/transfers.ts";

const db = testDatabase({ patient: true });
let clock: Clock;
let office: Office;
let account: Account;
let merchant: Merchant;
/** The days 7 to 1 before today, which is the last. */
let days: string[];
/** A zone in which it is about noon now, so that yesterday is over and today is not about to end. */
const zone = 720 - ((Math.round((Date.now() % 86_400_000) / 900_000) * 15) % 1440);

const dayOf = (back: number): string => addDays(days.at(-1) ?? "", -back);
const call = () => callIn({ office, zone, accounts: [account], merchants: [merchant] });
const codeOf = async ({ id }: Merchant): Promise<string | undefined> =>
  (await db.owner.query<{ code: string }>("select code from merchants where id = $1", [id])).rows[0]?.code;

beforeAll(async () => {
  clock = await makeClock(db);
  await db.owner.query("alter table ledger_entries alter column created_at set default clock.clock_timestamp()");
});

/** An office whose account and merchant moved every other day of the last week, with all days kept but today. */
beforeEach(async () => {
  office = await makeOffice(db);
  await db.owner.query("update currencies set zone_minutes = $2 where tenant_id = $1", [office.tenant.id, zone]);
  const today = new Date(Date.now() + zone * 60_000).toISOString().slice(0, 10);
  days = Array.from({ length: 8 }, (_, at) => addDays(today, at - 7));
  for (const [at, day] of days.entries()) {
    // oxlint-disable-next-line no-await-in-loop -- time goes on
    await clock.be(new Date(Date.parse(`${day}T00:00:30Z`) - zone * 60_000));
    if (at === 0) {
      account = await makeAccount(db, office.tenant, { balance: "1000" }); // oxlint-disable-line no-await-in-loop -- as above
      await makeAccount(db, office.tenant, { balance: "200" }); // oxlint-disable-line no-await-in-loop -- as above
      merchant = await makeMerchant(db, office.tenant, { wallet: "500" }); // oxlint-disable-line no-await-in-loop -- as above
    }
    if (at % 2 === 1) await transfersBy(office).adjust(merchant, "10"); // oxlint-disable-line no-await-in-loop -- as above
  }
  await db.owner.query("update clock.ahead set by = '0'");
  await closeDays(office.deps);
});

afterEach(async () => {
  // what was corrupted must not be found by the invariants
  await asOwner("delete from account_days", []);
  await asOwner("delete from merchant_days", []);
});

/** Changes kept days as only the owner of their table could. */
async function asOwner(change: string, values: readonly unknown[]): Promise<number> {
  const client = await db.owner.connect();
  try {
    await client.query("begin; set local session_replication_role = replica");
    const { rowCount } = await client.query(change, [...values]);
    await client.query("commit");
    return rowCount ?? 0;
  } finally {
    client.release();
  }
}
const corrupt = async (change: string, values: readonly unknown[]) => expect(await asOwner(change, values)).toBe(1);
const shift = (by: string, day: string, set: readonly string[]) =>
  corrupt(
    `update account_days set ${set.map((name) => `${name} = ${name} + $1`).join(", ")} where tenant_id = $2 and payment_account_id = $3 and day = $4`,
    [by, office.tenant.id, account.id, day],
  );
const shiftMerchant = (by: string, day: string, set: readonly string[]) =>
  corrupt(
    `update merchant_days set ${set.map((name) => `${name} = ${name} + $1`).join(", ")} where tenant_id = $2 and merchant_id = $3 and day = $4`,
    [by, office.tenant.id, merchant.id, day],
  );

const between = (from: string, to: string) => ({
  "filter[day_from]": new Date(Date.parse(from) - zone * 60_000).toISOString(),
  "filter[day_to]": new Date(Date.parse(addDays(to, 1)) - zone * 60_000).toISOString(),
  limit: 500,
});
type Query = Readonly<Record<string, unknown>>;
const accounts = (query: Query) =>
  accountDayHandlers.listAccountDays(call(), { ...none, query: accountDayRoutes.listAccountDays.query.parse(query) });
const merchants = (query: Query) =>
  merchantDayHandlers.listMerchantDays(call(), { ...none, query: merchantDayRoutes.listMerchantDays.query.parse(query) });
const flows = (query: Query) =>
  cashFlowHandlers.listCashFlowDays(call(), { ...none, query: cashFlowRoutes.listCashFlowDays.query.parse(query) });

/** Differences as [code, day, state, amount], by their days. */
const told = (rows: readonly (Pick<AccountDay | MerchantDay | CashFlowDay, "day" | "state" | "difference"> & { code?: string | null })[]) =>
  rows
    .filter(({ state }) => tellsDifference(state))
    .map(({ code, day, state, difference }) => [code ?? null, day, state, difference])
    .toSorted((one, other) => (`${one[1]} ${one[3]}` < `${other[1]} ${other[3]}` ? -1 : 1));

test("of days that are in order no row tells a difference, however many of them are kept", async () => {
  const whole = between(dayOf(7), dayOf(0));
  for (const kept of [7, 4, 0]) {
    // oxlint-disable-next-line no-await-in-loop -- they share a database
    for (const table of ["account_days", "merchant_days"]) await asOwner(`delete from ${table} where day > $1`, [dayOf(8 - kept)]);
    for (const [list, n] of [
      [accounts, 16],
      [merchants, 8],
      [flows, 8],
    ] as const) {
      const { data, meta } = await list({ ...whole, with: "sums" }); // oxlint-disable-line no-await-in-loop -- as above
      expect([data.length, told(data as AccountDay[]), meta.sums?.["difference"]]).toEqual([n, [], "0.00"]);
      expect((await list({ ...whole, "filter[differs]": "yes" })).data).toEqual([]); // oxlint-disable-line no-await-in-loop -- as above
    }
  }
});

test("a kept day that closes with more than it should is told by a row of its own, and the day after by another: that it begins with less", async () => {
  await shift("7.25", dayOf(3), ["closing"]);
  const whole = between(dayOf(7), dayOf(0));
  const expected = [
    [account.code, dayOf(3), "difference", "7.25"],
    [account.code, dayOf(2), "carry-over", "-7.25"],
  ];
  const { data, meta } = await accounts({ ...whole, with: "sums", sort: "code,-day" });
  expect(told(data)).toEqual(expected);
  for (const row of data.filter(({ state }) => tellsDifference(state))) {
    // it stands beside the day it is of, and has no figures that would count twice
    const of = data.findIndex(({ uuid }) => uuid === row.uuid);
    expect([data[of - 1], data[of + 1]].some((one) => one?.day === row.day && one.code === row.code)).toBe(true);
    expect(row).toMatchObject({ opening: null, deposits: null, deposits_n: null, charges: null, closing: null });
    // and is found by its uuid alone
    // oxlint-disable-next-line no-await-in-loop -- as above
    const found = await accountDayHandlers.readAccountDay(call(), { ...none, query: undefined, params: { uuid: row.uuid } });
    expect(found.data.row).toEqual(row);
  }
  // what the totals show counts every day once, and adds up again with what differs
  const days = data.filter(({ state }) => !tellsDifference(state));
  expect(meta.sums).toMatchObject({ adjustments: moneyText(days.reduce((all, { adjustments }) => all + money(adjustments ?? "0"), 0n)) });
  expect(meta.sums).toMatchObject({ opening: "0.00", adjustments: "1200.00", closing: "1200.00", difference: "0.00" });
  const upto = await accounts({ ...between(dayOf(7), dayOf(3)), with: "sums" });
  expect(upto.meta.sums).toMatchObject({ opening: "0.00", adjustments: "1200.00", closing: "1207.25", difference: "7.25" });

  // the view "with a difference" has these rows and no other
  expect(told((await accounts({ ...whole, "filter[differs]": "yes" })).data)).toEqual(expected);
  expect((await accounts({ ...whole, "filter[differs]": "yes" })).data).toHaveLength(2);
  // of all accounts together, of one in the period, and in the cash flow
  const ofAll = expected.map(([, ...rest]) => [null, ...rest]);
  expect(told((await accounts({ ...whole, "filter[by]": "day" })).data)).toEqual(ofAll);
  expect(told((await flows(whole)).data)).toEqual(ofAll);
  expect(told((await accounts({ ...between(dayOf(4), dayOf(3)), "filter[by]": "owner" })).data)).toEqual([
    [account.code, dayOf(4), "difference", "7.25"],
  ]);
  expect(told((await accounts({ ...between(dayOf(2), dayOf(1)), "filter[by]": "owner" })).data)).toEqual([
    [account.code, dayOf(2), "carry-over", "-7.25"],
  ]);
  // where the period begins, too
  expect(told((await accounts(between(dayOf(2), dayOf(2)))).data)).toEqual(expected.slice(1));
});

test("a kept day that is in order by itself but does not begin with what the day before closed with is told, and so is the one after it", async () => {
  await shift("-0.01", dayOf(5), ["opening", "closing"]);
  const expected = [
    [account.code, dayOf(5), "carry-over", "-0.01"],
    [account.code, dayOf(4), "carry-over", "0.01"],
  ];
  expect(told((await accounts(between(dayOf(7), dayOf(0)))).data)).toEqual(expected);
  expect(told((await accounts({ ...between(dayOf(7), dayOf(0)), "filter[differs]": "yes" })).data)).toEqual(expected);
});

test("today is held against the last day that is kept, and the first day of all against nothing", async () => {
  await shift("3", dayOf(1), ["opening", "closing"]);
  await shift("2", dayOf(7), ["opening", "closing"]);
  expect(told((await accounts(between(dayOf(7), dayOf(0)))).data)).toEqual([
    [account.code, dayOf(7), "carry-over", "2.00"],
    [account.code, dayOf(6), "carry-over", "-2.00"],
    [account.code, dayOf(1), "carry-over", "3.00"],
    [account.code, dayOf(0), "carry-over", "-3.00"],
  ]);
  const today = await accounts(between(dayOf(0), dayOf(0)));
  expect(today.data.find(({ code, state }) => code === account.code && !tellsDifference(state))?.state).toBe("live");
  expect(told(today.data)).toEqual([[account.code, dayOf(0), "carry-over", "-3.00"]]);
});

test("where a day is missing between two that are kept, the next is held against the last before it", async () => {
  await transfersBy(office).adjust(merchant, "1"); // today, of which nothing is kept
  await corrupt("delete from merchant_days where tenant_id = $1 and merchant_id = $2 and day = $3", [
    office.tenant.id,
    merchant.id,
    dayOf(4),
  ]);
  const expected = [[await codeOf(merchant), dayOf(3), "carry-over", "10.00"]];
  expect(told((await merchants(between(dayOf(7), dayOf(0)))).data)).toEqual(expected);
  expect(told((await merchants(between(dayOf(3), dayOf(3)))).data)).toEqual(expected);
});

test("a merchant's day is held against its day before in what is held as well, and its totals tell what came back from the hold", async () => {
  const code = await codeOf(merchant);
  await shiftMerchant("4", dayOf(2), ["held_before", "held"]);
  await shiftMerchant("3", dayOf(2), ["opening", "closing"]);
  await shiftMerchant("6", dayOf(4), ["closing"]);
  const { data, meta } = await merchants({ ...between(dayOf(7), dayOf(0)), with: "sums" });
  expect(told(data)).toEqual([
    [code, dayOf(4), "difference", "6.00"],
    [code, dayOf(3), "carry-over", "-6.00"],
    [code, dayOf(2), "carry-over", "3.00"],
    [code, dayOf(2), "carry-over", "4.00"],
    [code, dayOf(1), "carry-over", "-3.00"],
    [code, dayOf(1), "carry-over", "-4.00"],
  ]);
  // the wallet's opening and four adjustments: what was moved counts once where a difference stands beside it
  expect(meta.sums?.["adjustments"]).toBe("540.00");
  expect(new Set(data.map(({ uuid }) => uuid)).size).toBe(data.length);
  for (const { uuid } of data.filter(({ state }) => tellsDifference(state))) {
    // oxlint-disable-next-line no-await-in-loop -- as above
    const found = await merchantDayHandlers.readMerchantDay(call(), { ...none, query: undefined, params: { uuid } });
    expect(found.data.row).toEqual(data.find((row) => row.uuid === uuid));
  }
  const days = data.filter(({ state }) => !tellsDifference(state));
  expect(meta.sums?.["held"]).toBe(moneyText(days.reduce((all, { held }) => all + money(held ?? "0"), 0n)));
});
