import { beforeAll, expect, test } from "vitest";
import type { AccountDay } from "../../../src/contract/reports.ts";
import { merchantTransactionRoutes } from "../../../src/contract/statements.ts";
import { seededRandom } from "../../../src/server/demo/random.ts";
import { closeDays } from "../../../src/server/reports/close-days.ts";
import { accountDayHandlers, cashFlowHandlers, merchantDayHandlers } from "../../../src/server/reports/reports.ts";
import { merchantTransactionHandlers } from "../../../src/server/statements/statements.ts";
import { asking } from "../../../src/values/asked.ts";
import { money, moneyText } from "../../../src/values/money.ts";
import { makeClock } from "../../support/clock.ts";
import type { Clock } from "../../support/clock.ts";
import { testDatabase } from "../../support/database.ts";
import type { Entry, House } from "../../support/report-houses.ts";
import {
  accountDay,
  accountRows,
  callIn,
  cashRow,
  happens,
  makeHouse,
  merchantDay,
  merchantRows,
  none,
  period,
  readEntries,
  sum,
  within,
} from "../../support/report-houses.ts";

const db = testDatabase({ patient: true });
const dice = seededRandom(20);
const { next: random, pick } = dice;

/** A year's end, the summer-time changes of Europe, and a month's end: whatever zone a server or a reader is in, a day has 24 hours. */
const stretches = [
  ["2025-12-29", "2026-01-03"],
  ["2026-03-27", "2026-04-01"],
  ["2026-10-23", "2026-10-27"],
  ["2026-10-30", "2026-11-02"],
] as const;
const zones = [-570, -180, 0, 345, 480, 765];

const houses: House[] = [];
const entriesOf = new Map<House, readonly Entry[]>();
let clock: Clock;

beforeAll(async () => {
  clock = await makeClock(db);
  await db.owner.query("alter table ledger_entries alter column created_at set default clock.clock_timestamp()");
  // oxlint-disable-next-line no-await-in-loop -- the houses share one clock
  for (const zone of zones) houses.push(await makeHouse(db, clock, zone, new Date("2025-12-28T12:00:00Z")));
  const hours = stretches.flatMap(([from, to]) =>
    Array.from({ length: (Date.parse(to) - Date.parse(from)) / 3_600_000 }, (_, hour) => Date.parse(from) + hour * 3_600_000),
  );
  const moments = hours.map((hour) => hour + Math.floor(random() * 3_500_000)).filter(() => random() < 0.6);
  for (const at of moments) {
    // oxlint-disable-next-line no-await-in-loop -- time goes on
    await clock.be(new Date(at));
    for (const house of houses) if (random() < 0.5) await happens(house, dice);
  }
  await db.owner.query("update clock.ahead set by = '0'");
  for (const house of houses) entriesOf.set(house, await readEntries(db, house.office.tenant.id));
}, 600_000);

function randomDay(): string {
  const [from, to] = pick(stretches);
  return new Date(Date.parse(from) + Math.floor(random() * ((Date.parse(to) - Date.parse(from)) / 86_400_000 + 1)) * 86_400_000)
    .toISOString()
    .slice(0, 10);
}

