import { randomBytes } from "node:crypto";
import type { pinRoutes } from "../../../src/contract/pins.ts";
import type { preferenceRoutes } from "../../../src/contract/preferences.ts";
import { preferenceHandlers } from "../../../src/server/preferences/handlers.ts";
import type { Person } from "../../support/factories.ts";
import { body } from "../../support/payments.ts";
import type { Fixture, Site } from "./fixtures.ts";

/** A screen of its own for each fixture, so that none meets the limit or another's digit. */
const someScreen = () => `s-${[...randomBytes(12)].map((byte) => String.fromCharCode(97 + (byte % 26))).join("")}`;
const form = (site: Site) => ({
  name: `${site.mark} morning`,
  shared: true,
  digit: 3,
  default: true,
  state: { search: { q: site.mark }, columns: { order: ["amount", "member"] }, density: "compact" as const },
});
const shared = async (site: Site, by: Person, screen = someScreen()) =>
  (await preferenceHandlers.createView(site.office.call(by), body({ ...form(site), screen }))).data;

export const preferenceFixtures = {
  readPreferences: { foreign: "names no ids", make: () => Promise.resolve({}) },
  updatePreferences: {
    foreign: "names no ids",
    make: () => Promise.resolve({ body: { letters_off: true, density: "roomy", coach: { on: false, learnt: ["withdrawals.approve"] } } }),
  },
  listViews: {
    foreign: "an empty list",
    make: async (site, by) => {
      const screen = someScreen();
      await shared(site, by, screen);
      return { query: { screen } };
    },
  },
  // its answer repeats what it was given, so that the site's mark has no place in it
  createView: {
    foreign: "names no ids",
    make: (site) => Promise.resolve({ body: { ...form(site), name: "Evening", state: { search: { q: "Tan" } }, screen: someScreen() } }),
  },
  updateView: {
    foreign: "not found",
    make: async (site, by) => {
      const { uuid, version } = await shared(site, by);
      return { params: { uuid }, body: { ...form(site), name: `${site.mark} evening`, digit: 4, version } };
    },
  },
  listPinnedViews: { foreign: "names no ids", make: () => Promise.resolve({}) },
  pinView: {
    foreign: "not found",
    make: async (site, by) => ({ params: { uuid: (await shared(site, by)).uuid }, body: { for: "tenant", pin: null } }),
  },
  readPinFigures: {
    foreign: "names no ids",
    make: () => Promise.resolve({ body: { lists: [{ screen: "withdrawals", query: { view: "all" } }] } }),
  },
  deleteView: { foreign: "not found", make: async (site, by) => ({ params: { uuid: (await shared(site, by)).uuid } }) },
} as const satisfies Record<keyof typeof preferenceRoutes | keyof typeof pinRoutes, Fixture>;
