import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import { describe, expect, test } from "vitest";
import { checksOfLines, linesOf, unfitness } from "../../../src/server/payments/account-lines.ts";
import type { AccountFacts, Need } from "../../../src/server/payments/accounts.ts";
import { loadAccounts, loadMemberUses, weighAll } from "../../../src/server/payments/accounts.ts";
import { localDay } from "../../../src/server/payments/limits.ts";
import { inTenant } from "../../../src/server/db/scope.ts";
import { money, moneyText } from "../../../src/values/money.ts";
import { testDatabase } from "../../support/database.ts";
import { makeAccount, makeGroup, makeMerchant, makeRateGroup } from "../../support/factories.ts";
import { makeOffice } from "../../support/payments.ts";

const unlimited: AccountFacts = {
  id: randomUUID(),
  code: "ACC",
  bank: "Maybank",
  account_number: "1",
  holder: "House",
  type: "normal",
  purpose: "both",
  method: "bank_transfer",
  status: "active",
  critical: false,
  hold_amount: 0n,
  reserve_amount: 0n,
  pending_out: 0n,
  charges_type: "fixed",
  charges_value: money("1"),
  ledger_account_id: randomUUID(),
  balance: money("1000"),
  minimum: null,
  maximum: null,
  daily_limit: null,
  monthly_limit: null,
  daily_used: money("60"),
  monthly_used: money("80"),
  rate: null,
};

const noRate = {
  account_window_minutes: 60,
  account_max_count: null,
  account_turnover: null,
  account_max_amount: null,
  member_window_minutes: 60,
  member_max_count: null,
  member_turnover: null,
  member_max_amount: null,
  used_count: 2,
  used_amount: "60",
};

const merchant = randomUUID();
const memberUse = { merchant_id: merchant, member: "M1", createdAt: new Date(0), minutesAgo: 5 };
const need = (kind: "deposit" | "withdrawal", amount: string): Need => ({
  kind,
  id: null,
  createdAt: null,
  amount: money(amount),
  method: "bank_transfer",
  minorDigits: 2,
  merchant_id: merchant,
  member: "M1",
  memberUses: [
    { ...memberUse, id: randomUUID(), amount: "50" },
    { ...memberUse, id: randomUUID(), amount: "10" },
  ],
});

/** What 40.00 just meets, charges of 1.00 included where they count, and what just is not enough. */
const boundaries: readonly [check: string, reason: string, meets: Partial<AccountFacts>, misses: Partial<AccountFacts>][] = [
  ["per-transaction", "minimum", { minimum: money("40") }, { minimum: money("40.0001") }],
  ["per-transaction", "maximum", { maximum: money("40") }, { maximum: money("39.9999") }],
  ["daily-headroom", "daily", { daily_limit: money("101") }, { daily_limit: money("100.9999") }],
  ["monthly-headroom", "monthly", { monthly_limit: money("121") }, { monthly_limit: money("120.9999") }],
  ["account-balance", "balance", { reserve_amount: money("959") }, { reserve_amount: money("959.0001") }],
  [
    "rate-account",
    "rate-amount",
    { rate: { ...noRate, account_max_amount: "40" } },
    { rate: { ...noRate, account_max_amount: "39.9999" } },
  ],
  ["rate-account", "rate", { rate: { ...noRate, account_max_count: 3 } }, { rate: { ...noRate, account_max_count: 2 } }],
  ["rate-account", "rate", { rate: { ...noRate, account_turnover: "100" } }, { rate: { ...noRate, account_turnover: "99.9999" } }],
  ["rate-member", "rate-amount", { rate: { ...noRate, member_max_amount: "40" } }, { rate: { ...noRate, member_max_amount: "39.9999" } }],
  ["rate-member", "rate", { rate: { ...noRate, member_max_count: 3 } }, { rate: { ...noRate, member_max_count: 2 } }],
  ["rate-member", "rate", { rate: { ...noRate, member_turnover: "100" } }, { rate: { ...noRate, member_turnover: "99.9999" } }],
];

test.each(boundaries)("%s fails exactly where the account is unfit because of %s", (check, reason, meets, misses) => {
  const judged = (limits: Partial<AccountFacts>) => {
    const account = { ...unlimited, ...limits };
    const asked = need("withdrawal", "40");
    const lines = () => linesOf({ account, payable: account.balance - account.reserve_amount, charges: money("1") }, asked);
    const failed = checksOfLines(lines()).flatMap(({ name, result }) => (result === "fail" ? [name] : []));
    return { failed, code: unfitness(lines())?.code, weighed: weighAll([account], asked)[0]?.unfit?.code };
  };
  expect(judged(meets)).toEqual({ failed: [], code: undefined, weighed: undefined });
  expect(judged(misses)).toEqual({ failed: [check], code: reason, weighed: reason });
});

