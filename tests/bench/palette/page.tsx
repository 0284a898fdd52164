import i18next from "i18next";
import { createRoot } from "react-dom/client";
import { initReactI18next } from "react-i18next";
import "../../../src/console/layers.css";
import "../../../src/console/kit/look/look.css";
import { commands } from "../../../commands/index.ts";
import en from "../../../locales/en.json";
import type { AnyCommand } from "../../../src/console/kit/commands/command.ts";
import { everyCommand } from "../../../src/console/kit/commands/command-list.ts";
import type { OuterServices } from "../../../src/console/kit/kit.ts";
import { createKit } from "../../../src/console/kit/kit.ts";
import { KitProvider } from "../../../src/console/kit/kit-provider.tsx";
import type { FoundRecord } from "../../../src/console/kit/palette/palette-store.ts";
import { timeKeys } from "../grid/time-keys.ts";

// The palette with the console's commands and so many more that there are 500, and 50 records for whatever is typed.
const verbs = ["Approve", "Reject", "Assign", "Release", "Copy", "Show", "Export", "Freeze", "Review", "Settle"];
const nouns = ["deposit", "withdrawal", "merchant", "account", "wallet", "vendor", "report", "limit", "callback", "statement"];
const names: Record<string, string> = {};
const real = await everyCommand(commands);
const more = Array.from({ length: Math.max(0, 500 - real.filter(({ quiet }) => quiet !== true).length) }, (_, at): AnyCommand => {
  const id = `bench.c${at}` as const;
  names[`command.${id}`] = `${verbs[at % 10]} ${nouns[Math.floor(at / 10) % 10]} ${Math.floor(at / 100) + 1}`;
  names[`command.${id}.words`] = `${nouns[(at * 7) % 10]}, ${verbs[(at * 3) % 10]}`;
  return { id, scope: "console", subject: null, takes: "none", permission: "signed-in", keys: ["F8"], run: () => undefined };
});
await i18next.use(initReactI18next).init({
  lng: "en",
  resources: { en: { translation: { ...en, ...names } } },
  keySeparator: false,
  nsSeparator: false,
  interpolation: { escapeValue: false },
});
const records = Array.from({ length: 50 }, (_, at): FoundRecord => ({
  id: `r${at}`,
  name: `WD2611${String(at).padStart(8, "0")}`,
  note: "Nurul Aisyah binti Rahman",
  end: "Pending · 4,850.00 MYR",
  screen: "withdrawals",
  search: {},
}));

const services = { call: () => new Promise(() => {}), go() {}, changed() {}, shell: {} } as unknown as OuterServices; // nothing here calls out
const kit = createKit({
  commands: [...real, ...more],
  routedScreens: new Set(["withdrawals", "deposits", "merchants"]),
  services,
  sources: { findRecords: async () => records, findAmount: async () => records },
});
kit.context.setSession({ tenant: "t", currency: "MYR", user: "u", permissions: {} });

const root = document.querySelector("#root");
if (root)
  createRoot(root).render(
    <KitProvider kit={kit}>
      <button type="button">bench</button>
    </KitProvider>,
  );
document.querySelector("button")?.focus();
timeKeys();
