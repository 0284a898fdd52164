import type { z } from "zod";
import type { AccountDay, CashFlowDay, MerchantDay } from "../../src/contract/reports.ts";
import { accountDayRoutes, cashFlowRoutes, merchantDayRoutes } from "../../src/contract/reports.ts";
import type { seededRandom } from "../../src/server/demo/random.ts";
import { depositHandlers } from "../../src/server/payments/deposits.ts";
import { withdrawalHandlers } from "../../src/server/payments/withdrawals.ts";
import { accountDayHandlers, cashFlowHandlers, merchantDayHandlers } from "../../src/server/reports/reports.ts";
import { money, moneyText } from "../../src/values/money.ts";
import type { Clock } from "./clock.ts";
import type { TestDatabase } from "./database.ts";
import type { Account, Merchant } from "./factories.ts";
import { makeAccount, makeGroup, makeMerchant } from "./factories.ts";
import type { Office } from "./payments.ts";
import { body, done, makeOffice, only } from "./payments.ts";
import { transfersBy } from "./transfers.ts";

/** Houses whose days are reported, and the same days by brute force over what the database has of them. */

export type Dice = Pick<ReturnType<typeof seededRandom>, "next" | "pick">;

/** An office in a zone, three accounts that are charged differently, and two merchants. */
export interface House {
  readonly office: Office;
  readonly zone: number;
  readonly accounts: readonly Account[];
  readonly merchants: readonly Merchant[];
}

