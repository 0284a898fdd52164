import type { Texts } from "../kit/texts/texts.ts";

type Files = Readonly<Record<string, () => Promise<Texts>>>;

/** Folder of screens → its texts (text-parts.ts). A screen in none of them needs those that come with the page only. */
export const screenTexts: Readonly<Record<string, Files>> = {
  withdrawals: import.meta.glob<Texts>("../../../locales/*.json", { query: "?part=withdrawals", import: "default" }),
  merchants: import.meta.glob<Texts>("../../../locales/*.json", { query: "?part=merchants", import: "default" }),
  "payment-accounts": import.meta.glob<Texts>("../../../locales/*.json", { query: "?part=payment-accounts", import: "default" }),
  "payment-groups": import.meta.glob<Texts>("../../../locales/*.json", { query: "?part=payment-groups", import: "default" }),
  dashboard: import.meta.glob<Texts>("../../../locales/*.json", { query: "?part=dashboard", import: "default" }),
  setting: import.meta.glob<Texts>("../../../locales/*.json", { query: "?part=setting", import: "default" }),
  profile: import.meta.glob<Texts>("../../../locales/*.json", { query: "?part=profile", import: "default" }),
};
