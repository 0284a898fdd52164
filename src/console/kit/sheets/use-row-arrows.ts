import type { KeyboardEvent, RefObject } from "react";
import { useCallback } from "react";

/**
 * For a sheet with a table of buttons: Down and Up go from row to row, and above the first back to where the sheet began; Left and Right go
 * from one button of a row to the other beside it on screen. Answers what hears the keys there.
 */
export function useRowArrows(first: RefObject<HTMLElement | null>): { onKeyDown(event: KeyboardEvent<HTMLElement>): void } {
  const onKeyDown = useCallback(
    (event: KeyboardEvent<HTMLElement>) => {
      const { key, target, currentTarget: sheet } = event;
      const [down, right] = [{ ArrowDown: 1, ArrowUp: -1 }[key], { ArrowRight: 1, ArrowLeft: -1 }[key]];
      if (event.altKey || event.ctrlKey || event.metaKey || (down === undefined && right === undefined)) return;
      const rows = [...sheet.querySelectorAll("tbody tr")]
        .map((row) => [...row.querySelectorAll<HTMLElement>(":scope > :is(th, td) > button")])
        .filter((buttons) => buttons.length > 0);
      const row = rows.findIndex((buttons) => buttons.some((button) => button === target));
      if (down === undefined && row < 0) return;
      event.preventDefault();
      if (down !== undefined) {
        if (row + down < 0) first.current?.focus();
        else rows[Math.min(row + down, rows.length - 1)]?.[0]?.focus();
      } else if (right !== undefined) {
        const buttons = rows[row] ?? [];
        const by = getComputedStyle(sheet).direction === "rtl" ? -right : right;
        buttons[buttons.findIndex((button) => button === target) + by]?.focus();
      }
    },
    [first],
  );
  return { onKeyDown };
}
