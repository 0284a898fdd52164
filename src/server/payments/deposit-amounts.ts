import { Refusal } from "../../contract/problems.ts";
import type { Money } from "../../values/money.ts";
import { fitsMinorUnit, money, moneyText, percentOf } from "../../values/money.ts";
import type { Scoped } from "../db/scope.ts";
import type { DepositAmounts } from "./deposit-rows.ts";
import type { KnownTransaction, TransactionRow } from "./transaction-rows.ts";

/** What a deposit of this amount credits; incoming money has no charges. */
export const creditOf = (amount: Money, fee: Money) => ({
  amount: moneyText(amount),
  fee: moneyText(fee),
  final_amount: moneyText(amount),
  merchant_amount: moneyText(amount - fee),
});

/**
 * The amounts of an approval: with `amount` those of what really arrived, computed as at creation by the merchant's rate. Refuses
 * reason.missing when it is not the requested amount and no reason is given.
 */
export async function arrivedAmounts(
  db: Scoped,
  row: KnownTransaction,
  { amount, reason }: { readonly amount?: string | undefined; readonly reason?: string | undefined },
): Promise<DepositAmounts> {
  if (amount === undefined || money(amount) === money(row.amount)) return row;
  const arrived = money(amount);
  if (!fitsMinorUnit(arrived, row.minor_digits)) {
    throw new Refusal("amount.too-precise", { amount: [`Must have at most ${row.minor_digits} decimals`] });
  }
  if (reason === undefined) throw new Refusal("reason.missing", { reason: ["Must be filled in"] });
  const { deposit_rate } = await db
    .selectFrom("merchants")
    .select("deposit_rate")
    .where("tenant_id", "=", row.tenant_id)
    .where("id", "=", row.merchant_id)
    .executeTakeFirstOrThrow();
  return {
    ...creditOf(arrived, percentOf(arrived, money(deposit_rate), row.minor_digits)),
    asked_amount: row.amount,
    asked_fee: row.fee,
    amount_reason: reason,
  };
}

/** The requested amounts again. */
export function asRequested(row: TransactionRow): DepositAmounts {
  return {
    ...creditOf(money(row.asked_amount ?? row.amount), money(row.asked_fee ?? row.fee)),
    asked_amount: null,
    asked_fee: null,
    amount_reason: null,
  };
}
