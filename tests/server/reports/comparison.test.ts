import { beforeAll, describe, expect, test } from "vitest";
import { seededRandom } from "../../../src/server/demo/random.ts";
import { closeDays } from "../../../src/server/reports/close-days.ts";
import { accountDayHandlers, cashFlowHandlers, merchantDayHandlers } from "../../../src/server/reports/reports.ts";
import { periodBefore } from "../../../src/server/reports/summary.ts";
import { asking } from "../../../src/values/asked.ts";
import { addDays, countDays } from "../../../src/values/days.ts";
import { amountText } from "../../../src/values/money.ts";
import { makeClock } from "../../support/clock.ts";
import { testDatabase } from "../../support/database.ts";
import type { House } from "../../support/report-houses.ts";
import { callIn, happens, makeHouse, none } from "../../support/report-houses.ts";

const db = testDatabase({ patient: true, invariants: false });
const dice = seededRandom(31);
const zone = 345;
let house: House;

beforeAll(async () => {
  const clock = await makeClock(db);
  await db.owner.query("alter table ledger_entries alter column created_at set default clock.clock_timestamp()");
  house = await makeHouse(db, clock, zone, new Date("2026-01-30T12:00:00Z"));
  // about every 14 hours of two months something happens
  for (let at = Date.parse("2026-01-31T12:00:00Z"); at < Date.parse("2026-04-01T00:00:00Z"); at += dice.next() * 28 * 3_600_000) {
    await clock.be(new Date(at)); // oxlint-disable-line no-await-in-loop -- time goes on
    await happens(house, dice); // oxlint-disable-line no-await-in-loop -- as above
  }
  await db.owner.query("update clock.ahead set by = '0'");
}, 300_000);

/** What the ledger has of a period, entry by entry and without any function of the reports: $1 tenant, $2 from, $3 to, $4 minutes, $5 whose. */
const moved = `
  with bounds as (select ($2::date::timestamp - make_interval(mins => $4::integer)) at time zone 'UTC' as begins,
      (($3::date + 1)::timestamp - make_interval(mins => $4::integer)) at time zone 'UTC' as ends
  ), entry as (
    select a.kind as account, a.owner_id, e.created_at, e.amount, e.group_id, regexp_replace(g.kind, '\\.recall$', '') as kind,
      g.kind like '%.recall' as is_back, coalesce(x.amount, y.amount) as asked
    from ledger_entries e
    join ledger_accounts a on a.tenant_id = e.tenant_id and a.id = e.account_id
    join ledger_groups g on g.tenant_id = e.tenant_id and g.id = e.group_id
    left join transactions x on x.tenant_id = g.tenant_id and x.id = g.transaction_id
    left join transfers y on y.tenant_id = g.tenant_id and y.id = g.transaction_id
    where e.tenant_id = $1
  ), inside as (select e.* from entry e, bounds b where e.created_at >= b.begins and e.created_at < b.ends
  )`;
const ofAccounts = `${moved}, own as (
    select i.*, sign(amount) * coalesce(asked, abs(amount)) as paid,
      kind in ('withdrawal', 'settlement') or kind in ('transfer', 'manual-transfer', 'clearing') and (amount < 0) <> is_back as leaves
    from inside i where account = 'payment-account' and ($5::uuid is null or owner_id = $5))
  select coalesce(sum(amount) filter (where kind = 'deposit'), 0) as deposits, coalesce(-sum(paid) filter (where kind = 'withdrawal'), 0) as withdrawals,
    coalesce(-sum(paid) filter (where kind = 'settlement'), 0) as settlements, coalesce(sum(paid - amount) filter (where leaves), 0) as charges,
    coalesce(sum(amount) filter (where kind in ('adjustment', 'opening')), 0) as adjustments, coalesce(sum(amount), 0) as net,
    (select coalesce(sum(e.amount), 0) from entry e, bounds b
      where e.account = 'payment-account' and ($5::uuid is null or e.owner_id = $5) and e.created_at < b.ends) as closing
  from own`;
const ofMerchants = `${moved}, posting as (
    select kind, is_back, asked, group_id, sum(amount) as amount from inside
    where account in ('wallet', 'hold') and ($5::uuid is null or owner_id = $5) group by 1, 2, 3, 4)
  select coalesce(sum(case when is_back then -asked else asked end) filter (where kind = 'deposit'), 0) as deposits,
    coalesce(sum(case when is_back then -asked else asked end) filter (where kind = 'withdrawal'), 0) as withdrawals,
    coalesce(-sum(amount) filter (where kind = 'settlement'), 0) as settlements,
    coalesce(sum(amount) filter (where kind in ('adjustment', 'opening')), 0) as adjustments,
    (select coalesce(sum(i.amount), 0) from inside i where i.account = 'fee-income' and i.group_id in (select group_id from posting)) as fees,
    (select coalesce(sum(e.amount), 0) from entry e, bounds b
      where e.account = 'wallet' and ($5::uuid is null or e.owner_id = $5) and e.created_at < b.ends) as closing
  from posting`;

type Days = ReturnType<typeof periodBefore>;
async function bruteForce(sql: string, { from, to }: Days, owner: string | null = null): Promise<Record<string, string>> {
  const { rows } = await db.owner.query<Record<string, string>>(sql, [house.office.tenant.id, from, to, zone, owner]);
  return Object.fromEntries(Object.entries(rows[0] ?? {}).map(([name, amount]) => [name, amountText(amount)]));
}

