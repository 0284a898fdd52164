import type { KeyboardEvent } from "react";

/** In a sheet with a table of buttons, Down and Up go from row to row, and above the first back to `first`, where the sheet began. */
export function walkRows(event: KeyboardEvent<HTMLElement>, first: HTMLElement | null): void {
  const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (by === undefined || event.altKey || event.ctrlKey || event.metaKey) return;
  const buttons = [...event.currentTarget.querySelectorAll<HTMLElement>("tbody tr > :is(th, td) > button")];
  const to = buttons.findIndex((button) => button === event.target) + by;
  event.preventDefault();
  if (to < 0) first?.focus();
  else buttons[Math.min(to, buttons.length - 1)]?.focus();
}
