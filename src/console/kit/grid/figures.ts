import { parseMoney, type Money } from "../../../values/money.ts";

/** What the amounts of a selection come to, exact. */
export interface Figures {
  readonly count: number;
  /** Worded as amounts are. */
  readonly sum: string;
  readonly mean: string;
}

/** Adds amounts up one by one; a cell without an amount does not count. */
export class Adding {
  #count = 0;
  #sum: Money = 0n;

  add(amount: string | null): void {
    const value = amount === null ? null : parseMoney(amount);
    if (value === null) return;
    this.#count += 1;
    this.#sum += value;
  }

  figures(): Figures | null {
    if (this.#count === 0) return null;
    return { count: this.#count, sum: hundredthsText(this.#sum, 1n), mean: hundredthsText(this.#sum, BigInt(this.#count)) };
  }
}

/** sum ÷ by, worded as the console words amounts: ties to the even hundredth. A sum may have more digits than any amount. */
function hundredthsText(sum: Money, by: bigint): string {
  const step = by * 100n;
  const absolute = sum < 0n ? -sum : sum;
  const rest = (absolute % step) * 2n;
  let hundredths = absolute / step;
  if (rest > step || (rest === step && hundredths % 2n === 1n)) hundredths += 1n;
  const whole = String(hundredths / 100n).replace(/\B(?=(\d{3})+$)/g, ",");
  return `${sum < 0n ? "−" : ""}${whole}.${String(hundredths % 100n).padStart(2, "0")}`;
}
