import type { currencyRoutes } from "../../../src/contract/currencies.ts";
import type { firstStepRoutes } from "../../../src/contract/first-steps.ts";
import type { settingRoutes } from "../../../src/contract/settings.ts";
import { settingHandlers } from "../../../src/server/settings/handlers.ts";
import type { Person } from "../../support/factories.ts";
import type { Fixture, Site } from "./fixtures.ts";

const known = async (site: Site, by: Person) =>
  (await settingHandlers.readSettings(site.office.call(by), { body: undefined, params: undefined, query: undefined })).data;

export const settingFixtures = {
  readSettings: { foreign: "names no ids", make: () => Promise.resolve({}) },
  // what the other fixtures stand on (recall, claims, tiers, reasons) stays as it is
  updateSettings: {
    foreign: "names no ids",
    make: async (site, by) => {
      const { row } = await known(site, by);
      return {
        body: {
          version: row.version,
          deposit_expiry_minutes: row.deposit_expiry_minutes === 45 ? 30 : 45,
          tiers: { MYR: row.tiers["MYR"] },
          reject_reasons: row.reject_reasons.map(({ code }) => ({ code, text: "As the tenant says it" })),
          sla: { amber_minutes: 4, red_minutes: 9 },
          sounds: { deposit: true, withdraw: true, paymentAccount: false, scoreAlarm: true },
          languages: ["en", "zh", "ar"],
        },
      };
    },
  },
} as const satisfies Record<keyof typeof settingRoutes, Fixture>;

/** Currencies the fixtures have not added yet. */
const left = [
  "VND",
  "KWD",
  "IDR",
  "PHP",
  "SGD",
  "LAK",
  "KHR",
  "MMK",
  "BND",
  "TWD",
  "HKD",
  "JPY",
  "KRW",
  "INR",
  "PKR",
  "BDT",
  "LKR",
  "NPR",
  "AUD",
  "NZD",
];

export const firstStepFixtures = {
  readFirstSteps: { foreign: "names no ids", make: () => Promise.resolve({}) },
  updateFirstSteps: { foreign: "names no ids", make: () => Promise.resolve({ body: { skipped: { colleague: true } } }) },
} as const satisfies Record<keyof typeof firstStepRoutes, Fixture>;

export const currencyFixtures = {
  listCurrencies: { foreign: "names no ids", make: () => Promise.resolve({}) },
  addCurrency: {
    foreign: "names no ids",
    make: () => {
      const [code = ""] = left.splice(0, 1);
      return Promise.resolve({ body: { code, name: `Currency ${code}`, country: "Somewhere", zone: "+07:00" } });
    },
  },
} as const satisfies Record<keyof typeof currencyRoutes, Fixture>;
