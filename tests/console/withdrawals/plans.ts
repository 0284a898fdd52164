import type { PayoutAccount, PayoutPlan, PayoutRow } from "../../../src/contract/payouts.ts";
import { money, moneyText } from "../../../src/values/money.ts";

export const uuidOf = (n: number): string => `00000000-0000-4000-8000-${String(n).padStart(12, "0")}`;

export const aPayout = (n: number, more: Partial<PayoutRow> = {}): PayoutRow => ({
  uuid: uuidOf(n),
  version: 1,
  txn_no: `W2611210${String(n).padStart(6, "0")}`,
  merchant: { uuid: uuidOf(900), code: "HP", name: "Harbour Play" },
  customer_name: `Customer ${n}`,
  bank: "Maybank",
  account_number: "114022074821",
  holder: `HOLDER ${n}`,
  method: "bank_transfer",
  amount: "100.00",
  created_at: "2026-11-21T06:00:00.000Z",
  flags: [],
  tier: 1,
  account: uuidOf(801),
  ground: "room",
  charges: "0.50",
  reasons: [],
  ...more,
});

export const anAccount = (n: number, more: Partial<PayoutAccount> = {}): PayoutAccount => ({
  uuid: uuidOf(n),
  code: `MBB-${n - 800}`,
  bank: "Maybank",
  holder: "Mekong Harbour",
  type: "normal",
  critical: false,
  left_out: false,
  unfit: null,
  count: 0,
  amount: "0.00",
  charges: "0.00",
  balance: "1000.00",
  balance_after: "1000.00",
  hold: "0.00",
  reserve: "100.00",
  payable: "900.00",
  payable_after: "900.00",
  daily_limit: null,
  daily_used: "0.00",
  daily_left_after: null,
  monthly_limit: null,
  monthly_used: "0.00",
  monthly_left_after: null,
  rate: null,
  ...more,
});

/** A plan of these rows; sums and counts follow from them. */
export function aPlan(rows: readonly PayoutRow[], accounts: readonly PayoutAccount[], more: Partial<PayoutPlan> = {}): PayoutPlan {
  const sum = (some: readonly PayoutRow[]) => ({
    count: some.length,
    amount: moneyText(some.reduce((all, { amount }) => all + money(amount), 0n)),
  });
  const placed = rows.filter(({ account }) => account !== null);
  return {
    computed_at: "2026-11-21T06:32:08.000Z",
    rows: [...rows],
    accounts: accounts.map((account) => ({ ...account, count: placed.filter((row) => row.account === account.uuid).length })),
    missing: [],
    matching: rows.length,
    placed: { ...sum(placed), accounts: new Set(placed.map(({ account }) => account)).size, charges: "0.00", charges_of_house: "0.00" },
    cannot: sum(rows.filter(({ account }) => account === null)),
    left_out: sum([]),
    payable_after: "0.00",
    tier: 1,
    tiers: { confirm_from: "5000.00", second_from: "20000.00" },
    second: 0,
    ...more,
  };
}
