import type { RefObject } from "react";
import { useEffect } from "react";

/** In a sheet with a table of buttons, Down and Up go from row to row, and above the first back to where the sheet began. */
export function useRowArrows(sheet: RefObject<HTMLElement | null>, first: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const element = sheet.current;
    const onKeyDown = (event: KeyboardEvent) => {
      const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
      if (element === null || by === undefined || event.altKey || event.ctrlKey || event.metaKey) return;
      const buttons = [...element.querySelectorAll<HTMLElement>("tbody tr > :is(th, td) > button")];
      const to = buttons.findIndex((button) => button === event.target) + by;
      event.preventDefault();
      if (to < 0) first.current?.focus();
      else buttons[Math.min(to, buttons.length - 1)]?.focus();
    };
    element?.addEventListener("keydown", onKeyDown);
    return () => element?.removeEventListener("keydown", onKeyDown);
  }, [sheet, first]);
}
