import fc from "fast-check";
import { expect, test } from "vitest";
import { PayoutRequest } from "../../../src/contract/payouts.ts";
import type { AccountFacts } from "../../../src/server/payments/accounts.ts";
import { weighAll } from "../../../src/server/payments/accounts.ts";
import type { KnownWithdrawal } from "../../../src/server/payments/transaction-rows.ts";
import type { DecisionFacts } from "../../../src/server/payments/withdrawal-rows.ts";
import { candidateOf, deskOf } from "../../../src/server/payouts/candidates.ts";
import { loadsOf } from "../../../src/server/payouts/loads.ts";
import { spread } from "../../../src/server/payouts/planner/planner.ts";
import { nth } from "../../../src/server/payouts/planner/problem.ts";
import { reasonsOf } from "../../../src/server/payouts/reasons.ts";
import { readSettings } from "../../../src/server/settings/settings.ts";
import { money, moneyText } from "../../../src/values/money.ts";

/** The plan against the rule by which each withdrawal is approved in the end (account-lines.ts), without a database. */

const unit = 10_000n;
const amount = (from: bigint, to: bigint) => fc.bigInt({ min: from, max: to }).map((whole) => whole * unit);
const limit = (from: bigint, to: bigint) => fc.option(amount(from, to), { freq: 2 });
const text = (value: bigint | null) => (value === null ? null : moneyText(value));

const rate = fc.record({
  account_window_minutes: fc.constant(60),
  account_max_count: fc.option(fc.integer({ min: 1, max: 6 })),
  account_turnover: limit(50n, 400n).map(text),
  account_max_amount: limit(50n, 150n).map(text),
  member_window_minutes: fc.constant(null),
  member_max_count: fc.constant(null),
  member_turnover: fc.constant(null),
  member_max_amount: fc.constant(null),
  used_count: fc.integer({ min: 0, max: 2 }),
  used_amount: amount(0n, 60n).map(moneyText),
});

const account: fc.Arbitrary<AccountFacts> = fc.record({
  id: fc.uuid(),
  code: fc.constant("ACC"),
  bank: fc.constantFrom("Maybank", "CIMB"),
  account_number: fc.constant("1"),
  holder: fc.constant("House"),
  type: fc.constant("normal" as const),
  purpose: fc.constantFrom("both", "both", "withdrawal", "deposit"),
  method: fc.constantFrom("bank_transfer", "bank_transfer", "e_wallet"),
  status: fc.constantFrom("active", "active", "active", "suspend"),
  critical: fc.constant(false),
  hold_amount: amount(0n, 40n),
  reserve_amount: amount(0n, 40n),
  pending_out: amount(0n, 40n),
  charges_type: fc.constantFrom("fixed", "percent"),
  charges_value: amount(0n, 3n),
  ledger_account_id: fc.uuid(),
  balance: amount(0n, 600n),
  minimum: limit(1n, 40n),
  maximum: limit(60n, 150n),
  daily_limit: limit(50n, 600n),
  monthly_limit: limit(50n, 600n),
  daily_used: amount(0n, 60n),
  monthly_used: amount(0n, 60n),
  rate: fc.option(rate),
});

/** What a plan reads of a withdrawal. */
const withdrawal: fc.Arbitrary<KnownWithdrawal> = fc
  .record({
    id: fc.uuid(),
    amount: amount(1n, 160n).map(moneyText),
    merchant_id: fc.constantFrom("m1", "m2"),
    charges_borne_by: fc.constantFrom("house", "merchant"),
    bank: fc.constantFrom("Maybank", "CIMB"),
  })
  .map(
    (row) =>
      ({
        ...row,
        fee: "1.00",
        merchant_amount: moneyText(money(row.amount) + unit),
        wallet: "4.00",
        member: row.id,
        method: "bank_transfer",
        minor_digits: 2,
        status: "pending",
        created_at: new Date(0),
      }) as Partial<KnownWithdrawal> as KnownWithdrawal, // the rest is not read
  );

