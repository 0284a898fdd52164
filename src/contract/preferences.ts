import { z } from "zod";
import { defineRoutes } from "./route.ts";
import { Line, Uuid, Version } from "./wire.ts";

const base = "/service/centralize-authenticate/api/tenant/v1";
const Screen = z.string().regex(/^[a-z-]{1,60}$/);

const use = { weight: z.number().min(0).max(1_000_000), at: z.int().min(0) } as const;

const parts = {
  /** Command id → chords, where they differ from the default; an empty list: no key. */
  keys: z.record(z.string().max(80), z.array(z.string().min(1).max(40)).max(4)),
  /** Single letters do nothing; every command is reached by palette, chords with Mod, or function keys. */
  letters_off: z.boolean(),
  density: z.enum(["compact", "normal", "roomy"]),
  /** Split → px, or % for "second"; what of the panes is turned or hidden → 0 or 1. */
  panes: z.record(z.string().max(40), z.int().min(0).max(4000)),
  /** Command ids whose keys need not be shown any more. */
  coach: z.strictObject({ on: z.boolean(), learnt: z.array(z.string().max(80)).max(500) }),
  /** Uses by key of commands not learnt yet; `always`: buttons show the keys of learnt ones too. */
  key_chips: z.strictObject({ presses: z.record(z.string().max(80), z.int().min(1).max(100)), always: z.boolean() }),
  /** The practice queue was done, or is not wanted. */
  practised: z.boolean(),
  /** What the palette was used for: weight by use at an instant, in ms. */
  palette: z.strictObject({
    commands: z.array(z.strictObject({ ...use, id: z.string().max(80) })).max(40),
    records: z
      .array(z.strictObject({ ...use, id: Uuid, tenant: Uuid, currency: z.string().max(10), screen: Screen, name: z.string().max(120) }))
      .max(20),
  }),
} as const;

/** What a person set about their own console; of the person, whatever the tenant. Each part is replaced whole. */
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

/** Filters, columns, order, widths, sort and density of a screen under a name. */
export const ViewState = z.strictObject({
  /** Search parameters of the screen, without record. */
  search: z.record(z.string().max(40), z.string().max(500)),
  columns: z
    .strictObject({
      order: z.array(z.string().max(40)).max(80).optional(),
      hidden: z.array(z.string().max(40)).max(80).optional(),
      /** Shown although the screen leaves them aside. */
      chosen: z.array(z.string().max(40)).max(80).optional(),
      widths: z.record(z.string().max(40), z.int().min(20).max(2000)).optional(),
      pinned: z.strictObject({ start: z.array(z.string().max(40)).max(80), end: z.array(z.string().max(40)).max(80) }).optional(),
    })
    .default({}),
  density: z.enum(["compact", "normal", "roomy"]).default("normal"),
});
export type ViewState = z.infer<typeof ViewState>;

export const SavedView = z.object({
  uuid: Uuid,
  version: Version,
  screen: z.string(),
  name: z.string(),
  /** Seen by the whole tenant; changed by its maker only. */
  shared: z.boolean(),
  mine: z.boolean(),
  /** Digit 1–9 it stands on for this user; null: none. */
  digit: z.int().min(1).max(9).nullable(),
  /** Opens with the screen for this user. */
  default: z.boolean(),
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
  /** Replaces the parts that are given. */
  updatePreferences: {
    method: "PUT",
    path: `${base}/preferences`,
    permission: "signed-in",
    // the parts as they are: a default would replace what was not given
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
  /** Of another's shared view only digit and default are taken: they are the caller's own. */
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
