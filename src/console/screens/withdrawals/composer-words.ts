import type { PayoutReason, PayoutRow } from "../../../contract/payouts.ts";
import type { Formats } from "../../api/formats.ts";
import { shownAmounts } from "../../kit/look/amounts.ts";
import { problemText } from "../../kit/messages/problem-text.ts";
import type { text } from "../../kit/texts/texts.ts";
import { hasText } from "../../kit/texts/texts.ts";
import { accountKeys } from "./composer-plan.ts";
import type { ComposerState } from "./composer-work.ts";

export interface Wording {
  readonly t: typeof text;
  readonly formats: Formats;
}

/** The key of an account; empty where there are more accounts than keys. */
export const keyOf = ({ order }: Pick<ComposerState, "order">, uuid: string): string => accountKeys[order.indexOf(uuid)] ?? "";

/** The account as a sentence names it: by its key and code. */
export function accountName({ plan }: Pick<ComposerState, "plan">, uuid: string): string {
  return plan?.accounts.find((account) => account.uuid === uuid)?.code ?? "–";
}

/** "1–4, 7": keys that follow each other as a span. */
export function keySpans(keys: readonly string[]): string {
  const places = keys.map((key) => accountKeys.indexOf(key)).toSorted((a, b) => a - b);
  const spans: [number, number][] = [];
  for (const place of places) {
    const last = spans.at(-1);
    if (last !== undefined && last[1] === place - 1) last[1] = place;
    else spans.push([place, place]);
  }
  const name = (place: number): string => accountKeys[place] ?? "";
  return spans.map(([first, last]) => (first === last ? name(first) : `${name(first)}–${name(last)}`)).join(", ");
}

/** Values of an obstacle as its sentence has them. */
function shownValues({ values }: PayoutReason, { t, formats }: Wording): Record<string, string> {
  const { at, status, ...others } = values;
  const key = `status.${status ?? ""}`;
  return {
    ...shownAmounts(others),
    ...(at !== undefined && { at: formats.clock(at) }),
    ...(status !== undefined && { status: hasText(key) ? t(key) : status }),
  };
}

/** One reason, with the accounts it is about. */
function reasonWords(state: ComposerState, reason: PayoutReason, wording: Wording): string {
  const own = `payout.cannot.${reason.code}`;
  const key = hasText(own) ? own : `unfit.${reason.code}`;
  const said = hasText(key) ? wording.t(key, shownValues(reason, wording)) : reason.code;
  const { accounts } = reason;
  if (accounts.length === 0) return said;
  const keys = accounts.map((uuid) => keyOf(state, uuid)).filter(Boolean);
  const [first = ""] = accounts;
  if (accounts.length === 1) return `${accountName(state, first)}: ${said}`;
  if (keys.length < accounts.length) return wording.t("payout.reason-of-many", { reason: said, count: accounts.length });
  return `${keySpans(keys)}: ${said}`;
}

/** Why a withdrawal is paid from its account. */
function groundWords(state: ComposerState, row: PayoutRow, { t }: Wording): string {
  if (row.ground === null) return "";
  const from = state.adjusted.pins.get(row.uuid)?.from ?? null;
  if (row.ground === "pinned" && from !== null) return t("payout.moved-from", { account: accountName(state, from) });
  return t(`payout.ground.${row.ground}`);
}

/** Where a withdrawal stands in the plan, or what became of it; `whole`: every reason, not the nearest alone. */
export function whyWords(state: ComposerState, row: PayoutRow, wording: Wording, whole = false): string {
  const { t } = wording;
  const paid = state.paid.get(row.uuid);
  if (paid?.as === "failed") return problemText(paid.code, null) ?? paid.message;
  if (paid !== undefined) return t(`payout.paid.${paid.as}`);
  if (row.account !== null) return groundWords(state, row, wording);
  const reasons = whole ? row.reasons : row.reasons.slice(0, 1);
  return reasons.map((reason) => reasonWords(state, reason, wording)).join(" · ");
}
