import type { LiveBalance } from "../../../contract/live-balances.ts";
import { accountTypes } from "../../../contract/payment-accounts.ts";
import { formatCount } from "../../../values/counts.ts";
import type { Formats } from "../../api/formats.ts";
import type { SubTotals } from "../../kit/grid/totals-row.tsx";
import type { text } from "../../kit/texts/texts.ts";
import { limitNames, sumsOf, usedPercent } from "./live-lines.ts";

/** The totals of what is shown, by type and of all, as the grid writes them under their columns. */
export function liveTotals(
  rows: readonly LiveBalance[],
  formats: Formats,
  t: typeof text,
): { readonly totals: Readonly<Record<string, string>>; readonly parts: readonly SubTotals[] } {
  const written = (some: readonly LiveBalance[]): Readonly<Record<string, string>> => {
    const sums = sumsOf(some);
    const percent = (used: number | null) => (used === null ? "–" : `${Math.round(used)} %`);
    return {
      code: t("live-balance.accounts", { count: some.length, shown: formatCount(some.length) }),
      balance: formats.amount(sums.balance),
      hold_amount: formats.amount(sums.hold_amount),
      reserve_amount: formats.amount(sums.reserve_amount),
      payable: formats.amount(sums.payable),
      ...Object.fromEntries(limitNames.map((name) => [name, percent(usedPercent(sums.limits[name]))])),
      open: `${formatCount(sums.in)} · ${formatCount(sums.out)}`,
    };
  };
  const types = accountTypes.filter((type) => rows.some((row) => row.type === type));
  const parts = types.map((type) => ({
    name: t(`payment-account.type.${type}`),
    totals: written(rows.filter((row) => row.type === type)),
  }));
  return { totals: written(rows), parts: types.length > 1 ? parts : [] };
}
