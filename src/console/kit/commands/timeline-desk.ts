/** What a picture of windows over time does for its commands. */
export interface TimelineDesk {
  /** To the next window in a direction of the screen. */
  move(motion: "left" | "right" | "up" | "down"): void;
  /** Shows a day, a week or a month. */
  show(span: "day" | "week" | "month"): void;
  /** A span further on, or with -1 a span back. */
  step(by: 1 | -1): void;
  toNow(): void;
  /** As a table to be read, or drawn again. */
  toggleTable(): void;
  /** Moves the end of the window under the cursor, or all of it, by so many minutes: drawn at once, and written after the last of several. */
  adjust(part: "end" | "both", by: number): void;
}
