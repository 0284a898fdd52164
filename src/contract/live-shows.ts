import type { Asked } from "../values/asked.ts";
import { money } from "../values/money.ts";
import type { LiveBalance, LiveMeta, LiveQuery, Show } from "./live-balances.ts";
import { plainNumber } from "./wire.ts";

const works = ({ status }: LiveBalance): boolean => status === "active" || status === "overuse";
export const paysOut = (row: LiveBalance): boolean => works(row) && row.purpose !== "deposit";
export const takesIn = (row: LiveBalance): boolean => works(row) && row.purpose !== "withdrawal";

/** What makes an account stand first: critical, nothing payable where it pays, a limit used up; null: nothing does. */
export function urgency(row: LiveBalance): number | null {
  if (row.status === "inactive") return null;
  if (row.state === "critical") return 0;
  if (paysOut(row) && money(row.payable) < 0n) return 1;
  return row.status === "overuse" ? 2 : null;
}
export const needsAttention = (row: LiveBalance): boolean => urgency(row) !== null;

type Day = Pick<LiveMeta, "day_starts_at">;

/** Its bank has told nothing since the day began. */
export const isUnread = (row: LiveBalance, { day_starts_at }: Day): boolean =>
  works(row) && (row.read_at === null || row.read_at < day_starts_at);

export function isShown(row: LiveBalance, show: Show, day: Day): boolean {
  if (show === "attention") return needsAttention(row);
  if (show === "unread") return isUnread(row, day);
  return show === "pays" ? paysOut(row) : takesIn(row);
}

/** The filters of the list by their names in its address. */
export interface LiveFilters {
  readonly q?: string | undefined;
  readonly show?: LiveQuery["filter[show]"];
  readonly bank?: Asked | undefined;
  readonly type?: readonly string[] | undefined;
  readonly state?: readonly string[] | undefined;
  readonly status?: readonly string[] | undefined;
}

/** Whether an account is one of those asked for, on screen as in figures of the list; before the day is known views leave none out. */
export function isAskedFor(row: LiveBalance, { q = "", show = [], bank, type, state, status }: LiveFilters, day: Day | null): boolean {
  const part = q.toLowerCase();
  return (
    (part === "" ||
      [row.code, row.bank, row.holder].some((text) => text.toLowerCase().includes(part)) ||
      row.account_number.includes(plainNumber(part))) &&
    (show.length === 0 || day === null || show.some((one) => isShown(row, one, day))) &&
    (bank === undefined || bank.of.includes(row.bank) !== bank.isNot) &&
    (type?.includes(row.type) ?? true) &&
    (state?.includes(row.state) ?? true) &&
    (status?.includes(row.status) ?? true)
  );
}
