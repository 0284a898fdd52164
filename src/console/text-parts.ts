import { screens } from "../contract/screens.ts";

/** The steps of sign-in, two-factor and passwords. */
const ofIdentity = "login|two-factor|recovery|password|reset";

/**
 * What a screen's texts begin with: its subject (`payment-group` of payment-groups), or its name where it has none (`dashboard`). The page
 * of one record, which is called like its subject, stands in the folder of the list and has its texts from there.
 */
const own = new Map(
  Object.entries(screens)
    .filter(([screen, { subject }]) => screen !== subject)
    .map(([screen, { subject }]) => [screen, subject ?? screen]),
);

/** The names of commands that begin so, without what they are searched by. */
const commandsOf = (...owns: readonly string[]): RegExp => new RegExp(`^command\\.(?:${owns.join("|")})\\.(?!.+\\.words$)`);

/** What a screen, its commands and the refusals of its records say. */
const ofScreens = [...own].map(([screen, begins]): [string, RegExp] => [
  screen,
  new RegExp(`^(?:problem\\.)?${begins}\\.|${commandsOf(begins).source}|^command\\.record\\.create\\.${begins}$`),
]);

const ofStatements = new RegExp(`^statement\\.|${commandsOf("statement").source}`);

/** A report names the movements of the ledger as statements do. */
const ofReports = new RegExp(`^report\\.|^statement\\.kind\\.|${commandsOf("report").source}`);

/** Texts that a part has besides those that begin with its screen's own. */
const further: Readonly<Record<string, RegExp>> = {
  "bank-transactions":
    /^(?:import|bank-line|bank-rule|payer|statement-balance)\.|^transaction\.(?:score|beside|said)\.|^transaction\.(?:column\.merchant|filter\.member)$/,
  "payment-account-live-balances": /^(?:live-balance|transfer)\.|^transaction\.(?:said|undo|detail)\./,
  "provider-games": /^import\.|^(?:problem\.)?game-import\.|^problem\.image\./,
  /** Their readings are checks of master accounts. */
  "score-watchers": /^master-account\.(?:check|failure|try)\./,
  deposits: /^(?:transaction|check|payment-account)\.|^bank-line\.(?:said|undo)\./,
  "merchant-transactions": ofStatements,
  "payment-account-transactions": ofStatements,
  "payment-account-daily-reports": ofReports,
  "merchant-daily-reports": ofReports,
  "cash-flow-reports": ofReports,
  withdrawals: new RegExp(`^(?:transaction|check|unfit|payment-account|payout)\\.|${commandsOf("payout").source}`),
  transfers: /^(?:transaction|payment-account)\.|^bank-line\.(?:said|undo)\./,
  "payment-accounts": /^transfer\.|^transaction\.(?:said|undo|detail)\./,
  merchants: /^(?:transfer|payment-account)\.|^transaction\.(?:said|undo|detail)\./,
  practice: new RegExp(`^(?:practice|withdrawal|transaction|check)\\.|${commandsOf("withdrawal").source}`),
  dashboard: new RegExp(`^first-steps\\.|${commandsOf("first-steps").source}`),
  /** Besides: what somebody did last. */
  users: /^(?:permission|problem\.(?:user|group)|audit-entry\.(?:act|entity))\./,
  "user-groups": /^(?:permission|problem\.(?:user|group))\./,
  /** What fields are called that an entry tells the change of, whatever they are of, and the words of their values. */
  "audit-log": /^[a-z-]+\.field\.|^transaction\.(?:borne|charges-type|column|source)\.|^payment-account\.method\./,
  /** What only the server writes, and owners read there. */
  setting: /^mail\./,
  profile: new RegExp(`^(?:${ofIdentity})\\.`),
  "sign-in": new RegExp(`^(?:${ofIdentity}|forgot|unready|proof|invitation|problem\\.invitation)\\.|^profile\\.session\\.unknown$`),
  /** What forms, details and lists say of records of any kind. */
  record: /^(?:record|form|invalid|kind|query)\./,
  /** What the palette, help, the sheets and the key editor say, and what commands are searched by there. */
  overlays: /^(?:palette|help|keys|secret)\.|^command\..+\.words$/,
  /** What shifts that are handed over say. */
  shifts: /^shift\./,
  /** What files made from lists say, and what is said of them. */
  exports: /^(?:problem\.)?export\./,
  /** The names of all screens' commands, for the key editor. */
  commands: commandsOf(...own.values(), "payout", "statement", "report", "first-steps"),
};

/**
 * The texts that the first screen does not need, by what brings them: the build lays them in files of their own (text-parts-plugin.ts),
 * and whoever draws them waits for them (kit/texts/texts.ts). A key that fits none of these, or `firstTexts`, comes with the page.
 */
const lateTexts: readonly (readonly [part: string, keys: RegExp])[] = [...ofScreens, ...Object.entries(further)];

/** Their names; those of screens are the names of their folders. */
export const lateParts: readonly string[] = [...new Set(lateTexts.map(([part]) => part))];

/** Said on any screen: what asks, offers or answers from outside of one. */
export const firstTexts = new RegExp(
  [
    String.raw`^practice\.(?:title|offer)`,
    String.raw`^profile\.(?:edit$|end)`,
    String.raw`^setting\.(?:ask\.leave|unit)`,
    String.raw`^login\.(?:busy|submit)$`,
    String.raw`^record\.(?:ask\.discard|refuse\.in-use|rule\.(?:amount|decimals|whole-amount)|use\.)`,
    String.raw`^palette\.(?:absent|all-of|searching|title)$`,
    String.raw`^export\.refuse\.no-rows$`,
    String.raw`^keys\.(?:continues|no-such-chord|switch-input)$`,
  ].join("|"),
);

/** Whether a key comes with the page ("first") or with a part of it. */
export function isIn(part: string, key: string): boolean {
  const parts = firstTexts.test(key) ? [] : lateTexts.filter(([, keys]) => keys.test(key)).map(([name]) => name);
  return part === "first" ? parts.length === 0 : parts.includes(part);
}
