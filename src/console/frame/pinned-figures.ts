import type { Pin, PinThreshold, SavedView } from "../../contract/preferences.ts";
import { formatCount } from "../../values/counts.ts";
import { money } from "../../values/money.ts";
import { spanText } from "../api/formats.ts";
import { shownAmount } from "../kit/look/amounts.ts";
import { text } from "../kit/texts/texts.ts";

/** What a list has now. */
interface ListFigures {
  /** Null: counting takes too long. */
  readonly count: number | null;
  /** What its rows come to; null: nothing is summed. */
  readonly sum: string | null;
  /** When the oldest row was made; null: there is none, or its kind has no time. */
  readonly oldestAt: number | null;
}

export interface Figures extends ListFigures {
  /** Server time (ms): what happened later is not in them. */
  readonly asOf: number;
}

/** "Found: 75 · Sum 244,203.03 · Oldest 41:51", at this server time (ms). */
export const figuresText = ({ count, sum, oldestAt }: ListFigures, now: number): string =>
  [
    ...(count === null ? [] : [text("query.answer.count", { found: formatCount(count) })]),
    ...(sum === null ? [] : [text("query.answer.sum", { sum: shownAmount(sum) })]),
    ...(oldestAt === null ? [] : [text("query.answer.oldest", { age: spanText(now - oldestAt) })]),
  ].join(" · ");

/** One's own pin of a view stands for the tenant's. */
export const pinOf = ({ pin, tenant_pin }: SavedView): Pin | null => pin ?? tenant_pin;

/** Whether the figures are past the threshold at this server time (ms). That of a sum counts in its own currency alone. */
export function isPast(threshold: PinThreshold | null, { count, sum, oldestAt }: Figures, now: number, currency: string | null): boolean {
  switch (threshold?.of) {
    case undefined:
      return false;
    case "count":
      return count !== null && count > threshold.over;
    case "sum":
      return sum !== null && currency === threshold.currency && money(sum) > money(threshold.over);
    case "age":
      return oldestAt !== null && now - oldestAt > threshold.over * 60_000;
  }
}
