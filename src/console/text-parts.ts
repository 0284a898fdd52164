/**
 * The texts that the first screen does not need, by what brings them: the build lays them in files of their own (text-parts-plugin.ts),
 * and whoever draws them waits for them (kit/texts/texts.ts). The parts of screens bear the names of their folders. A key that fits
 * none of these, or `firstTexts`, comes with the page.
 */
export const lateTexts = {
  /** What commands are searched by. */
  words: /^command\..+\.words$/,
  withdrawals: /^(?:withdrawal|transaction|check|unfit|payment-account)\./,
  merchants: /^merchant\./,
  "payment-accounts": /^payment-account\./,
  "payment-groups": /^payment-group\./,
  dashboard: /^dashboard\./,
  setting: /^setting\./,
  profile: /^profile\./,
  practice: /^(?:practice|withdrawal|transaction|check)\./,
} as const satisfies Record<string, RegExp>;

export type TextPart = keyof typeof lateTexts;

/** Said on any screen: why a command of another screen is refused, what asks or offers from outside a screen, and what lists of every kind say. */
export const firstTexts =
  /\.refuse\.|^(?:practice\.(?:title|offer)|profile\.session\.unknown|setting\.(?:ask\.leave|unit)|withdrawal\.(?:ask\.hint|said\.filter-unreadable))/;

/** Whether a key comes with the page ("first") or with a part of it. */
export function isIn(part: string, key: string): boolean {
  const isFirst = firstTexts.test(key) || !Object.values(lateTexts).some((keys) => keys.test(key));
  if (part === "first") return isFirst;
  return !isFirst && lateTexts[part as TextPart].test(key); // the parts asked for are those named above: text-parts.test
}
