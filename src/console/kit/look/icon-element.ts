import { glyphOf } from "./icon-names.ts";
import type { IconName } from "./icon-names.ts";

/** An element of its own name, so that no rule for the spans or images of what holds it means it. */
export const iconTag = "app-icon";

/** An icon for cells painted without React; `className` sizes it: "icon", "icon size-s" (14), "icon size-xs" (12). */
export function iconElement(name: IconName, className = "icon"): HTMLElement {
  const icon = document.createElement(iconTag);
  icon.className = className;
  icon.setAttribute("aria-hidden", "true");
  drawIcon(icon, name);
  return icon;
}

/** Changes the icon in an element made by `iconElement`. */
export function drawIcon(icon: HTMLElement, name: IconName): void {
  const glyph = glyphOf(name);
  if (icon.dataset["glyph"] !== glyph) icon.dataset["glyph"] = glyph;
}
