import { padding } from "./column-layout.ts";

/**
 * Generous estimate in px, because a title is clipped only where it may not fit, and each clip costs in every frame. Han and kana
 * are full width.
 */
export function roughWidth(text: string): number {
  let width = 0;
  for (const character of text) width += character >= "\u2e80" ? 15 : 7.2;
  return width;
}

/** px of a column that shows its title whole, at least `least`, because a title may be longer than the cells in another language. */
export const titledWidth = (title: string, least: number): number => Math.max(least, Math.ceil(roughWidth(title)) + 2 * padding);
