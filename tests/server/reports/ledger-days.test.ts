import { beforeAll, expect, test } from "vitest";
import type { z } from "zod";
import type { AccountDay, CashFlowDay, MerchantDay } from "../../../src/contract/reports.ts";
import { accountDayRoutes, cashFlowRoutes, merchantDayRoutes } from "../../../src/contract/reports.ts";
import { withdrawalHandlers } from "../../../src/server/payments/withdrawals.ts";
import { depositHandlers } from "../../../src/server/payments/deposits.ts";
import { seededRandom } from "../../../src/server/demo/random.ts";
import { closeDays } from "../../../src/server/reports/close-days.ts";
import { accountDayHandlers, cashFlowHandlers, merchantDayHandlers } from "../../../src/server/reports/reports.ts";
import { money, moneyText } from "../../../src/values/money.ts";
import { makeClock } from "../../support/clock.ts";
import type { Clock } from "../../support/clock.ts";
import { testDatabase } from "../../support/database.ts";
import type { Account, Merchant } from "../../support/factories.ts";
import { makeAccount, makeGroup, makeMerchant } from "../../support/factories.ts";
import { body, done, makeOffice, only } from "../../support/payments.ts";
import type { Office } from "../../support/payments.ts";
import { transfersBy } from "../../support/transfers.ts";

const db = testDatabase({ patient: true });
const { next: random, pick } = seededRandom(20);
const amountUpTo = (most: number): string => (1 + Math.floor(random() * most * 100) / 100).toFixed(2);

/** A year's end, the summer-time changes of Europe, and a month's end: whatever zone a server or a reader is in, a day has 24 hours. */
const stretches = [
  ["2025-12-29", "2026-01-03"],
  ["2026-03-27", "2026-04-01"],
  ["2026-10-23", "2026-10-27"],
  ["2026-10-30", "2026-11-02"],
] as const;
const zones = [-570, -180, 0, 345, 480, 765];

interface House {
  readonly office: Office;
  readonly zone: number;
  readonly accounts: readonly Account[];
  readonly merchants: readonly Merchant[];
}

interface Entry {
  readonly kind: string;
  readonly account_kind: string;
  readonly owner: string | null;
  readonly group: string;
  readonly at: number;
  readonly amount: bigint;
  readonly balance: bigint;
  readonly seq: number;
  /** Of the transaction or transfer, which never changes for what leaves. */
  readonly asked: bigint | null;
}

const houses: House[] = [];
const entriesOf = new Map<House, readonly Entry[]>();
let clock: Clock;

const call = ({ office, zone }: House) => ({ ...office.call(), currencyFacts: { minorDigits: 2, zoneMinutes: zone } });

/** One thing that happens in a house, at the clock's time. */
async function happens({ office, accounts, merchants }: House): Promise<void> {
  const [merchant, account, other] = [pick(merchants), pick(accounts), pick(accounts)];
  const ways = transfersBy(office);
  const what = Math.floor(random() * 10);
  if (what <= 2) {
    const row = await office.credited(merchant, { amount: amountUpTo(900) });
    if (random() < 0.3)
      done(only(await depositHandlers.recallDeposits(office.call(), body({ rows: [{ uuid: row.uuid, version: row.version }] }))));
  } else if (what <= 5) {
    const row = await office.claimed(merchant, { amount: amountUpTo(300) });
    const ref = { uuid: row.uuid, version: row.version, confirmed: { amount: row.amount, holder: row.holder } };
    if (random() < 0.25)
      done(
        only(
          await withdrawalHandlers.rejectWithdrawals(
            office.call(),
            body({ rows: [{ uuid: row.uuid, version: row.version }], reason: { code: "other", text: "No" } }),
          ),
        ),
      );
    else {
      const paid = done(only(await withdrawalHandlers.approveWithdrawals(office.call(), body({ rows: [ref] }))));
      if (random() < 0.3)
        done(only(await withdrawalHandlers.recallWithdrawals(office.call(), body({ rows: [{ uuid: paid.uuid, version: paid.version }] }))));
    }
  } else if (what === 6 && account.id !== other.id) await ways.manual(account, other, amountUpTo(200), { charges_value: "1.50" });
  else if (what === 7) await ways.adjust(merchant, amountUpTo(80), random() < 0.5 ? {} : { direction: "debit" });
  else if (what === 8) await ways.approve(await ways.settle(merchant, account, amountUpTo(150), { charges_value: "2" }));
  else await office.withdraw(merchant, { amount: amountUpTo(120) });
}