const scene = fc.record({
  accounts: fc.uniqueArray(account, { minLength: 1, maxLength: 5, selector: ({ id }) => id }),
  rows: fc.uniqueArray(withdrawal, { minLength: 1, maxLength: 25, selector: ({ id }) => id }),
  prefer: fc.constantFrom("number" as const, "sum" as const),
  leftOut: fc.nat(8),
  pinned: fc.nat(8),
});

function planned({ accounts, rows, prefer, leftOut, pinned }: typeof scene extends fc.Arbitrary<infer S> ? S : never) {
  const facts: DecisionFacts = { settings: readSettings({}), accounts, memberUses: [] };
  const pin = accounts[pinned]?.id;
  const without = accounts[leftOut]?.id;
  const asked = {
    rows: [{ uuid: rows[0]?.id ?? "", version: 1 }],
    pins: pin ? [{ uuid: rows[0]?.id ?? "", account: pin }] : [],
    without: { accounts: without ? [without] : [] },
  };
  const desk = deskOf(facts, PayoutRequest.parse(asked), rows);
  const candidates = rows.map((row) => candidateOf(row, desk));
  const options = spread({ payouts: candidates.map(({ payout }) => payout), rooms: desk.rooms, purses: desk.purses }, prefer);
  const placed = new Map(options.flatMap((option, at) => (option ? [[nth(rows, at).id, option] as const] : [])));
  return { desk, candidates, placed, pin, without };
}

test("each withdrawal of a plan passes the rule of its approval after those before it, and no wallet is short", () => {
  fc.assert(
    fc.property(scene, (given) => {
      const { desk, candidates, placed, pin, without } = planned(given);
      const before = new Map<string, typeof placed extends Map<string, infer O> ? O : never>();
      for (const { row, need } of candidates) {
        const option = placed.get(row.id);
        if (!option) continue;
        const [judged] = weighAll([nth(loadsOf(desk, candidates, before).after, option.account)], need);
        expect([judged?.unfit, judged?.charges, judged?.account.id === without]).toEqual([null, option.charges, false]);
        if (row === candidates[0]?.row && pin !== undefined) expect(judged?.account.id).toBe(pin); // oxlint-disable-line vitest/no-conditional-expect -- some are pinned
        before.set(row.id, option);
      }
      const taken = Map.groupBy(
        candidates.filter(({ row }) => row.charges_borne_by === "merchant"),
        ({ row }) => row.merchant_id,
      );
      for (const rows of taken.values()) {
        const borne = rows.reduce((sum, { row }) => sum + (placed.get(row.id)?.charges ?? 0n), 0n);
        expect(borne <= money("4.00")).toBe(true);
      }
    }),
    { numRuns: 300 },
  );
});

test("each reason is what the rule says of that account as the plan leaves it, and names every account that was asked", () => {
  fc.assert(
    fc.property(scene, (given) => {
      const { desk, candidates, placed, pin, without } = planned(given);
      const loads = loadsOf(desk, candidates, placed);
      for (const [at, candidate] of candidates.entries()) {
        if (placed.has(candidate.row.id)) continue;
        const reasons = reasonsOf(candidate, desk, loads);
        const asked = given.accounts.filter(({ id }) => id !== without && (at > 0 || pin === undefined || id === pin)).map(({ id }) => id);
        expect(reasons.flatMap(({ accounts }) => accounts).toSorted()).toEqual(asked.toSorted());
        for (const { code, values, accounts } of reasons) {
          const unfits = accounts.map((id) => {
            const [one] = weighAll(
              loads.after.filter((left) => left.id === id),
              candidate.need,
            );
            return one?.unfit ?? null;
          });
          const own = code === "wallet-hold" ? null : code;
          expect(new Set(unfits.map((unfit) => unfit?.code ?? null))).toEqual(new Set(accounts.length > 0 ? [own] : []));
          if (own !== null && accounts.length > 0) expect(values).toEqual(unfits[0]?.values); // oxlint-disable-line vitest/no-conditional-expect -- a wallet has no account's values
        }
      }
    }),
    { numRuns: 300 },
  );
});