/** 500 days of accounts and merchants, each read as the report shows it. */
async function compareDays(): Promise<void> {
  let compared = 0;
  while (compared < 500) {
    const [house, day] = [pick(houses), randomDay()];
    // oxlint-disable-next-line no-await-in-loop -- one after the other, because they share a database
    const [accounts, merchants] = [await accountRows(house, period(day, house.zone)), await merchantRows(house, day)];
    for (const row of accounts)
      expect(row).toMatchObject({ day, ...accountDay(house, entriesOf.get(house) ?? [], row.owner?.uuid ?? "", day) });
    for (const row of merchants)
      expect(row).toMatchObject({ day, ...merchantDay(house, entriesOf.get(house) ?? [], row.owner?.uuid ?? "", day) });
    expect(accounts.map(({ owner }) => owner?.uuid).toSorted()).toEqual(house.accounts.map(({ id }) => id).toSorted());
    const cash = await cashRow(house, day); // oxlint-disable-line no-await-in-loop -- as above
    const total = (read: (row: AccountDay) => string | null) => moneyText(sum(accounts.map((row) => money(read(row) ?? "0"))));
    expect(cash).toMatchObject({
      opening: total(({ opening }) => opening),
      deposits: total(({ deposits }) => deposits),
      withdrawals: total(({ withdrawals }) => withdrawals),
      charges: total(({ charges }) => charges),
      settlements: total(({ settlements }) => settlements),
      adjustments: total(({ adjustments }) => adjustments),
      closing: total(({ closing }) => closing),
      difference: null,
    });
    const [opens, closes, arrived, left] = [
      sum(accounts.map(({ opening }) => money(opening ?? "0"))),
      sum(accounts.map(({ closing }) => money(closing ?? "0"))),
      sum(accounts.map(({ transfers_in }) => money(transfers_in ?? "0"))),
      sum(accounts.map(({ transfers_out }) => money(transfers_out ?? "0"))),
    ];
    const earned = within(entriesOf.get(house) ?? [], day, house.zone).filter(({ account_kind }) => account_kind === "fee-income");
    expect(cash).toMatchObject({
      net: moneyText(closes - opens),
      transfers: moneyText(arrived - left),
      fees: moneyText(sum(earned.map(({ amount }) => amount))),
    });
    compared += accounts.length + merchants.length;
  }
}

test("500 days of accounts and merchants are what their entries say, before and after they are kept", async () => {
  await compareDays();
  expect((await db.owner.query("select from account_days")).rowCount).toBe(0);
  for (const { office } of houses.slice(0, 1)) await closeDays(office.deps);
  const kept = await db.owner.query<{ n: number }>("select count(*)::integer as n from account_days");
  expect(kept.rows[0]?.n).toBeGreaterThan(1_000);
  await compareDays();
});

test("of several days a row has the first one's opening and the last one's closing balance, and the sums between", async () => {
  for (const house of houses) {
    const [from, to] = ["2026-10-25", "2026-11-01"];
    const query = { ...period(from, house.zone), "filter[day_to]": period(to, house.zone)["filter[day_to]"] };
    // oxlint-disable-next-line no-await-in-loop -- as above
    const [each, byOwner, byDay] = [
      await accountRows(house, { ...query, limit: 500 }),
      await accountRows(house, { ...query, "filter[by]": "owner" }),
      await accountRows(house, { ...query, "filter[by]": "day", sort: "day" }),
    ];
    for (const row of byOwner) {
      const own = each.filter(({ owner }) => owner?.uuid === row.owner?.uuid).toSorted((a, b) => (a.day < b.day ? -1 : 1));
      expect(row).toMatchObject({ day: from, days: 8, opening: own[0]?.opening, closing: own.at(-1)?.closing });
      expect(money(row.withdrawals ?? "")).toBe(sum(own.map(({ withdrawals }) => money(withdrawals ?? ""))));
      expect(row.withdrawals_n).toBe(own.reduce((n, { withdrawals_n }) => n + (withdrawals_n ?? 0), 0));
    }
    expect(byDay).toHaveLength(8);
    const [first = "", second = ""] = byOwner.map(({ code }) => code ?? "");
    const named = async (code: string) =>
      (await accountRows(house, { ...query, "filter[by]": "owner", "filter[code]": code })).map((row) => row.code).toSorted(); // oxlint-disable-line no-await-in-loop -- as above
    expect(await named(`${first.toLowerCase()},${second}`)).toEqual([first, second].toSorted()); // oxlint-disable-line no-await-in-loop -- as above
    expect(await named(`!${first}`)).toEqual(
      byOwner
        .slice(1)
        .map(({ code }) => code)
        .toSorted(),
    ); // oxlint-disable-line no-await-in-loop -- as above
    expect(byDay.slice(1).map(({ opening }) => opening)).toEqual(byDay.slice(0, -1).map(({ closing }) => closing));
    // a row's uuid is enough to find it again
    for (const row of [...byOwner, ...byDay, ...each.slice(0, 5)])
      expect(
        (await accountDayHandlers.readAccountDay(callIn(house), { ...none, query: undefined, params: { uuid: row.uuid } })).data.row,
      ).toEqual(row); // oxlint-disable-line no-await-in-loop
  }
});

