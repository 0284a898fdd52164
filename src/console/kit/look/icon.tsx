import { screens } from "../../../contract/screens.ts";
import type { ScreenName } from "../../../contract/screens.ts";
import { iconShapes } from "./icon-shapes.ts";
import type { IconName } from "./icon-shapes.ts";

export type { IconName } from "./icon-shapes.ts";

/** 16 px; "s" 14, "xs" 12. Decorative, because the text beside it has the meaning. */
export function Icon({ name, size, className, flips }: { name: IconName; size?: "s" | "xs"; className?: string; flips?: boolean }) {
  const classes = ["icon", size && `size-${size}`, flips === true ? "flip" : undefined, className]
    .filter((part) => part !== undefined)
    .join(" ");
  return <svg className={classes} viewBox="0 0 16 16" aria-hidden="true" dangerouslySetInnerHTML={{ __html: iconShapes[name] }} />;
}

/** Icon of each screen, as the contract names it. */
export const screenIcons: Readonly<Record<ScreenName, IconName>> = Object.fromEntries(
  Object.entries(screens).map(([name, { icon }]) => [name, icon satisfies IconName]),
) as Record<ScreenName, IconName>; // has one for each screen
