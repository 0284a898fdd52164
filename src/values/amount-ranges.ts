import { parseMoney } from "./money.ts";

type Range = { readonly from?: string; readonly to?: string };

/** "100..500", "100-500", "100..", "..500", or one amount, grouped or not; null when it is none. */
export function readAmounts(text: string): Range | null {
  const [from = "", to = from, ...more] = text
    .replaceAll(",", "")
    .split(/\.\.|[-–—…]/)
    .map((part) => part.trim());
  if (more.length > 0 || (from === "" && to === "")) return null;
  if ([from, to].some((part) => part !== "" && parseMoney(part) === null)) return null;
  return { ...(from !== "" && { from }), ...(to !== "" && { to }) };
}
