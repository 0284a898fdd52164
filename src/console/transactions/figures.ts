import type { Transaction } from "../../contract/transactions.ts";
import { money, moneyText } from "../../values/money.ts";
import { shownAmount } from "../kit/look/amounts.ts";
import { text } from "../kit/texts/texts.ts";

type Rows = readonly Pick<Transaction, "amount" | "currency">[];

const sumOf = (rows: Rows): bigint => rows.reduce((sum, row) => sum + money(row.amount), 0n);
const shown = (amount: bigint): string => shownAmount(moneyText(amount));

/** What marked rows come to: their sum, and with it largest and mean as the status bar shows them. */
export function figuresOf(rows: Rows): { readonly note: string; readonly figures: readonly string[] } {
  const sum = sumOf(rows);
  const note = `${shown(sum)} ${rows[0]?.currency ?? ""}`;
  if (rows.length === 0) return { note, figures: [] };
  const largest = rows.reduce((most, row) => (money(row.amount) > most ? money(row.amount) : most), 0n);
  const max = text("transaction.figure.max", { amount: shown(largest) });
  const mean = text("transaction.figure.mean", { amount: shown(sum / BigInt(rows.length)) });
  return { note, figures: [`Σ ${shown(sum)}`, max, mean] };
}
