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

/**
 * Hides tabs that do not fit their strip and shows `more` instead. Done without React, because it changes with the width alone, and by an
 * observer, which is called when the frame is laid out: measured while React renders, each render would lay the page out once more.
 */
export class FittedTabs {
  readonly #strip: HTMLElement;
  readonly #resizes: ResizeObserver;
  #said = "";

  constructor(tabs: HTMLElement, more: HTMLElement) {
    const strip = tabs.parentElement ?? tabs;
    this.#strip = strip;
    this.#resizes = new ResizeObserver(() => fitTabs(strip, tabs, more));
    this.#resizes.observe(strip);
  }

  /** To be called when the strip may have new contents: it is measured again in this frame if they say anything else. */
  changed(): void {
    const chosen = this.#strip.querySelector("[role=tab][aria-selected=true]");
    const said = `${this.#strip.textContent}\n${chosen?.textContent ?? ""}`;
    if (said === this.#said) return;
    this.#said = said;
    this.#resizes.unobserve(this.#strip);
    this.#resizes.observe(this.#strip);
  }

  stop(): void {
    this.#resizes.disconnect();
  }
}

function fitTabs(strip: HTMLElement, tabs: HTMLElement, more: HTMLElement): void {
  // all are shown and have room
  if (more.hidden && strip.scrollWidth <= strip.clientWidth) return;
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