beforeAll(async () => {
  clock = await makeClock(db);
  await db.owner.query("alter table ledger_entries alter column created_at set default clock.clock_timestamp()");
  for (const zone of zones) {
    // oxlint-disable-next-line no-await-in-loop -- the houses share one clock
    const office = await makeOffice(db, { settings: { recall_seconds: 60, claim_limit: 100 } });
    await db.owner.query("update currencies set zone_minutes = $2 where tenant_id = $1", [office.tenant.id, zone]);
    await clock.be(new Date("2025-12-28T12:00:00Z"));
    const charges = { charges_type: "fixed", charges_value: "0.70" };
    const accounts = [
      await makeAccount(db, office.tenant, { balance: "90000", ...charges }),
      await makeAccount(db, office.tenant, { balance: "40000" }),
      await makeAccount(db, office.tenant, { balance: "70000", charges_type: "percent", charges_value: "0.5" }),
    ];
    const rates = { deposit_rate: "1.5", withdrawal_rate: "1", settlement_rate: "0.2" };
    const merchants = [
      await makeMerchant(db, office.tenant, { wallet: "50000", ...rates }),
      await makeMerchant(db, office.tenant, { wallet: "30000", charges_borne_by: "merchant", ...rates }),
    ];
    await makeGroup(db, office.tenant, accounts, merchants);
    houses.push({ office, zone, accounts, merchants });
  }
  const hours = stretches.flatMap(([from, to]) =>
    Array.from({ length: (Date.parse(to) - Date.parse(from)) / 3_600_000 }, (_, hour) => Date.parse(from) + hour * 3_600_000),
  );
  const moments = hours.map((hour) => hour + Math.floor(random() * 3_500_000)).filter(() => random() < 0.6);
  for (const at of moments) {
    // oxlint-disable-next-line no-await-in-loop -- time goes on
    await clock.be(new Date(at));
    for (const house of houses) if (random() < 0.5) await happens(house);
  }
  await db.owner.query("update clock.ahead set by = '0'");
  for (const house of houses) entriesOf.set(house, await readEntries(house.office.tenant.id));
}, 600_000);

async function readEntries(tenant: string): Promise<Entry[]> {
  const { rows } = await db.owner.query<Record<string, string>>(
    `select g.kind, a.kind as account_kind, a.owner_id as owner, g.id as group, extract(epoch from e.created_at) * 1000 as at, e.amount, e.balance, e.seq,
       coalesce(x.amount, y.amount) as asked
     from ledger_entries e
     join ledger_accounts a on a.tenant_id = e.tenant_id and a.id = e.account_id
     join ledger_groups g on g.tenant_id = e.tenant_id and g.id = e.group_id
     left join transactions x on x.tenant_id = g.tenant_id and x.id = g.transaction_id
     left join transfers y on y.tenant_id = g.tenant_id and y.id = g.transaction_id
     where e.tenant_id = $1 order by e.account_id, e.seq`,
    [tenant],
  );
  return rows.map((row) => ({
    kind: row["kind"] ?? "",
    account_kind: row["account_kind"] ?? "",
    owner: row["owner"] ?? null,
    group: row["group"] ?? "",
    at: Number(row["at"]),
    amount: money(row["amount"] ?? "0"),
    balance: money(row["balance"] ?? "0"),
    seq: Number(row["seq"]),
    asked: row["asked"] == null ? null : money(row["asked"]),
  }));
}

/** ms at which a day of a zone begins. */
const startOf = (day: string, zone: number): number => Date.parse(`${day}T00:00:00Z`) - zone * 60_000;
const nextDay = (day: string): string => new Date(Date.parse(day) + 86_400_000).toISOString().slice(0, 10);

function randomDay(): string {
  const [from, to] = pick(stretches);
  return new Date(Date.parse(from) + Math.floor(random() * ((Date.parse(to) - Date.parse(from)) / 86_400_000 + 1)) * 86_400_000)
    .toISOString()
    .slice(0, 10);
}

const within = (entries: readonly Entry[], day: string, zone: number) =>
  entries.filter(({ at }) => at >= startOf(day, zone) && at < startOf(nextDay(day), zone));
const balanceBefore = (entries: readonly Entry[], at: number): bigint => entries.filter((entry) => entry.at < at).at(-1)?.balance ?? 0n;
const sum = (amounts: readonly bigint[]): bigint => amounts.reduce((total, one) => total + one, 0n);
const base = (kind: string): string => kind.replace(/\.recall$/, "");
const isBack = (kind: string): boolean => kind.endsWith(".recall");
const abs = (amount: bigint): bigint => (amount < 0n ? -amount : amount);

