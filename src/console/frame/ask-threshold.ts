import type { PinThreshold, SavedView } from "../../contract/preferences.ts";
import { readAmounts } from "../../values/amount-ranges.ts";
import type { Services } from "../kit/commands/services.ts";
import { amountDecimals } from "../kit/look/amounts.ts";
import { pinOf } from "./pinned-figures.ts";

const wholeOf = (typed: string): number | null => (/^\d{1,9}$/.test(typed.trim()) ? Number(typed) : null);
const amountOf = (typed: string): string | null => {
  const range = readAmounts(typed.trim(), amountDecimals());
  return range !== null && range.from === range.to && Number(range.from) > 0 ? (range.from ?? null) : null;
};

/** How each threshold is asked for, and read from what was typed. */
const thresholds = {
  count: { label: "view.threshold.count", read: (typed: string) => wholeOf(typed) },
  sum: { label: "view.threshold.sum", read: amountOf },
  age: { label: "view.threshold.age", read: (typed: string) => wholeOf(typed) || null },
} as const;

/** Asks from when on a pinned view gives the alarm; an amount is of this currency. Undefined: it was left; null: there shall be none. */
export async function askThreshold(
  services: Pick<Services, "ask" | "text">,
  view: SavedView,
  currency: string | null,
): Promise<PinThreshold | null | undefined> {
  const { name } = view;
  const present = pinOf(view)?.threshold ?? null;
  const of = await services.ask("choice", {
    title: "view.ask.threshold",
    words: { name },
    initial: present?.of ?? "count",
    options: [
      ...(Object.keys(thresholds) as PinThreshold["of"][]) // Object.keys widens
        .map((id) => ({
          id,
          label: services.text(thresholds[id].label),
          note: present?.of === id ? String(present.over) : "",
          refused: null,
        })),
      { id: "none", label: services.text("view.threshold.none"), note: "", refused: null },
    ],
  });
  if (of === null) return undefined;
  if (of === "none") return null;
  const kind = thresholds[of as PinThreshold["of"]]; // one of the options
  const typed = await services.ask("text", {
    title: kind.label,
    words: {},
    initial: present?.of === of ? String(present.over) : "",
    maximum: 21,
    hint: of === "age" ? "view.threshold.hint.age" : of === "sum" ? "view.threshold.hint.sum" : "view.threshold.hint.count",
    refuse: (given) => (kind.read(given) === null ? "view.refuse.threshold" : null),
  });
  if (typed === null) return undefined;
  const over = kind.read(typed);
  if (over === null) return undefined;
  if (typeof over === "string") return { of: "sum", over, currency: currency ?? "" };
  return of === "age" ? { of: "age", over } : { of: "count", over };
}
