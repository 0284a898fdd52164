import type { Deposit } from "../../contract/deposits.ts";
import type { Check } from "../../contract/transactions.ts";
import type { Money } from "../../values/money.ts";
import { money } from "../../values/money.ts";
import { texts } from "./account-lines.ts";
import type { AccountFacts } from "./accounts.ts";
import { likeEnough } from "./checks.ts";
import { localDay } from "./limits.ts";
import { nameLikeness } from "./names.ts";
import type { KnownDeposit } from "./transaction-rows.ts";

/**
 * The checks of a deposit before the merchant is credited with `amount`, with their numbers. Only another amount than the bank line's fails:
 * money that has arrived is not refused because an account is full or closed.
 */
export function depositChecks(row: KnownDeposit, account: AccountFacts | undefined, amount: Money): Check[] {
  return [
    lineCheck(row, amount),
    ...nameCheck(row),
    ...referenceCheck(row),
    counted("same-payer", row.same_payer, { hours: "24" }),
    ...(account ? accountChecks(row, account, amount) : []),
    { name: "merchant-active", result: row.merchant_status === "active" ? "pass" : "warn", values: { status: row.merchant_status } },
    ...proofCheck(row),
  ];
}

function lineCheck({ line }: KnownDeposit, amount: Money): Check {
  if (!line) return { name: "line-amount", result: "notice", values: {} };
  const proved = money(line.amount);
  return { name: "line-amount", result: proved === amount ? "pass" : "fail", values: texts({ amount, line: proved }) };
}

/** Present where the bank line names who paid. */
function nameCheck({ line, customer_name }: KnownDeposit): Check[] {
  const holder = line?.counterparty ?? "";
  if (holder === "") return [];
  const likeness = nameLikeness(customer_name, holder);
  const values = { customer: customer_name, holder, likeness: String(likeness) };
  return [{ name: "name-match", result: likeness < likeEnough ? "warn" : "pass", values }];
}

const referenceCheck = ({ reference_no, reference_used }: KnownDeposit): Check[] =>
  reference_no === null ? [] : [counted("reference-used", reference_used, { reference: reference_no })];

function counted(name: "reference-used" | "same-payer", others: KnownDeposit["same_payer"], values: Check["values"]): Check {
  if (!others || others.count === 0) return { name, result: "pass", values: { ...values, count: "0" } };
  return { name, result: "warn", values: { ...values, count: String(others.count), txn_no: others.txn_no } };
}

function accountChecks(row: KnownDeposit, account: AccountFacts, amount: Money): Check[] {
  const { code, status } = account;
  const use = usedWith(row, account, amount);
  return [
    { name: "account-status", result: status === "active" ? "pass" : "warn", values: { account: code, status } },
    headroom("daily-headroom", code, use.daily, account.daily_limit),
    headroom("monthly-headroom", code, use.monthly, account.monthly_limit),
  ];
}

/**
 * What is used of the account's limits of today and this month once `amount` arrives. The deposit counts from its creation, on the day of
 * its creation or reopening.
 */
export function usedWith(row: KnownDeposit, { daily_used, monthly_used }: AccountFacts, amount: Money): { daily: Money; monthly: Money } {
  const today = localDay(row.now, row.zone_minutes);
  const change = amount - money(row.amount);
  return {
    daily: row.limit_day === today ? daily_used + change : daily_used,
    monthly: row.limit_day?.slice(0, 7) === today.slice(0, 7) ? monthly_used + change : monthly_used,
  };
}

function headroom(name: "daily-headroom" | "monthly-headroom", account: string, after: Money, limit: Money | null): Check {
  if (limit === null) return { name, result: "pass", values: texts({ account, after }) };
  return { name, result: after <= limit ? "pass" : "warn", values: texts({ account, after, limit, left: limit - after }) };
}

/** Present for a deposit made by hand. */
function proofCheck(row: KnownDeposit): Check[] {
  if (row.source !== "manual") return [];
  const by = row.line ? "line" : row.receipt_id === null ? "none" : "receipt";
  return [{ name: "proof", result: by === "none" ? "warn" : "pass", values: { by } }];
}

/** A deposit made by hand that nothing proves needs a second person, whatever its amount. */
export const needsSecond = (checks: readonly Check[]): boolean => checks.some(({ name, result }) => name === "proof" && result === "warn");

/** The flags of a row in the list. */
export function depositFlagsOf(row: KnownDeposit, checks: readonly Check[]): Deposit["flags"] {
  const warns = (...names: Check["name"][]) =>
    checks.some(({ name, result }) => names.includes(name) && result !== "pass" && result !== "notice");
  const isLate = row.expires_at !== null && row.processed_at !== null && row.processed_at > row.expires_at;
  return [
    ...(warns("same-payer", "reference-used") ? ["duplicate" as const] : []),
    ...(warns("daily-headroom", "monthly-headroom") ? ["limit" as const] : []),
    ...(warns("name-match") ? ["name-mismatch" as const] : []),
    ...(warns("line-amount") ? ["other-amount" as const] : []),
    ...(warns("account-status") ? ["account" as const] : []),
    ...(warns("proof") ? ["unproved" as const] : []),
    ...(isLate ? ["late" as const] : []),
    // an approval was recalled; a reopening counts as a round too
    ...(row.recalls > Number(isLate) ? ["returned" as const] : []),
  ];
}