/** An account's day, entry by entry. */
function accountDay(house: House, account: string, day: string) {
  const own = (entriesOf.get(house) ?? []).filter(({ account_kind, owner }) => account_kind === "payment-account" && owner === account);
  const moved = within(own, day, house.zone);
  const of = (...kinds: string[]) => moved.filter(({ kind }) => kinds.includes(base(kind)));
  const paid = ({ amount, asked }: Entry): bigint => (amount < 0n ? -1n : 1n) * (asked ?? abs(amount));
  const times = (entries: readonly Entry[]) => entries.reduce((n, { kind }) => n + (isBack(kind) ? -1 : 1), 0);
  const [deposits, withdrawals, settlements, transfers] = [
    of("deposit"),
    of("withdrawal"),
    of("settlement"),
    of("transfer", "manual-transfer", "clearing"),
  ];
  const arrives = ({ amount, kind }: Entry) => amount > 0n !== isBack(kind);
  const [transfersIn, transfersOut] = [transfers.filter(arrives), transfers.filter((entry) => !arrives(entry))];
  const leaving = [...withdrawals, ...settlements, ...transfersOut];
  return {
    opening: moneyText(balanceBefore(own, startOf(day, house.zone))),
    deposits_n: times(deposits),
    deposits: moneyText(sum(deposits.map(({ amount }) => amount))),
    withdrawals_n: times(withdrawals),
    withdrawals: moneyText(-sum(withdrawals.map(paid))),
    transfers_in: moneyText(sum(transfersIn.map(({ amount }) => amount))),
    transfers_out: moneyText(-sum(transfersOut.map(paid))),
    settlements: moneyText(-sum(settlements.map(paid))),
    charges: moneyText(sum(leaving.map((entry) => paid(entry) - entry.amount))),
    adjustments: moneyText(sum(of("adjustment", "opening").map(({ amount }) => amount))),
    closing: moneyText(balanceBefore(own, startOf(nextDay(day), house.zone))),
    difference: null,
  };
}

/** A merchant's day, posting by posting. */
function merchantDay(house: House, merchant: string, day: string) {
  const all = entriesOf.get(house) ?? [];
  const wallet = all.filter(({ account_kind, owner }) => account_kind === "wallet" && owner === merchant);
  const hold = all.filter(({ account_kind, owner }) => account_kind === "hold" && owner === merchant);
  const moved = within([...wallet, ...hold], day, house.zone);
  const [start, end] = [startOf(day, house.zone), startOf(nextDay(day), house.zone)];
  const of = (kind: string) => [...new Set(moved.filter((entry) => base(entry.kind) === kind).map(({ group }) => group))];
  const cost = (groups: readonly string[]) => sum(moved.filter(({ group }) => groups.includes(group)).map(({ amount }) => amount));
  const kindOf = (group: string) => all.find((entry) => entry.group === group)?.kind ?? "";
  const times = (groups: readonly string[]) => groups.reduce((n, group) => n + (isBack(kindOf(group)) ? -1 : 1), 0);
  const gross = (groups: readonly string[]) =>
    sum(groups.map((group) => (isBack(kindOf(group)) ? -1n : 1n) * (all.find((entry) => entry.group === group)?.asked ?? 0n)));
  const [deposits, withdrawals, settlements] = [of("deposit"), of("withdrawal"), of("settlement")];
  const others = [...of("adjustment"), ...of("opening")];
  return {
    opening: moneyText(balanceBefore(wallet, start)),
    deposits_n: times(deposits),
    deposits: moneyText(gross(deposits)),
    deposits_net: moneyText(cost(deposits)),
    deposits_fee: moneyText(gross(deposits) - cost(deposits)),
    withdrawals_n: times(withdrawals),
    withdrawals: moneyText(gross(withdrawals)),
    withdrawals_fee: moneyText(-cost(withdrawals) - gross(withdrawals)),
    settlements: moneyText(-cost(settlements)),
    adjustments: moneyText(cost(others)),
    held: moneyText(balanceBefore(hold, start) - balanceBefore(hold, end)),
    closing: moneyText(balanceBefore(wallet, end)),
    difference: null,
  };
}

const period = (day: string, zone: number) => ({
  "filter[day_from]": new Date(startOf(day, zone)).toISOString(),
  "filter[day_to]": new Date(startOf(nextDay(day), zone)).toISOString(),
});
const none = { params: undefined, body: undefined };
type AccountQuery = z.input<typeof accountDayRoutes.listAccountDays.query>;