/** Of all payment accounts, with what was earned of the merchants. */
const ofFlow = async (days: Days): Promise<Record<string, string>> => ({
  ...(await bruteForce(ofAccounts, days)),
  fees: (await bruteForce(ofMerchants, days))["fees"] ?? "",
});

const windows = [
  ["a day", "2026-03-10", "2026-03-10", "2026-03-09", "2026-03-09"],
  ["the first day of a month", "2026-03-01", "2026-03-01", "2026-02-01", "2026-02-01"],
  ["a week", "2026-03-09", "2026-03-15", "2026-03-02", "2026-03-08"],
  ["a month, beside a shorter one", "2026-03-01", "2026-03-31", "2026-02-01", "2026-02-28"],
  ["the first days of a month", "2026-03-01", "2026-03-12", "2026-02-01", "2026-02-12"],
  ["more days of a month than the one before has", "2026-03-01", "2026-03-30", "2026-02-01", "2026-02-28"],
  ["any days", "2026-02-25", "2026-03-06", "2026-02-15", "2026-02-24"],
] as const;

test.each(windows)("before %s", (_, from, to, before, upto) => {
  expect(periodBefore(from, to)).toEqual({ from: before, to: upto });
});

test("before a month of 31 days is a whole one of 30, and before a January the December", () => {
  expect(periodBefore("2026-05-01", "2026-05-31")).toEqual({ from: "2026-04-01", to: "2026-04-30" });
  expect(periodBefore("2026-01-01", "2026-01-31")).toEqual({ from: "2025-12-01", to: "2025-12-31" });
  expect(periodBefore("2026-01-01", "2026-01-20")).toEqual({ from: "2025-12-01", to: "2025-12-20" });
});

describe.each(["open", "kept"])("while days are %s", (state) => {
  beforeAll(async () => {
    if (state === "kept") await closeDays(house.office.deps);
  }, 120_000);

  test.each(windows)("the figures of %s and of the period before are those of the ledger's entries", async (_, from, to, before, upto) => {
    const query = { from, to };
    const against = { from: before, to: upto };
    const summaries = [
      [
        (await accountDayHandlers.summarizeAccountDays(callIn(house), { ...none, query })).data,
        (days: Days) => bruteForce(ofAccounts, days),
      ],
      [
        (await merchantDayHandlers.summarizeMerchantDays(callIn(house), { ...none, query })).data,
        (days: Days) => bruteForce(ofMerchants, days),
      ],
      [(await cashFlowHandlers.summarizeCashFlow(callIn(house), { ...none, query })).data, ofFlow],
    ] as const;
    for (const [told, expected] of summaries) {
      expect(told).toMatchObject({ zone_minutes: zone, from, to, against_from: before, against_to: upto });
      const [now, then] = [await expected(query), await expected(against)]; // oxlint-disable-line no-await-in-loop -- they share a connection
      expect(Object.keys(told.now).length).toBeGreaterThan(5);
      for (const name of Object.keys(told.now)) expect([name, told.now[name], told.before[name]]).toEqual([name, now[name], then[name]]);
      // day by day, both periods, each day once
      const all = [against, query].flatMap((days) =>
        Array.from({ length: countDays(days.from, days.to) }, (_, at) => addDays(days.from, at)),
      );
      expect(told.days.map(({ day }) => day)).toEqual(all);
      expect(told.days.at(-1)?.closing).toBe(told.now["closing"]);
    }
  });
});

test("one account is compared with itself, and with the days that are asked for", async () => {
  const [account, merchant] = [house.accounts[0], house.merchants[1]];
  const [from, to, against_from, against_to] = ["2026-03-03", "2026-03-20", "2026-02-01", "2026-02-07"] as const;
  const { rows } = await db.owner.query<{ code: string }>("select code from merchants where id = $1", [merchant?.id]);
  const spans = [
    { from, to },
    { from: against_from, to: against_to },
  ] as const;
  const asked = { from, to, against_from, against_to };
  const ofAccount = (
    await accountDayHandlers.summarizeAccountDays(callIn(house), { ...none, query: { ...asked, code: account && asking(account.code) } })
  ).data;
  const ofMerchant = (
    await merchantDayHandlers.summarizeMerchantDays(callIn(house), { ...none, query: { ...asked, code: rows[0] && asking(rows[0].code) } })
  ).data;
  expect(ofAccount).toMatchObject(asked);
  for (const [told, sql, owner] of [
    [ofAccount, ofAccounts, account?.id],
    [ofMerchant, ofMerchants, merchant?.id],
  ] as const) {
    // oxlint-disable-next-line no-await-in-loop -- they share a connection
    const [now, then] = [await bruteForce(sql, spans[0], owner), await bruteForce(sql, spans[1], owner)];
    expect(now).toMatchObject(told.now);
    expect(then).toMatchObject(told.before);
  }
});

test("a period that is not over is compared up to today, with as many days before", async () => {
  const today = new Date(Date.now() + zone * 60_000).toISOString().slice(0, 10);
  const query = { from: addDays(today, -2), to: addDays(today, 4) };
  const { data } = await accountDayHandlers.summarizeAccountDays(callIn(house), { ...none, query });
  const before = periodBefore(query.from, data.to);
  expect(data).toMatchObject({ from: query.from, to: data.to, against_from: before.from, against_to: before.to });
  expect([today, addDays(today, 1)]).toContain(data.to);
});