test("the reason is of the first line that fails, and money coming in needs no balance", () => {
  const account = { ...unlimited, balance: 0n, daily_limit: money("1"), monthly_limit: money("1") };
  const codeOf = (kind: "deposit" | "withdrawal", limits: Partial<AccountFacts> = {}) =>
    weighAll([{ ...account, ...limits }], need(kind, "40"))[0]?.unfit?.code;
  expect(codeOf("withdrawal")).toBe("daily");
  expect(codeOf("withdrawal", { daily_limit: null })).toBe("monthly");
  expect(codeOf("withdrawal", { daily_limit: null, monthly_limit: null })).toBe("balance");
  expect(codeOf("deposit", { daily_limit: null, monthly_limit: null })).toBeUndefined();
  expect(codeOf("withdrawal", { method: "qr", minimum: money("50") })).toBe("method");
  expect(codeOf("withdrawal", { purpose: "deposit", method: "qr" })).toBe("purpose");
});

describe("behind its locks the database decides the same", () => {
  const db = testDatabase();

  /** Whether an account under these limits may take the amount, of which it and the member M1 have two deposits of 30.00 open. */
  async function verdicts(
    columns: object,
    group: Readonly<Record<string, unknown>> | null,
    kind: "deposit" | "withdrawal",
    amount: string,
  ) {
    const office = await makeOffice(db);
    const { id } = await makeMerchant(db, office.tenant);
    const merchant = { id, currency: office.tenant.currency, name: "any" };
    const account = await makeAccount(db, office.tenant, { charges_type: "fixed", charges_value: "1" });
    await makeGroup(db, office.tenant, [account], [merchant]);
    for (const _ of [1, 2]) {
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      await office.deposit(merchant, { amount: "30.00" });
    }
    const limits = { ...columns, ...(group && { rate_limit_group_id: await makeRateGroup(db, office.tenant, group) }) };
    for (const [column, value] of Object.entries(limits)) {
      // oxlint-disable-next-line no-await-in-loop -- a column at a time
      await db.owner.query(`update payment_accounts set ${column} = $2 where id = $1`, [account.id, value]);
    }
    const { zoneMinutes } = office.call().currencyFacts;
    let answer: { weighed: boolean; counted: boolean } | undefined;
    const undone = new Error("what was counted is given back");
    await inTenant(db.database, office.tenant.id, async (scoped) => {
      const asked = { ...need(kind, amount), merchant_id: id };
      const accounts = await loadAccounts(scoped, { currency: merchant.currency, kind, zoneMinutes });
      const memberUses = await loadMemberUses(scoped, kind, accounts, [asked]);
      const [weighed] = weighAll(accounts, { ...asked, memberUses });
      const moved = moneyText(asked.amount + (weighed?.charges ?? 0n));
      const { rows } = await sql<{ counted: boolean }>`
        select limit_take(${account.id}, ${kind}, ${localDay(new Date(), zoneMinutes)}::date, ${moved}::numeric)
          and (${kind} <> 'deposit' or deposit_within_rates(${account.id}, jsonb_populate_record(null::transactions,
            jsonb_build_object('merchant_id', ${id}::uuid, 'member', 'M1', 'amount', ${amount}::numeric)))) as counted`.execute(scoped);
      answer = { weighed: weighed?.unfit === null, counted: rows[0]?.counted ?? false };
      throw undone;
    }).catch((error: unknown) => {
      if (error !== undone) throw error;
    });
    return answer;
  }

  const both = (fits: boolean) => ({ weighed: fits, counted: fits });

  test.each([
    ["a day of deposits", "deposit", { deposit_daily_limit: "100" }, null, "40", "40.0001"],
    ["a month of deposits", "deposit", { deposit_monthly_limit: "100" }, null, "40", "40.0001"],
    ["a day of withdrawals, charges included", "withdrawal", { withdrawal_daily_limit: "41" }, null, "40", "40.0001"],
    ["a month of withdrawals, charges included", "withdrawal", { withdrawal_monthly_limit: "41" }, null, "40", "40.0001"],
    ["an account's turnover", "deposit", {}, { account_window_minutes: 60, account_turnover: "100" }, "40", "40.0001"],
    ["an account's largest amount", "deposit", {}, { account_window_minutes: 60, account_max_amount: "40" }, "40", "40.0001"],
    ["a customer's turnover", "deposit", {}, { member_window_minutes: 60, member_turnover: "100" }, "40", "40.0001"],
    ["a customer's largest amount", "deposit", {}, { member_window_minutes: 60, member_max_amount: "40" }, "40", "40.0001"],
  ] as const)("on %s", async (_, kind, columns, group, fits, exceeds) => {
    expect(await verdicts(columns, group, kind, fits)).toEqual(both(true));
    expect(await verdicts(columns, group, kind, exceeds)).toEqual(both(false));
  });

  test.each(["account", "member"])("on how many one %s may have", async (scope) => {
    const group = (count: number) => ({ [`${scope}_window_minutes`]: 60, [`${scope}_max_count`]: count });
    expect(await verdicts({}, group(3), "deposit", "40")).toEqual(both(true));
    expect(await verdicts({}, group(2), "deposit", "40")).toEqual(both(false));
  });
});
