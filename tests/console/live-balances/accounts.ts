import type { LiveBalance, LiveMeta } from "../../../src/contract/live-balances.ts";

export const uuidOf = (n: number): string => `44444444-4444-4444-8444-${String(n).padStart(12, "0")}`;

/** A day of a zone eight hours east. */
export const meta: LiveMeta = {
  at: "2026-11-21T06:00:00.000Z",
  day_starts_at: "2026-11-20T16:00:00.000Z",
  day_ends_at: "2026-11-21T16:00:00.000Z",
  month_ends_at: "2026-11-30T16:00:00.000Z",
};

const none = { used: "0.00", limit: null };
const nothing = { count: 0, amount: "0.00" };

/** The n-th account, which works and has nothing the matter with it. */
export const anAccount = (n: number, more: Partial<LiveBalance> = {}): LiveBalance => ({
  uuid: uuidOf(n),
  version: 1,
  code: `MBB-${String(n).padStart(2, "0")}`,
  bank: "Maybank",
  account_number: `51401234${n}`,
  holder: "Mekong Harbour Sdn Bhd",
  currency: "MYR",
  type: "normal",
  purpose: "both",
  method: "bank_transfer",
  status: "active",
  state: "normal",
  balance: "1000.00",
  payable: "1000.00",
  hold_amount: "0.00",
  hold_reason: null,
  hold_until: null,
  reserve_amount: "0.00",
  pending_out: "0.00",
  threshold: "0.00",
  deposit_daily: none,
  deposit_monthly: none,
  withdrawal_daily: none,
  withdrawal_monthly: none,
  deposit_minimum: null,
  deposit_maximum: null,
  withdrawal_minimum: null,
  withdrawal_maximum: null,
  charges_type: "fixed",
  charges_value: "0.00",
  notice_key: null,
  last_used_at: null,
  created_at: "2026-11-01T00:00:00.000Z",
  updated_at: "2026-11-01T00:00:00.000Z",
  critical_since: null,
  open_in: nothing,
  open_out: nothing,
  read_at: "2026-11-21T05:00:00.000Z",
  ...more,
});
