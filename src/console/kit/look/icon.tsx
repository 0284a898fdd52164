import { createElement } from "react";
import { screens } from "../../../contract/screens.ts";
import type { ScreenName } from "../../../contract/screens.ts";
import { iconTag } from "./icon-element.ts";
import { glyphOf } from "./icon-names.ts";
import type { IconName } from "./icon-names.ts";

export type { IconName } from "./icon-names.ts";

/** 16 px; "s" 14, "xs" 12. Decorative, because the text beside it has the meaning. */
export function Icon({ name, size, className, flips }: { name: IconName; size?: "s" | "xs"; className?: string; flips?: boolean }) {
  const classes = ["icon", size && `size-${size}`, flips === true ? "flip" : undefined, className]
    .filter((part) => part !== undefined)
    .join(" ");
  return createElement(iconTag, { class: classes, "aria-hidden": "true", "data-glyph": glyphOf(name) });
}

/** Icon of each screen, as the contract names it. */
export const screenIcons: Readonly<Record<ScreenName, IconName>> = Object.fromEntries(
  Object.entries(screens).map(([name, { icon }]) => [name, icon satisfies IconName]),
) as Record<ScreenName, IconName>; // has one for each screen