export interface Entry {
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

/** From an evening before the first day that is reported. */
export async function makeHouse(db: TestDatabase, clock: Clock, zone: number, from: Date): Promise<House> {
  const office = await makeOffice(db, { settings: { recall_seconds: 60, claim_limit: 100 } });
  await db.owner.query("update currencies set zone_minutes = $2 where tenant_id = $1", [office.tenant.id, zone]);
  await clock.be(from);
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
  return { office, zone, accounts, merchants };
}

/** A colleague's call in the house's zone. */
export const callIn = ({ office, zone }: House) => ({ ...office.call(), currencyFacts: { minorDigits: 2, zoneMinutes: zone } });

/** One thing that happens in a house, at the clock's time. */
export async function happens({ office, accounts, merchants }: House, { next: random, pick }: Dice): Promise<void> {
  const amountUpTo = (most: number): string => (1 + Math.floor(random() * most * 100) / 100).toFixed(2);
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

/** What the ledger has of a tenant. */
export async function readEntries(db: TestDatabase, tenant: string): Promise<Entry[]> {
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
export const startOf = (day: string, zone: number): number => Date.parse(`${day}T00:00:00Z`) - zone * 60_000;
/** The day after one. */
export const nextDay = (day: string): string => new Date(Date.parse(day) + 86_400_000).toISOString().slice(0, 10);

/** Entries of a day of a zone. */
export const within = (entries: readonly Entry[], day: string, zone: number) =>
  entries.filter(({ at }) => at >= startOf(day, zone) && at < startOf(nextDay(day), zone));
const balanceBefore = (entries: readonly Entry[], at: number): bigint => entries.filter((entry) => entry.at < at).at(-1)?.balance ?? 0n;
export const sum = (amounts: readonly bigint[]): bigint => amounts.reduce((total, one) => total + one, 0n);
const base = (kind: string): string => kind.replace(/\.recall$/, "");
const isBack = (kind: string): boolean => kind.endsWith(".recall");
const abs = (amount: bigint): bigint => (amount < 0n ? -amount : amount);

/** An account's day, entry by entry. */
export function accountDay({ zone }: House, entries: readonly Entry[], account: string, day: string) {
  const own = entries.filter(({ account_kind, owner }) => account_kind === "payment-account" && owner === account);
  const moved = within(own, day, zone);
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
    opening: moneyText(balanceBefore(own, startOf(day, zone))),
    deposits_n: times(deposits),
    deposits: moneyText(sum(deposits.map(({ amount }) => amount))),
    withdrawals_n: times(withdrawals),
    withdrawals: moneyText(-sum(withdrawals.map(paid))),
    transfers_in: moneyText(sum(transfersIn.map(({ amount }) => amount))),
    transfers_out: moneyText(-sum(transfersOut.map(paid))),
    settlements: moneyText(-sum(settlements.map(paid))),
    charges: moneyText(sum(leaving.map((entry) => paid(entry) - entry.amount))),
    adjustments: moneyText(sum(of("adjustment", "opening").map(({ amount }) => amount))),
    closing: moneyText(balanceBefore(own, startOf(nextDay(day), zone))),
    difference: null,
  };
}

/** A merchant's day, posting by posting. */
export function merchantDay({ zone }: House, all: readonly Entry[], merchant: string, day: string) {
  const wallet = all.filter(({ account_kind, owner }) => account_kind === "wallet" && owner === merchant);
  const hold = all.filter(({ account_kind, owner }) => account_kind === "hold" && owner === merchant);
  const moved = within([...wallet, ...hold], day, zone);
  const [start, end] = [startOf(day, zone), startOf(nextDay(day), zone)];
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

/** The filter of a report's list for one day. */
export const period = (day: string, zone: number) => ({
  "filter[day_from]": new Date(startOf(day, zone)).toISOString(),
  "filter[day_to]": new Date(startOf(nextDay(day), zone)).toISOString(),
});
export const none = { params: undefined, body: undefined };
type AccountQuery = z.input<typeof accountDayRoutes.listAccountDays.query>;

export async function accountRows(house: House, query: AccountQuery): Promise<AccountDay[]> {
  const parsed = accountDayRoutes.listAccountDays.query.parse(query);
  return (await accountDayHandlers.listAccountDays(callIn(house), { ...none, query: parsed })).data;
}
export const merchantRows = async (house: House, day: string): Promise<MerchantDay[]> =>
  (
    await merchantDayHandlers.listMerchantDays(callIn(house), {
      ...none,
      query: merchantDayRoutes.listMerchantDays.query.parse(period(day, house.zone)),
    })
  ).data;
export const cashRow = async (house: House, day: string): Promise<CashFlowDay | undefined> =>
  (
    await cashFlowHandlers.listCashFlowDays(callIn(house), {
      ...none,
      query: cashFlowRoutes.listCashFlowDays.query.parse(period(day, house.zone)),
    })
  ).data[0];

/** A decision on a merchant's transaction, at ms, and how long it took from its request, if it was approved. */
export interface Decision {
  readonly merchant: string;
  readonly at: number;
  readonly act: string;
  readonly status: string;
  readonly seconds: number;
}

/** What was decided of a tenant's transactions. */
export async function readDecisions(db: TestDatabase, tenant: string): Promise<Decision[]> {
  const { rows } = await db.owner.query<Record<"merchant" | "act" | "status" | "at" | "seconds", string>>(
    `select t.merchant_id as merchant, v.act, v.to_status as status, extract(epoch from v.at) * 1000 as at, extract(epoch from v.at - t.created_at) as seconds
     from transaction_events v join transactions t on t.tenant_id = v.tenant_id and t.id = v.transaction_id
     where v.tenant_id = $1 and v.from_status <> v.to_status`,
    [tenant],
  );
  return rows.map((row) => ({ ...row, at: Number(row.at), seconds: Number(row.seconds) }));
}

/** Of a merchant's day: percent approved, and the minutes half and all but a twentieth of the approvals took at most. */
export function decidedDay({ zone }: House, decisions: readonly Decision[], merchant: string, day: string) {
  const own = decisions.filter((one) => one.merchant === merchant && one.at >= startOf(day, zone) && one.at < startOf(nextDay(day), zone));
  const took = own
    .filter(({ status }) => status === "approved")
    .map(({ seconds }) => seconds)
    .toSorted((a, b) => a - b);
  const approved = took.length - own.filter(({ act }) => act === "recall").length;
  const failed = own.filter(({ status }) => status === "rejected" || status === "expired").length;
  const within = (share: number) => {
    const seconds = took[Math.max(0, Math.ceil(share * took.length) - 1)];
    return seconds === undefined ? null : Math.round(Math.round(seconds) / 6) / 10;
  };
  return {
    success: approved + failed <= 0 ? null : Math.round((approved / (approved + failed)) * 1000) / 10,
    median_minutes: within(0.5),
    p95_minutes: within(0.95),
  };
}
