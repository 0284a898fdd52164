import { screens } from "../contract/screens.ts";

/** Texts that a part has besides those of its screen's own subject. */
const further: Readonly<Record<string, RegExp>> = {
  withdrawals: /^(?:transaction|check|unfit|payment-account)\./,
  practice: /^(?:practice|withdrawal|transaction|check)\./,
  /** What commands are searched by. */
  words: /^command\..+\.words$/,
};

/** A screen's texts begin with its subject (`payment-group.` of payment-groups), or with its name where it has none (`dashboard.`). */
const ofScreens = Object.entries(screens).map(([screen, { subject }]): [string, RegExp] => [
  screen,
  new RegExp(`^${subject ?? screen}\\.`),
]);

/**
 * The texts that the first screen does not need, by what brings them: the build lays them in files of their own (text-parts-plugin.ts),
 * and whoever draws them waits for them (kit/texts/texts.ts). A key that fits none of these, or `firstTexts`, comes with the page.
 */
const lateTexts: readonly (readonly [part: string, keys: RegExp])[] = [...ofScreens, ...Object.entries(further)];

/** Their names; those of screens are the names of their folders. */
export const lateParts: readonly string[] = [...new Set(lateTexts.map(([part]) => part))];

/** Said on any screen: why a command of another screen is refused, what asks or offers from outside a screen, and what lists of every kind say. */
export const firstTexts = /\.refuse\.|^(?:practice\.(?:title|offer)|profile\.session\.unknown|setting\.(?:ask\.leave|unit))/;

/** Whether a key comes with the page ("first") or with a part of it. */
export function isIn(part: string, key: string): boolean {
  const parts = firstTexts.test(key) ? [] : lateTexts.filter(([, keys]) => keys.test(key)).map(([name]) => name);
  return part === "first" ? parts.length === 0 : parts.includes(part);
}
