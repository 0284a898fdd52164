import { beforeEach, expect, test } from "vitest";
import type { z } from "zod";
import { accountDayRoutes, merchantDayRoutes } from "../../../src/contract/reports.ts";
import { localDay } from "../../../src/server/payments/limits.ts";
import { accountDayHandlers, merchantDayHandlers } from "../../../src/server/reports/reports.ts";
import { addDays } from "../../../src/values/days.ts";
import { testDatabase } from "../../support/database.ts";
import { makeAccount, makeGroup, makeMerchant } from "../../support/factories.ts";
import type { Office } from "../../support/payments.ts";
import { makeOffice } from "../../support/payments.ts";
import { none, period } from "../../support/report-houses.ts";

// counters and callbacks without the decisions they come from
const db = testDatabase({ invariants: false });
let office: Office;

beforeEach(async () => {
  office = await makeOffice(db, { currencies: ["THB"] });
});

/** From the day before yesterday to tomorrow, so that a day may end meanwhile. */
function window() {
  const { zoneMinutes } = office.call().currencyFacts;
  const day = (by: number) => period(addDays(localDay(new Date(), zoneMinutes), by), zoneMinutes);
  return { "filter[day_from]": day(-2)["filter[day_from]"], "filter[day_to]": day(1)["filter[day_to]"] };
}
type AccountQuery = z.input<typeof accountDayRoutes.listAccountDays.query>;
const accountDays = async (query: AccountQuery) =>
  (
    await accountDayHandlers.listAccountDays(office.call(), {
      ...none,
      query: accountDayRoutes.listAccountDays.query.parse({ ...window(), ...query }),
    })
  ).data;
type MerchantQuery = z.input<typeof merchantDayRoutes.listMerchantDays.query>;
const merchantDays = async (query: MerchantQuery) =>
  (
    await merchantDayHandlers.listMerchantDays(office.call(), {
      ...none,
      query: merchantDayRoutes.listMerchantDays.query.parse({ ...window(), ...query }),
    })
  ).data;

test("an account's day tells what percent of its daily limits was used; where it has none, or of several days, it tells none", async () => {
  const receiving = await makeAccount(db, office.tenant, { deposit_daily_limit: "1000" });
  const paying = await makeAccount(db, office.tenant, { withdrawal_daily_limit: "400" });
  const used = (account: { id: string }, kind: string, period: string, day: string, amount: string) =>
    db.owner.query("insert into limit_usage (tenant_id, payment_account_id, kind, period, starts, used) values ($1, $2, $3, $4, $5, $6)", [
      office.tenant.id,
      account.id,
      kind,
      period,
      day,
      amount,
    ]);
  const dayOf = async ({ code }: { code: string }) => {
    const [first] = await accountDays({ "filter[code]": code, sort: "day" });
    if (first === undefined) throw new Error("an account with an opening balance has a day");
    return first;
  };
  const { day, ...unused } = await dayOf(receiving);
  expect([unused.deposit_limit_used, unused.withdrawal_limit_used]).toEqual([0, null]);
  await used(receiving, "deposit", "day", day, "250");
  await used(receiving, "withdrawal", "day", day, "70");
  await used(receiving, "deposit", "month", day, "900");
  await used(receiving, "deposit", "day", "2026-01-05", "600");
  await used(paying, "withdrawal", "day", day, "133");
  const now = await dayOf(receiving);
  expect([now.deposit_limit_used, now.withdrawal_limit_used]).toEqual([25, null]);
  const payer = await dayOf(paying);
  expect([payer.deposit_limit_used, payer.withdrawal_limit_used]).toEqual([null, 33.3]);
  const read = await accountDayHandlers.readAccountDay(office.call(), { ...none, query: undefined, params: { uuid: payer.uuid } });
  expect(read.data.row).toEqual(payer);
  for (const row of [...(await accountDays({ "filter[by]": "owner" })), ...(await accountDays({ "filter[by]": "day" }))])
    expect([row.deposit_limit_used, row.withdrawal_limit_used]).toEqual([null, null]);
});

test("a merchant's days count the callbacks that were given up, and no others", async () => {
  const shop = await makeMerchant(db, office.tenant, { code: "SHOP", callback_url: "https://shop.example/" });
  const hall = await makeMerchant(db, office.tenant, { code: "HALL", callback_url: "https://hall.example/" });
  const other = await makeMerchant(db, office.tenant, { code: "THAI", currency: "THB" });
  await makeGroup(db, office.tenant, [await makeAccount(db, office.tenant)], [shop, hall]);
  for (const merchant of [shop, shop, shop, hall]) await office.credited(merchant, { amount: "10.00" }); // oxlint-disable-line no-await-in-loop -- one merchant after the other
  const failed = async (query: MerchantQuery) => {
    const counts = new Map<string | null, number>();
    for (const { code, callbacks_failed } of await merchantDays(query)) counts.set(code, (counts.get(code) ?? 0) + (callbacks_failed ?? 0));
    return Object.fromEntries(counts);
  };
  expect(await failed({})).toEqual({ SHOP: 0, HALL: 0 });
  const give = (merchant: { id: string }, most: number) =>
    db.owner.query(
      `update outbox set state = 'failed', next_attempt_at = null where tenant_id = $1
        and id in (select id from outbox where tenant_id = $1 and merchant_id = $2 order by id limit $3)`,
      [office.tenant.id, merchant.id, most],
    );
  await give(shop, 2);
  await give(hall, 1);
  expect(await failed({})).toEqual({ SHOP: 2, HALL: 1 });
  expect(await failed({ "filter[by]": "owner" })).toEqual({ SHOP: 2, HALL: 1 });
  expect(await failed({ "filter[by]": "day" })).toEqual({ null: 3 });
  // a merchant's days by day are its days
  expect(await failed({ "filter[by]": "day", "filter[code]": "hall" })).toEqual({ HALL: 1 });
  // those of another time, and those of another currency's merchants
  await db.owner.query("update outbox set created_at = now() - interval '9 days' where tenant_id = $1 and merchant_id = $2", [
    office.tenant.id,
    hall.id,
  ]);
  await db.owner.query("update outbox set merchant_id = $2 where tenant_id = $1 and merchant_id = $3 and state = 'failed'", [
    office.tenant.id,
    other.id,
    shop.id,
  ]);
  expect(await failed({ "filter[by]": "day" })).toEqual({ null: 0 });
  expect(await failed({})).toEqual({ SHOP: 0, HALL: 0 });
});
