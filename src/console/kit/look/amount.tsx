import { amountDecimals, shownAmount } from "./amounts.ts";
import { formatAmount, isAmount } from "../../../values/money.ts";
import { text, useText } from "../texts/texts.ts";

/** Marks an unreadable amount, which shows as 0.00 (specification, point 9), so that nobody takes it for a real one. */
export function markAmount(cell: HTMLElement, amount: string | null): void {
  const wrong = amount !== null && !isAmount(amount);
  if (cell.classList.contains("no-amount") === wrong) return;
  cell.classList.toggle("no-amount", wrong);
  cell.title = wrong ? text("amount.unreadable") : "";
  if (wrong) cell.ariaLabel = text("amount.unreadable-spoken", { shown: shownAmount(amount) });
  else cell.removeAttribute("aria-label");
}

/** An amount in running text, marked likewise when unreadable. `decimals`: those of its currency, where that may not be the selected one. */
export function Amount({ text: amount, decimals = amountDecimals() }: { text: string; decimals?: number | undefined }) {
  const t = useText();
  const shown = <bdi>{formatAmount(amount, decimals)}</bdi>;
  if (isAmount(amount)) return shown;
  return (
    <span className="no-amount" title={t("amount.unreadable")}>
      {shown}
      <span className="sr"> {t("amount.unreadable")}</span>
    </span>
  );
}
