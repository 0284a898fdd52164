/** Places of the tabs that fit into `room` px, the one in use always among them. */
export function tabsThatFit(widths: readonly number[], current: number, room: number): ReadonlySet<number> {
  const shown = new Set(current < 0 ? [] : [current]);
  let left = room - (widths[current] ?? 0);
  for (const [at, width] of widths.entries()) {
    if (at === current) continue;
    if (width > left) break;
    left -= width;
    shown.add(at);
  }
  return shown;
}

/** Hides the tabs for which their strip has no room, and shows `more` instead. Written past React, as it changes with the width alone. */
export function fitTabs(tabs: HTMLElement, more: HTMLElement): void {
  const strip = tabs.parentElement;
  if (strip === null) return;
  const all = [...tabs.querySelectorAll<HTMLElement>("[role=tab]")];
  for (const one of [...all, more]) one.hidden = false;
  const widths = all.map((one) => one.offsetWidth);
  const whole = widths.reduce((sum, width) => sum + width, 0);
  // with all of them there, and "more": what sticks out is what they must give
  const room = whole - (strip.scrollWidth - strip.clientWidth);
  more.hidden = whole <= room + more.offsetWidth;
  const shown = more.hidden
    ? null
    : tabsThatFit(
        widths,
        all.findIndex((one) => one.ariaSelected === "true"),
        room,
      );
  for (const [at, one] of all.entries()) one.hidden = shown !== null && !shown.has(at);
}
