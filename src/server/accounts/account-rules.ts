import type { PaymentAccountForm } from "../../contract/payment-accounts.ts";
import type { FieldLines } from "../../contract/problems.ts";
import type { Money } from "../../values/money.ts";
import { amountText, money } from "../../values/money.ts";
import type { AccountRow } from "./account-rows.ts";
import { inOrder } from "../records/links.ts";

const maybe = (text: string | null): string | null => (text === null || text === "" ? null : amountText(text));

/** The fields of a form or a row, as columns. An empty amount becomes null. */
export const columnsOf = (form: PaymentAccountForm | AccountRow) => ({
  holder: form.holder,
  type: form.type,
  purpose: form.purpose,
  method: form.method,
  reserve_amount: amountText(form.reserve_amount),
  threshold: amountText(form.threshold),
  deposit_minimum: maybe(form.deposit_minimum),
  deposit_maximum: maybe(form.deposit_maximum),
  withdrawal_minimum: maybe(form.withdrawal_minimum),
  withdrawal_maximum: maybe(form.withdrawal_maximum),
  deposit_daily_limit: maybe(form.deposit_daily_limit),
  deposit_monthly_limit: maybe(form.deposit_monthly_limit),
  withdrawal_daily_limit: maybe(form.withdrawal_daily_limit),
  withdrawal_monthly_limit: maybe(form.withdrawal_monthly_limit),
  charges_type: form.charges_type,
  charges_value: amountText(form.charges_value),
  ...(form.groups && { groups: inOrder(form.groups) }),
  ...(form.rate_limit_group !== undefined && { rate_limit_group: form.rate_limit_group ?? "" }),
});
export type Columns = ReturnType<typeof columnsOf>;

const optional = [
  "deposit_minimum",
  "deposit_maximum",
  "withdrawal_minimum",
  "withdrawal_maximum",
  "deposit_daily_limit",
  "deposit_monthly_limit",
  "withdrawal_daily_limit",
  "withdrawal_monthly_limit",
] as const;

/** The limit of the contract's Amount. */
const tooMuch: Money = money("100000000000000.00");
/** The limit of a hold, and of a reserve: with both the payable balance fits into an Amount, whatever the balance. */
export const tooMuchHeld: Money = money("25000000000000.00");

/** Rules that the contract's schemas cannot express. */
export function accountFaults(form: Columns): FieldLines {
  const lines: FieldLines = {};
  for (const field of optional) {
    const value = form[field];
    if (value !== null && money(value) >= tooMuch) lines[field] = ["Must be below 100,000,000,000,000"];
  }
  for (const kind of ["deposit", "withdrawal"] as const) {
    const [least, most] = [form[`${kind}_minimum`], form[`${kind}_maximum`]];
    if (least !== null && most !== null && money(least) > money(most)) lines[`${kind}_minimum`] = ["Must not exceed the maximum"];
    const [day, month] = [form[`${kind}_daily_limit`], form[`${kind}_monthly_limit`]];
    if (day !== null && month !== null && money(day) > money(month)) lines[`${kind}_daily_limit`] = ["Must not exceed the monthly limit"];
  }
  if (money(form.reserve_amount) >= tooMuchHeld) lines["reserve_amount"] = ["Must be below 25,000,000,000,000"];
  if (form.charges_type === "percent" && money(form.charges_value) > money("100")) lines["charges_value"] = ["Must be at most 100 percent"];
  return lines;
}

/** A limit cannot be lowered below what is used of it. */
export function limitFaults(row: AccountRow, changed: Partial<Columns>): FieldLines {
  const lines: FieldLines = {};
  for (const limit of ["deposit_daily", "deposit_monthly", "withdrawal_daily", "withdrawal_monthly"] as const) {
    const wanted = changed[`${limit}_limit`];
    const used = row[`${limit}_used`];
    if (wanted != null && money(wanted) < money(used)) lines[`${limit}_limit`] = [`Must not be below the ${amountText(used)} used already`];
  }
  return lines;
}