async function accountRows(house: House, query: AccountQuery): Promise<AccountDay[]> {
  const parsed = accountDayRoutes.listAccountDays.query.parse(query);
  return (await accountDayHandlers.listAccountDays(call(house), { ...none, query: parsed })).data;
}
const merchantRows = async (house: House, day: string): Promise<MerchantDay[]> =>
  (
    await merchantDayHandlers.listMerchantDays(call(house), {
      ...none,
      query: merchantDayRoutes.listMerchantDays.query.parse(period(day, house.zone)),
    })
  ).data;
const cashRow = async (house: House, day: string): Promise<CashFlowDay | undefined> =>
  (
    await cashFlowHandlers.listCashFlowDays(call(house), {
      ...none,
      query: cashFlowRoutes.listCashFlowDays.query.parse(period(day, house.zone)),
    })
  ).data[0];

/** 500 days of accounts and merchants, each read as the report shows it. */
async function compareDays(): Promise<void> {
  let compared = 0;
  while (compared < 500) {
    const [house, day] = [pick(houses), randomDay()];
    // oxlint-disable-next-line no-await-in-loop -- one after the other, because they share a database
    const [accounts, merchants] = [await accountRows(house, period(day, house.zone)), await merchantRows(house, day)];
    for (const row of accounts) expect(row).toMatchObject({ day, ...accountDay(house, row.owner?.uuid ?? "", day) });
    for (const row of merchants) expect(row).toMatchObject({ day, ...merchantDay(house, row.owner?.uuid ?? "", day) });
    expect(accounts.map(({ owner }) => owner?.uuid).toSorted()).toEqual(house.accounts.map(({ id }) => id).toSorted());
    const cash = await cashRow(house, day); // oxlint-disable-line no-await-in-loop -- as above
    const total = (read: (row: AccountDay) => string | null) => moneyText(sum(accounts.map((row) => money(read(row) ?? "0"))));
    expect(cash).toMatchObject({
      opening: total(({ opening }) => opening),
      deposits: total(({ deposits }) => deposits),
      withdrawals: total(({ withdrawals }) => withdrawals),
      charges: total(({ charges }) => charges),
      closing: total(({ closing }) => closing),
      difference: null,
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
    expect(byDay.slice(1).map(({ opening }) => opening)).toEqual(byDay.slice(0, -1).map(({ closing }) => closing));
    // a row's uuid is enough to find it again
    for (const row of [...byOwner, ...byDay, ...each.slice(0, 5)])
      expect(
        (await accountDayHandlers.readAccountDay(call(house), { ...none, query: undefined, params: { uuid: row.uuid } })).data.row,
      ).toEqual(row); // oxlint-disable-line no-await-in-loop
  }
});

test("the entries behind each figure add up to it", async () => {
  const figures = ["deposits", "withdrawals", "transfers_in", "transfers_out", "settlements", "charges", "adjustments"] as const;
  let seen = 0;
  for (const house of houses) {
    for (const day of ["2025-12-31", "2026-03-29", "2026-10-25", "2026-10-31"]) {
      // oxlint-disable-next-line no-await-in-loop -- as above
      for (const row of await accountRows(house, period(day, house.zone))) {
        for (const figure of figures) {
          const query = { from: day, to: day, figure, code: row.code ?? "" };
          const { data } = await accountDayHandlers.listAccountDayEntries(call(house), { ...none, query }); // oxlint-disable-line no-await-in-loop
          expect(data.sum, figure).toBe(row[figure]);
          expect(moneyText(sum(data.entries.map(({ amount }) => money(amount))))).toBe(row[figure]);
          seen += data.count;
        }
      }
      const query = { from: day, to: day };
      // oxlint-disable-next-line no-await-in-loop -- as above
      const flows = await cashFlowHandlers.listCashFlowDays(call(house), {
        ...none,
        query: cashFlowRoutes.listCashFlowDays.query.parse(period(day, house.zone)),
      });
      // oxlint-disable-next-line no-await-in-loop -- as above
      const transfers = await cashFlowHandlers.listCashFlowEntries(call(house), { ...none, query: { ...query, figure: "transfers" } });
      expect(transfers.data.sum).toBe(flows.data[0]?.transfers);
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
        ] as const) {
          const query = { from: day, to: day, figure, code: row.code ?? "" };
          const { data } = await merchantDayHandlers.listMerchantDayEntries(call(house), { ...none, query }); // oxlint-disable-line no-await-in-loop
          expect(data.sum, figure).toBe(row[figure]);
        }
      }
    }
  }
  expect(seen).toBeGreaterThan(100);
});
