import type { DecisionRow } from "../../contract/decisions.ts";
import { holderOf } from "../../contract/decisions.ts";
import type { Formats } from "../api/formats.ts";
import { spanText } from "../api/formats.ts";
import { text } from "../kit/texts/texts.ts";

interface InHand {
  readonly name: string;
  /** What a list has room for: how old a claim is, what is left of the time it is put off, or that a second person is awaited. */
  readonly short: string;
  /** null: a claim, which its name says. */
  readonly whole: string | null;
}

/** Who has an open transaction in hand, has put it off, or approved it first; null: it is anybody's, or decided. `now`: ms. */
export function inHand(row: DecisionRow, now: number, formats: Formats): InHand | null {
  const holder = holderOf(row, now);
  if (holder === null) return null;
  const { claim, deferred } = row;
  const { name } = holder;
  // not what is left of it, because others are not told when it is renewed
  if (claim !== null) return { name, short: spanText(now - Date.parse(claim.since)), whole: null };
  if (holder.by === "first" || deferred === null) {
    return { name, short: text("transaction.second-short"), whole: text("transaction.second-awaited", { name }) };
  }
  const { reason, until } = deferred;
  const told = { name, time: formats.clock(until) };
  const whole = reason === null ? text("transaction.deferred", told) : text("transaction.deferred-why", { ...told, reason });
  const left = Math.max(0, Math.ceil((Date.parse(until) - now) / 60_000));
  return { name, short: text("transaction.minutes", { count: left }), whole };
}
