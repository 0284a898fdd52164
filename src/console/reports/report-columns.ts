import { money } from "../../values/money.ts";
import { shownAmount } from "../kit/look/amounts.ts";
import { signed } from "../kit/look/changes.ts";
import { iconElement } from "../kit/look/icon-element.ts";
import type { Column, Named, RecordLink, Value } from "../entity/named.ts";
import { fieldOf } from "../entity/named.ts";
import { daysOfRow } from "./report.ts";
import type { ReportRow } from "./report.ts";
import { daysText, periodText } from "./period.ts";

/** A column that no row draws by itself, of any of the reports. */
type Plain = Omit<Column<object>, "paint">;

/** A column of amounts. */
export const amount = (field: string, width: number, more: Partial<Plain> = {}): Plain => ({ field, as: "amount", width, ...more });
/** How many, and how much, under one name. */
export const counted = (name: "deposits" | "withdrawals"): readonly Plain[] => [
  { field: `${name}_n`, as: "count", width: 44, under: name },
  amount(name, 104, { under: name, grow: 1 }),
];

/** A column of differences: one that there is stands out with its sign. */
export const difference = (field: string, width: number, more: Partial<Plain> = {}): Column<object> => ({
  ...amount(field, width, more),
  paint(cell) {
    const holder = document.createElement("span");
    const icon = iconElement("warn");
    const word = document.createElement("bdi");
    holder.append(word);
    cell.append(holder);
    return (row) => {
      const value = fieldOf(row, field);
      const differs = typeof value === "string" && money(value) !== 0n;
      holder.className = differs ? "st pending" : "t3";
      if (differs) holder.prepend(icon);
      else icon.remove();
      word.textContent = typeof value !== "string" ? "–" : differs ? signed(money(value)) : shownAmount(value);
    };
  },
});

/** What all three begin their descriptions with. */
export const reportCommon = {
  words: "report",
  window: { field: "day", initial: "week" },
  moves: ({ state }: ReportRow) => state === "live",
} as const;

/** "AmBank · 2026-11-26"; of several days the first and the last. */
export function titleOfRow(row: ReportRow): string {
  return [row.owner?.name, daysText(daysOfRow(row))].filter(Boolean).join(" · ");
}

/** The views of a report of accounts or merchants, in the order of their digits. */
export const ownerViews = [
  { id: "all", search: {} },
  { id: "owner", search: { by: "owner" } },
  { id: "day", search: { by: "day" } },
  { id: "differs", search: { differs: "yes" } },
] as const;

/** Movements of a statement's lines, by the column whose figure they make; a balance is made of all of them. */
export type KindsOf = Readonly<Record<string, readonly string[]>>;

/** The lines of a statement that make a row's figure. */
export function statementLink(
  screen: "payment-account-transactions" | "merchant-transactions",
  row: ReportRow,
  search: Readonly<Record<string, string>>,
  kinds: readonly string[] | undefined,
): RecordLink {
  const period = periodText(daysOfRow(row));
  return {
    screen,
    search: { created_at: period, ...search, ...(kinds && { kind: kinds.join(",") }) },
    text: period,
  };
}

export const movesOf = (...kinds: string[]): readonly string[] => kinds.flatMap((kind) => [kind, `${kind}.recall`]);

/** What makes each figure of payment accounts. */
export const accountKinds: KindsOf = {
  deposits: movesOf("deposit"),
  deposits_n: movesOf("deposit"),
  withdrawals: movesOf("withdrawal"),
  withdrawals_n: movesOf("withdrawal"),
  transfers: movesOf("transfer", "manual-transfer", "clearing"),
  transfers_in: movesOf("transfer", "manual-transfer", "clearing"),
  transfers_out: movesOf("transfer", "manual-transfer", "clearing"),
  settlements: movesOf("settlement"),
  charges: movesOf("withdrawal", "transfer", "manual-transfer", "clearing", "settlement"),
  adjustments: ["adjustment", "opening"],
  fees: movesOf("deposit", "withdrawal", "settlement"),
};

/** A row's figures one beneath the other. */
export const daySection = (fields: readonly string[]) => ({
  name: "figures",
  sparse: true as const,
  lines: fields.map((field): Named<{ readonly row: object }> => ({
    field,
    as: field.endsWith("_n") ? "count" : "amount",
    value: ({ row }) => fieldOf(row, field) as Value, // an amount or a count
  })),
});
