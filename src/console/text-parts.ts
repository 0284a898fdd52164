import { screens } from "../contract/screens.ts";

/** The steps of sign-in, two-factor and passwords. */
const ofIdentity = "login|two-factor|recovery|password|reset";

/** Texts that a part has besides those of its screen's own subject. */
const further: Readonly<Record<string, RegExp>> = {
  "bank-transactions":
    /^(?:bank-line|bank-rule|payer|statement-balance)\.|^transaction\.(?:score|beside)\.|^transaction\.(?:column\.merchant|filter\.member)$/,
  deposits: /^(?:transaction|check|payment-account)\./,
  withdrawals: /^(?:transaction|check|unfit|payment-account|payout)\./,
  practice: /^(?:practice|withdrawal|transaction|check)\./,
  profile: new RegExp(`^(?:${ofIdentity})\\.`),
  "sign-in": new RegExp(`^(?:${ofIdentity}|forgot|unready|proof)\\.|^profile\\.session\\.unknown$`),
  /** What forms, details and lists say of records of any kind. */
  record: /^(?:record|form|invalid|kind)\./,
  /** What the palette, help, the sheets and the key editor say, what commands are searched by there, and the composer's keys, named nowhere else. */
  overlays: /^(?:palette|help|keys|secret)\.|^command\..+\.words$|^command\.payout\./,
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

/** Said on any screen: why a command of another screen is refused, and what asks, offers or answers from outside a screen. */
export const firstTexts = new RegExp(
  [
    String.raw`\.refuse\.`,
    String.raw`^practice\.(?:title|offer)`,
    String.raw`^setting\.(?:ask\.leave|unit)`,
    String.raw`^login\.(?:busy|submit)$`,
    String.raw`^record\.(?:ask\.discard|rule\.(?:amount|decimals|whole-amount)|use\.)`,
    String.raw`^palette\.(?:absent|all-of|searching|title)$`,
    String.raw`^keys\.(?:continues|no-such-chord|switch-input)$`,
  ].join("|"),
);

/** Whether a key comes with the page ("first") or with a part of it. */
export function isIn(part: string, key: string): boolean {
  const parts = firstTexts.test(key) ? [] : lateTexts.filter(([, keys]) => keys.test(key)).map(([name]) => name);
  return part === "first" ? parts.length === 0 : parts.includes(part);
}
