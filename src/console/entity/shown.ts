import { money } from "../../values/money.ts";
import { groupedNumber } from "../kit/look/account-number.ts";
import { limitText } from "../kit/look/limit-bar.tsx";
import { formatCount } from "../../values/counts.ts";
import type { ListCell } from "../../contract/list-cells.ts";
import type { Formats } from "../api/formats.ts";
import { instantTitle } from "../api/instant.tsx";
import type { GridColumn } from "../kit/grid/grid-column.ts";
import type { TotalsProof } from "../kit/grid/totals-row.tsx";
import { titledWidth } from "../kit/grid/title-width.ts";
import { drawIcon, iconElement } from "../kit/look/icon-element.ts";
import { isQuiet, markOf } from "../kit/look/status.tsx";
import type { StatusMark } from "../kit/look/status.tsx";
import { spanText } from "../kit/texts/span-text.ts";
import { text } from "../kit/texts/texts.ts";
import type { RecordRow } from "../kit/commands/desks.ts";
import type { Room } from "../lists/use-room.ts";
import type { Entity } from "./entity.ts";
import type { Column, Shown, Value } from "./named.ts";
import { columnReader } from "./column-value.ts";
import { choiceKey, labelKey, sectionKey, shortKey } from "./entity.ts";

/** What stands where there is nothing. */
export const none = "–";

/** A value in the operator's words; its glyph or bar is drawn beside it. */
export function shownText(entity: Entity, field: string, as: Shown, value: Value, formats: Formats): string {
  if (value === null || value === undefined || value === "") return none;
  if (typeof value === "object") return limitText(value);
  const plain = String(value);
  switch (as) {
    case "amount":
      return formats.amount(plain);
    case "rate":
      return `${plain} %`;
    case "time":
      return formats.time(plain);
    case "count":
      return formatCount(Number(plain));
    case "decimal":
      return Number(plain).toFixed(1);
    case "minutes":
      return spanText(Number(plain));
    case "account-number":
      return groupedNumber(plain);
    case "status":
    case "flag":
    case "choice": {
      if (as === "status" && isQuiet(plain)) return "";
      const key = choiceKey(entity, field, plain);
      return key === null ? plain : text(key);
    }
    default:
      return plain;
  }
}

const figures: readonly Shown[] = ["amount", "rate", "count", "decimal", "minutes", "limit"];
/** What is drawn before the word of a status or a flag; null: nothing, because a flag that is not set needs no attention. */
export function shownMark(as: Shown, value: Value): StatusMark | null {
  if (as === "status") return isQuiet(String(value)) ? null : markOf(String(value));
  return as === "flag" && String(value) === "true" ? markOf("critical") : null;
}

/** Figures stand at the end of their column. */
export const isFigure = (as: Shown): boolean => figures.includes(as);

/** The totals row's texts, by column; undefined where the screen has no such row. */
export function totalsOf(
  entity: Entity,
  sums: Readonly<Record<string, string>> | null,
  formats: Formats,
): Readonly<Record<string, string>> | undefined {
  if (entity.sums === undefined) return undefined;
  const told = entity.columns.flatMap(({ field, as = "text" }) => {
    const sum = entity.sums?.includes(field) === true ? sums?.[field] : undefined;
    return sum === undefined ? [] : [[field, shownText(entity, field, as, sum, formats)] as const];
  });
  return Object.fromEntries(told);
}

/** Whether the balances a statement opens and closes with are those its movements lead to; undefined where it does not say. */
export function proofOf(sums: Readonly<Record<string, string>> | null, formats: Formats, t: typeof text): TotalsProof | undefined {
  const difference = sums?.["difference"];
  if (difference === undefined) return undefined;
  const holds = money(difference) === 0n;
  return { holds, text: holds ? t("record.totals.proved") : t("record.totals.difference", { amount: formats.amount(difference) }) };
}

/** What a file has of a column: the same as its cell shows, an amount or a time as what it is. */
function cellOf({ subject, words = subject }: Entity, { field, at = field, as = "text" }: Column<RecordRow>): ListCell {
  switch (as) {
    case "status":
    case "flag":
    case "choice":
      return { field: at, as: "choice", words: [`${words}.${field}.`, "status."] };
    case "amount":
    case "rate":
    case "time":
    case "count":
    case "limit":
      return { field: at, as };
    case "minutes":
      return { field: at, as: "count" };
    case "decimal":
      return { field: at, as: "rate" };
    case "text":
    case "mono":
    case "account-number":
      return { field: at, as: "text" };
  }
}

const instantOf = (value: Value): string | null => (typeof value === "string" ? value : null);

/** px a column is widened to at the most for its title: a longer one is cut, because what stands in the others counts more. */
const widestForTitle = 140;

/** The description's columns as the grid wants them, in the texts of `t`: one is as wide as its title asks for. */
export function gridColumns(entity: Entity, formats: Formats, t: typeof text, room: Room = "wide"): readonly GridColumn<RecordRow>[] {
  return entity.columns.map((column): GridColumn<RecordRow> => {
    const { field, as = "text", width, minWidth, grow, under, rooms, paint } = column;
    const title = under === undefined ? labelKey(entity, field) : shortKey(entity, field);
    const read = columnReader(entity.subject, column);
    return {
      id: field,
      titleKey: labelKey(entity, field),
      width: Math.max(width, Math.min(widestForTitle, titledWidth(t(title), 0))),
      ...(under !== undefined && { under: { groupKey: sectionKey(entity, under), titleKey: title } }),
      ...(minWidth !== undefined && { minWidth }),
      ...(grow !== undefined && { grow }),
      ...(rooms !== undefined && { aside: !rooms.includes(room) }),
      ...(isFigure(as) && { align: "end" as const }),
      ...((as === "mono" || as === "account-number") && { mono: true as const }),
      sortable: entity.sorts.includes(field),
      cell: cellOf(entity, column),
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
      ...(paint && { paint, paintRoom: 0 }),
      ...((as === "status" || as === "flag") && {
        paintRoom: 18,
        paint(cell: HTMLElement) {
          const holder = document.createElement("span");
          const icon = iconElement("info");
          const word = document.createElement("span");
          holder.append(icon, word);
          cell.append(holder);
          return (row: RecordRow) => {
            const value = read(row);
            const mark = shownMark(as, value);
            holder.className = mark === null ? "" : `st ${mark.hue}`;
            if (mark === null) icon.remove();
            else {
              drawIcon(icon, mark.icon);
              if (!icon.isConnected) holder.prepend(icon);
            }
            word.textContent = shownText(entity, field, as, value, formats);
          };
        },
      }),
    };
  });
}
