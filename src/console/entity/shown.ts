import { groupedNumber } from "../kit/account-number.ts";
import { shownAmount } from "../kit/amounts.ts";
import { money } from "../../values/money.ts";
import type { Formats } from "../api/formats.ts";
import { instantTitle } from "../api/instant.tsx";
import type { GridColumn } from "../kit/grid/grid-column.ts";
import { drawIcon, iconElement } from "../kit/icon-shapes.ts";
import type { IconName } from "../kit/icon-shapes.ts";
import { text } from "../kit/texts.ts";
import type { Entity, RecordRow, Shown, Value } from "./entity.ts";
import { choiceKey, labelKey, valueOf } from "./entity.ts";

/** Glyph and hue of a status or state; its word says the rest. */
const marks: Readonly<Record<string, { icon: IconName; hue: string }>> = {
  active: { icon: "approved", hue: "approved" },
  normal: { icon: "approved", hue: "neutral" },
  inactive: { icon: "expired", hue: "expired" },
  suspend: { icon: "rejected", hue: "rejected" },
  suspended: { icon: "rejected", hue: "rejected" },
  overuse: { icon: "warn", hue: "pending" },
  critical: { icon: "critical", hue: "critical" },
};

export const markOf = (value: string): { icon: IconName; hue: string } => marks[value] ?? { icon: "info", hue: "neutral" };

/** What stands where there is nothing. */
export const none = "–";

/** A value in the operator's words; its glyph or bar is drawn beside it. */
export function shownText(entity: Entity, field: string, as: Shown, value: Value, formats: Formats): string {
  if (value === null || value === undefined || value === "") return none;
  if (typeof value === "object") {
    return `${shownAmount(value.used)} / ${value.limit === null ? text("record.no-limit") : shownAmount(value.limit)}`;
  }
  const plain = String(value);
  switch (as) {
    case "amount":
      return formats.amount(plain);
    case "rate":
      return `${plain} %`;
    case "time":
      return formats.time(plain);
    case "account-number":
      return groupedNumber(plain);
    case "status":
    case "choice": {
      const key = choiceKey(entity, field, plain);
      return key === null ? plain : text(key);
    }
    default:
      return plain;
  }
}

/** Used share of a limit in percent, 0–100. */
export function usedShare({ used, limit }: { readonly used: string; readonly limit: string }): number {
  const whole = money(limit);
  return whole <= 0n ? 100 : Math.min(100, Math.max(0, Number((money(used) * 1000n) / whole) / 10));
}

const atEnd: readonly Shown[] = ["amount", "rate", "count", "limit"];

const instantOf = (value: Value): string | null => (typeof value === "string" ? value : null);

/** The description's columns as the grid wants them. */
export function gridColumns(entity: Entity, formats: Formats): readonly GridColumn<RecordRow>[] {
  return entity.columns.map((column): GridColumn<RecordRow> => {
    const { field, as = "text", width, minWidth, grow } = column;
    const read = (row: RecordRow) => valueOf(column, row, row);
    return {
      id: field,
      titleKey: labelKey(entity, field),
      width,
      ...(minWidth !== undefined && { minWidth }),
      ...(grow !== undefined && { grow }),
      ...(atEnd.includes(as) && { align: "end" as const }),
      ...((as === "mono" || as === "account-number") && { mono: true as const }),
      sortable: entity.sorts.includes(field),
      text: (row) => shownText(entity, field, as === "account-number" ? "mono" : as, read(row), formats),
      ...(as === "account-number" && { shown: (row: RecordRow) => shownText(entity, field, as, read(row), formats) }),
      ...(as === "time" && {
        time: (row: RecordRow) => instantOf(read(row)),
        hint: (row: RecordRow) => {
          const at = instantOf(read(row));
          return at === null ? "" : instantTitle(formats, at, "whole");
        },
      }),
      ...(as === "amount" && { amount: (row: RecordRow) => (typeof read(row) === "string" ? String(read(row)) : null) }),
      ...(as === "status" && {
        paintRoom: 18,
        paint(cell: HTMLElement) {
          const holder = document.createElement("span");
          const icon = iconElement("info");
          const word = document.createElement("span");
          holder.append(icon, word);
          cell.append(holder);
          return (row: RecordRow) => {
            const mark = markOf(String(read(row)));
            holder.className = `st ${mark.hue}`;
            drawIcon(icon, mark.icon);
            word.textContent = shownText(entity, field, as, read(row), formats);
          };
        },
      }),
    };
  });
}
