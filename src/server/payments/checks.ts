import type { Check } from "../../contract/transactions.ts";
import type { Withdrawal } from "../../contract/withdrawals.ts";
import type { Money } from "../../values/money.ts";
import { money } from "../../values/money.ts";
import type { TenantSettings } from "../settings/settings.ts";
import { defaultTier } from "../settings/settings.ts";
import { accountCheckNames, checksOfLines, linesOf, texts } from "./account-lines.ts";
import type { Need, Weighed } from "./accounts.ts";
import { nameLikeness } from "./names.ts";
import type { KnownWithdrawal } from "./transaction-rows.ts";

/** Likeness below which customer and payee count as two people. */
export const likeEnough = 70;

export const tierLimits = (settings: TenantSettings, currency: string) => settings.tiers[currency] ?? defaultTier;

/**
 * The checks of a withdrawal before money leaves, with their numbers. `paying`: the account it would be paid from (undefined: none), which
 * would cost the merchant `debit`.
 */
export function checksOf(row: KnownWithdrawal, need: Need, paying: Weighed | undefined, debit: Money, settings: TenantSettings): Check[] {
  return [...accountChecks(need, paying), ...rowChecks(row, debit, settings)];
}

const accountChecks = (need: Need, paying: Weighed | undefined): Check[] =>
  paying ? checksOfLines(linesOf(paying, need)) : accountCheckNames.map((name) => ({ name, result: "unknown", values: {} }));

/** The checks of the withdrawal itself, whichever account pays. */
function rowChecks(row: KnownWithdrawal, debit: Money, settings: TenantSettings): Check[] {
  const [own, held, wallet] = [money(row.merchant_amount), money(row.held ?? "0"), money(row.wallet ?? "0")];
  const same = row.same_payee;
  const first = row.payee_paid === false;
  const likeness = nameLikeness(row.customer_name, row.holder ?? "");
  const confirmFrom = money(tierLimits(settings, row.currency).confirm_from);
  return [
    // an approval that debits more than its own hold takes the rest from the wallet
    {
      name: "wallet-hold",
      result: held >= own && own + wallet >= debit ? "pass" : "fail",
      values: texts({ held: held < own ? held : own, wallet, needed: debit }),
    },
    { name: "merchant-active", result: row.merchant_status === "active" ? "pass" : "warn", values: { status: row.merchant_status } },
    {
      name: "same-payee",
      result: same && same.count > 0 ? "warn" : "pass",
      values: same && same.count > 0 ? { count: String(same.count), txn_no: same.txn_no, hours: "24" } : { count: "0", hours: "24" },
    },
    {
      name: "first-payee",
      result: !first ? "pass" : money(row.amount) >= confirmFrom ? "warn" : "notice",
      values: { first: String(first) },
    },
    {
      name: "name-match",
      result: likeness < likeEnough ? "warn" : "pass",
      values: { customer: row.customer_name, holder: row.holder ?? "", likeness: String(likeness) },
    },
  ];
}

/** 1 approve directly, 2 confirm the amount, 3 a second person; a warning raises it by one. */
export function tierOf(
  row: { readonly currency: string; readonly amount: string },
  checks: readonly Check[],
  settings: TenantSettings,
): 1 | 2 | 3 {
  const { confirm_from, second_from } = tierLimits(settings, row.currency);
  const amount = money(row.amount);
  const base = amount >= money(second_from) ? 3 : amount >= money(confirm_from) ? 2 : 1;
  const raised = checks.some(({ result }) => result === "warn") ? base + 1 : base;
  return raised >= 3 ? 3 : raised === 2 ? 2 : 1;
}

/** The flags of a row in the list. */
export function flagsOf(row: KnownWithdrawal, checks: readonly Check[]): Withdrawal["flags"] {
  const result = (name: Check["name"]) => checks.find((check) => check.name === name)?.result;
  return [
    ...(result("same-payee") === "warn" ? ["duplicate" as const] : []),
    ...(accountCheckNames.some((name) => result(name) === "fail") ? ["limit" as const] : []),
    ...(result("name-match") === "warn" ? ["name-mismatch" as const] : []),
    ...(row.payee_paid === false ? ["first-payee" as const] : []),
    // released before, or its approval recalled
    ...(row.recalls > 0 || (row.status === "pending" && row.processed_at !== null) ? ["returned" as const] : []),
    ...(row.payout_file_id === null ? [] : ["exported" as const]),
  ];
}
