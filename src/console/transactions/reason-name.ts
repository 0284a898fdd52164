import { hasText, text } from "../kit/texts/texts.ts";

/** A preset's text, else the reason as it was written. */
export function reasonName(reason: string): string {
  const key = `reason.${reason}`;
  return hasText(key) ? text(key) : reason;
}
