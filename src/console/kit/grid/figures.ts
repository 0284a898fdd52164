import type { Figures } from "../commands/grid-handle.ts";
import { parseMoney, type Money } from "../../../values/money.ts";
import { amountDecimals } from "../look/amounts.ts";

/** Adds up amounts one by one; a cell without an amount is skipped. */
export class Adding {
  #count = 0;
  #sum: Money = 0n;

  add(amount: string | null): void {
    const value = amount === null ? null : parseMoney(amount);
    if (value === null) return;
    this.#count += 1;
    this.#sum += value;
  }

  /** Formatted with the decimals of the selected currency. */
  figures(places = amountDecimals()): Figures | null {
    if (this.#count === 0) return null;
    return { count: this.#count, sum: worded(this.#sum, 1n, places), mean: worded(this.#sum, BigInt(this.#count), places) };
  }
}

/** sum ÷ by, formatted as an amount and rounded half to even. A sum may have more digits than an amount. */
function worded(sum: Money, by: bigint, places: number): string {
  const step = by * 10n ** BigInt(4 - places);
  const absolute = sum < 0n ? -sum : sum;
  const rest = (absolute % step) * 2n;
  let units = absolute / step;
  if (rest > step || (rest === step && units % 2n === 1n)) units += 1n;
  const ones = 10n ** BigInt(places);
  const whole = String(units / ones).replace(/\B(?=(\d{3})+$)/g, ",");
  const fraction = places > 0 ? `.${String(units % ones).padStart(places, "0")}` : "";
  return `${sum < 0n ? "−" : ""}${whole}${fraction}`;
}
