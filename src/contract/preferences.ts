import { z } from "zod";
import { longestAsked } from "../values/asked.ts";
import { defineRoutes } from "./route.ts";
import { Line, PositiveAmount, Uuid, Version } from "./wire.ts";

export const base = "/service/centralize-authenticate/api/tenant/v1";
const Screen = z.string().regex(/^[a-z-]{1,60}$/);

const use = { weight: z.number().min(0).max(1_000_000), at: z.int().min(0) } as const;

const parts = {
  /** Command id → chords that differ from the default; an empty list: no key. */
  keys: z.record(z.string().max(80), z.array(z.string().min(1).max(40)).max(4)),
  /** Turns single-letter keys off; commands stay reachable by palette, chords with Mod, and function keys. */
  letters_off: z.boolean(),
  density: z.enum(["compact", "normal", "roomy"]),
  /** Split → size in px (% for "second"); a pane turned or hidden → 0 or 1. */
  panes: z.record(z.string().max(40), z.int().min(0).max(4000)),
  /** Ids of commands whose keys the user has learnt and need not be shown. */
  coach: z.strictObject({ on: z.boolean(), learnt: z.array(z.string().max(80)).max(500) }),
  /** Key presses of commands not learnt yet; `always`: buttons also show the keys of learnt ones. */
  key_chips: z.strictObject({ presses: z.record(z.string().max(80), z.int().min(1).max(100)), always: z.boolean() }),
  /** The practice queue was completed or declined. */
  practised: z.boolean(),
  /** Commands and records used from the palette, weighted by use; `at` in ms. */
  palette: z.strictObject({
    commands: z.array(z.strictObject({ ...use, id: z.string().max(80) })).max(40),
    records: z
      .array(
        z.strictObject({
          ...use,
          id: Uuid,
          tenant: Uuid,
          currency: z.string().max(10),
          screen: Screen,
          params: z.record(z.string().max(60), Uuid).optional(),
          name: z.string().max(120),
        }),
      )
      .max(20),
  }),
} as const;

/** A user's settings of their own console, the same in every tenant. An update replaces each given part whole. */
export const Preferences = z.strictObject({
  keys: parts.keys.default({}),
  letters_off: parts.letters_off.default(false),
  density: parts.density.default("normal"),
  panes: parts.panes.default({}),
  coach: parts.coach.default({ on: true, learnt: [] }),
  key_chips: parts.key_chips.default({ presses: {}, always: false }),
  practised: parts.practised.default(false),
  palette: parts.palette.default({ commands: [], records: [] }),
});
export type Preferences = z.infer<typeof Preferences>;

/** The saved state of a screen: filters, columns, order, widths, sort and density. */
export const ViewState = z.strictObject({
  /** Search parameters of the screen, without record. */
  search: z.record(z.string().max(40), z.string().max(longestAsked)),
  columns: z
    .strictObject({
      order: z.array(z.string().max(40)).max(80).optional(),
      hidden: z.array(z.string().max(40)).max(80).optional(),
      /** Columns shown although the screen hides them by default. */
      chosen: z.array(z.string().max(40)).max(80).optional(),
      widths: z.record(z.string().max(40), z.int().min(20).max(2000)).optional(),
      pinned: z.strictObject({ start: z.array(z.string().max(40)).max(80), end: z.array(z.string().max(40)).max(80) }).optional(),
    })
    .default({}),
  density: z.enum(["compact", "normal", "roomy"]).default("normal"),
});
export type ViewState = z.infer<typeof ViewState>;

/** Views in the counters pane at most, the tenant's and one's own together. */
export const mostPins = 8;

/** What gives the alarm: more rows than this, a higher sum in this currency, or an oldest row of more minutes. */
export const PinThreshold = z.discriminatedUnion("of", [
  z.strictObject({ of: z.literal("count"), over: z.int().min(0).max(1_000_000_000) }),
  z.strictObject({ of: z.literal("sum"), over: PositiveAmount, currency: z.string().min(1).max(10) }),
  z.strictObject({ of: z.literal("age"), over: z.int().min(1).max(100_000) }),
]);
export type PinThreshold = z.infer<typeof PinThreshold>;

/** A saved view that stands in the counters pane; `params` names the records that its screen's path has, where it has any. */
export const Pin = z.strictObject({ threshold: PinThreshold.nullable(), params: z.record(z.string().max(60), Uuid).optional() });
export type Pin = z.infer<typeof Pin>;

export const SavedView = z.object({
  uuid: Uuid,
  version: Version,
  screen: z.string(),
  name: z.string(),
  /** Visible to the whole tenant; only its creator can change it. */
  shared: z.boolean(),
  mine: z.boolean(),
  /** The digit 1–9 this user put it on; null: none. */
  digit: z.int().min(1).max(9).nullable(),
  /** Whether the screen opens with it for this user. */
  default: z.boolean(),
  /** This user's own pin. */
  pin: Pin.nullable(),
  /** The pin its creator gave it for everybody of the tenant. */
  tenant_pin: Pin.nullable(),
  state: ViewState,
});
export type SavedView = z.infer<typeof SavedView>;

const form = {
  name: Line(60),
  shared: z.boolean(),
  digit: z.int().min(1).max(9).nullable(),
  default: z.boolean(),
  state: ViewState,
} as const;
const params = z.strictObject({ uuid: Uuid });

export const preferenceRoutes = defineRoutes({
  readPreferences: { method: "GET", path: `${base}/preferences`, permission: "signed-in", answer: Preferences },
  /** Replaces the parts given. */
  updatePreferences: {
    method: "PUT",
    path: `${base}/preferences`,
    permission: "signed-in",
    // without defaults: a default would replace a part that was not given
    body: z.strictObject(parts).partial(),
    answer: Preferences,
  },
  /** Own views and those shared in the tenant. */
  listViews: {
    method: "GET",
    path: `${base}/views`,
    permission: "signed-in",
    query: z.strictObject({ screen: Screen.optional() }),
    answer: z.array(SavedView),
  },
  createView: {
    method: "POST",
    path: `${base}/views`,
    permission: "signed-in",
    body: z.strictObject({ ...form, screen: Screen }),
    answer: SavedView,
  },
  /** For another user's shared view only `digit` and `default` are applied, because only these are the caller's own. */
  updateView: {
    method: "PUT",
    path: `${base}/views/{uuid}`,
    permission: "signed-in",
    params,
    body: z.strictObject({ ...form, version: Version }),
    answer: SavedView,
    refuses: ["record.stale"],
  },
  deleteView: { method: "DELETE", path: `${base}/views/{uuid}`, permission: "signed-in", params, answer: z.object({}) },
});