/** Sums of the statement of what is held of a merchant, of one day. */
async function heldMoves(house: House, code: string, day: string): Promise<Readonly<Record<string, string>>> {
  const { "filter[day_from]": from, "filter[day_to]": to } = period(day, house.zone);
  const window = { "filter[created_at_from]": from, "filter[created_at_to]": to };
  const query = merchantTransactionRoutes.listMerchantStatementLines.query.parse({
    ...window,
    "filter[merchant_code]": code,
    "filter[hold]": "only",
    with: "sums",
  });
  return (await merchantTransactionHandlers.listMerchantStatementLines(callIn(house), { ...none, query })).meta.sums ?? {};
}

test("the entries behind each figure add up to it", async () => {
  const figures = ["deposits", "withdrawals", "transfers_in", "transfers_out", "settlements", "charges", "adjustments"] as const;
  let seen = 0;
  const counts = new Map<string, number>();
  const opened = { counts, add: (name: string, count: number) => void counts.set(name, (counts.get(name) ?? 0) + count) };
  for (const house of houses) {
    for (const day of ["2025-12-28", "2025-12-31", "2026-03-29", "2026-10-25", "2026-10-31"]) {
      // oxlint-disable-next-line no-await-in-loop -- as above
      for (const row of await accountRows(house, period(day, house.zone))) {
        for (const figure of figures) {
          const query = { from: day, to: day, figure, code: asking(row.code ?? "") };
          const { data } = await accountDayHandlers.listAccountDayEntries(callIn(house), { ...none, query }); // oxlint-disable-line no-await-in-loop
          expect(data.sum, figure).toBe(row[figure]);
          expect(moneyText(sum(data.entries.map(({ amount }) => money(amount))))).toBe(row[figure]);
          seen += data.count;
          opened.add(`account ${figure}`, data.count);
        }
      }
      const flow = await cashRow(house, day); // oxlint-disable-line no-await-in-loop -- as above
      for (const figure of ["deposits", "withdrawals", "settlements", "transfers", "charges", "adjustments", "net", "fees"] as const) {
        const query = { from: day, to: day, figure };
        const { data } = await cashFlowHandlers.listCashFlowEntries(callIn(house), { ...none, query }); // oxlint-disable-line no-await-in-loop -- as above
        expect([figure, data.sum]).toEqual([figure, flow?.[figure] ?? "0.00"]);
        opened.add(`cash ${figure}`, data.count);
      }
      // oxlint-disable-next-line no-await-in-loop -- as above
      for (const row of await merchantRows(house, day)) {
        for (const figure of [
          "deposits",
          "deposits_fee",
          "deposits_net",
          "withdrawals",
          "withdrawals_fee",
          "settlements",
          "adjustments",
          "held",
        ] as const) {
          const query = { from: day, to: day, figure, code: asking(row.code ?? "") };
          const { data } = await merchantDayHandlers.listMerchantDayEntries(callIn(house), { ...none, query }); // oxlint-disable-line no-await-in-loop
          expect(data.sum, figure).toBe(row[figure]);
          opened.add(`merchant ${figure}`, data.count);
        }
        // the statement that opens beside it adds up to it, too
        const { amount_in, amount_out } = await heldMoves(house, row.code ?? "", day); // oxlint-disable-line no-await-in-loop
        expect(moneyText(money(amount_out ?? "") - money(amount_in ?? ""))).toBe(row.held);
      }
    }
  }
  expect(seen).toBeGreaterThan(100);
  // every figure had entries somewhere
  expect([...opened.counts].filter(([, count]) => count === 0)).toEqual([]);
});
