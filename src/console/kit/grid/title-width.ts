import { padding } from "./column-layout.ts";

/** px, generous: a title is clipped only where it may not fit, as each clip costs every frame. Han and kana are full width. */
export function roughWidth(text: string): number {
  let width = 0;
  for (const character of text) width += character >= "\u2e80" ? 15 : 7.2;
  return width;
}

/** px of a column that shows its title whole, `least` at the least: what stands in it may be shorter than its name in another language. */
export const titledWidth = (title: string, least: number): number => Math.max(least, Math.ceil(roughWidth(title)) + 2 * padding);
