import { Refusal } from "../../contract/problems.ts";
import { amountText, money } from "../../values/money.ts";
import type { PartyRow } from "./accounts.ts";
import type { TransferRow } from "./transfer-rows.ts";

/** Refuses a clearing that would not leave zero: the account is used again, or money has come or gone since it was made. */
export function requireWhole(row: Pick<TransferRow, "final_amount">, source: PartyRow | null): void {
  if (source?.status !== "suspend" || money(source.balance) !== money(row.final_amount))
    throw new Refusal("transfer.balance-changed", { balance: amountText(source?.balance ?? "0"), amount: amountText(row.final_amount) });
}
