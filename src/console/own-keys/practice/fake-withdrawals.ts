import type { Check } from "../../../contract/transactions.ts";
import { money } from "../../../values/money.ts";
import { shownAmount } from "../../kit/look/amounts.ts";
import type { GridRow } from "../../kit/grid/grid-column.ts";
import type { TenantRules } from "./tenant-rules.ts";

/** The right decision: "wait" must be deferred first, and approved when it comes again. */
export type Right = "approve" | "wait" | "name-mismatch" | "over-limit" | "duplicate";

/** A made-up withdrawal. */
export interface FakeWithdrawal extends GridRow {
  readonly txn_no: string;
  readonly amount: string;
  readonly holder: string;
  readonly customer_name: string;
  readonly bank: string;
  readonly account_number: string;
  readonly merchant: string;
  readonly status: "process" | "approved" | "rejected";
  readonly claimed: boolean;
  readonly right: Right;
}

const limit = "30000.00";

/** Amount, customer, bank, right decision; the payee is the customer unless the names must differ. */
const drafts: readonly (readonly [amount: string, customer: string, bank: string, right: Right, payee?: string])[] = [
  ["1250.00", "Lim Wei Jie", "Maybank", "approve"],
  ["480.00", "Nur Aisyah Rahman", "CIMB", "approve"],
  ["3900.00", "Tan Kok Wai", "Public Bank", "name-mismatch", "Siti Aminah Yusof"],
  ["150.00", "Priya Nair", "RHB", "approve"],
  ["2200.00", "Ahmad Faiz", "Maybank", "approve"],
  ["31500.00", "Wong Mei Ling", "Hong Leong", "over-limit"],
  ["760.00", "Chong Kah Hoe", "CIMB", "approve"],
  ["95.00", "Farah Izzati", "AmBank", "wait"],
  ["5400.00", "Rajesh Kumar", "Maybank", "approve"],
  ["300.00", "Lee Chee Keong", "Public Bank", "approve"],
  ["300.00", "Lee Chee Keong", "Public Bank", "duplicate"],
  ["1890.00", "Norhayati Ismail", "RHB", "approve"],
  ["640.00", "Goh Siew Lan", "CIMB", "approve"],
  ["8800.00", "Muthu Samy", "Maybank", "approve"],
  ["2750.00", "Zulkifli Hassan", "AmBank", "name-mismatch", "Ong Boon Teck"],
  ["410.00", "Teh Yi Ling", "Hong Leong", "approve"],
  ["120.00", "Kavitha Devi", "RHB", "wait"],
  ["990.00", "Yap Jun Hao", "Maybank", "approve"],
  ["6300.00", "Azlan Shah", "CIMB", "approve"],
  ["275.00", "Chan Sook Yee", "Public Bank", "approve"],
];

const two = (n: number): string => String(n).padStart(2, "0");

/** The same twenty each time, so that results can be compared. */
export function fakeWithdrawals(): FakeWithdrawal[] {
  return drafts.map(([amount, customer, bank, right, payee], at) => ({
    uuid: `practice-${two(at + 1)}`,
    txn_no: `WP00000${two(at + 1)}${String(314159 + at * 27183).slice(0, 6)}`,
    amount,
    holder: (payee ?? customer).toUpperCase(),
    customer_name: customer,
    bank,
    account_number: String(5140123400000 + at * 77101).slice(0, 12),
    merchant: at % 3 === 0 ? "Kestrel Games" : "Orchid Play",
    status: "process",
    claimed: false,
    right,
  }));
}

/** Whether its approval must be confirmed by the tenant's rules. */
export const isConfirmed = ({ amount }: FakeWithdrawal, { confirmFrom }: TenantRules): boolean =>
  confirmFrom !== null && money(amount) >= money(confirmFrom);

/** Fewest presses for a row: `a`, with Mod+Enter where confirmed; `r` reason Enter; `h`, then `a` when it is back. */
export function leastPresses(row: FakeWithdrawal, rules: TenantRules): number {
  const approval = isConfirmed(row, rules) ? 2 : 1;
  return row.right === "approve" ? approval : row.right === "wait" ? approval + 1 : 3;
}

export interface CheckLine {
  readonly name: Check["name"];
  readonly result: Check["result"];
  /** Empty: a text of the practice queue says it. */
  readonly value: string;
}

export function checksOf({ right, amount }: FakeWithdrawal): CheckLine[] {
  const over = money(amount) > money(limit);
  return [
    { name: "per-transaction", result: over ? "fail" : "pass", value: `${shownAmount(amount)} ≤ ${shownAmount(limit)}` },
    {
      name: "account-balance",
      result: right === "wait" ? "unknown" : "pass",
      value: right === "wait" ? "" : `${shownAmount("182400.00")} ≥ 0`,
    },
    { name: "same-payee", result: right === "duplicate" ? "fail" : "pass", value: right === "duplicate" ? "1" : "0" },
    { name: "name-match", result: right === "name-mismatch" ? "fail" : "pass", value: right === "name-mismatch" ? "12 %" : "100 %" },
  ];
}
