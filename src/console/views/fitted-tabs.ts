/** Indexes of the tabs that fit into `room` px, always with the current one. */
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

/** Hides tabs that do not fit and shows `more` instead. Done without React, because it changes with the width alone. */
export function fitTabs(tabs: HTMLElement, more: HTMLElement): void {
  const strip = tabs.parentElement;
  if (strip === null) return;
  const all = [...tabs.querySelectorAll<HTMLElement>("[role=tab]")];
  for (const one of [...all, more]) one.hidden = false;
  const widths = all.map((one) => one.offsetWidth);
  const whole = widths.reduce((sum, width) => sum + width, 0);
  // measured with all tabs and "more" shown: the overflow is what they must give up
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
