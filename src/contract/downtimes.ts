import { z } from "zod";
import { isZoneName } from "../values/named-zones.ts";
import { control, Linked } from "./controls.ts";
import { defineColumns } from "./record-columns.ts";
import { recordRoutes } from "./record-routes.ts";
import { RecordEvent } from "./records.ts";
import { defineRoutes } from "./route.ts";
import { Instant, Name, Uuid, Version } from "./wire.ts";

const base = "/service/game-provider/api/tenant/v1/downtime-schedule";
const area = "gps.provider.downtime";

/** What can be down, the widest first: with a master account all set-ups that draw on it, with a set-up all its games. */
export const downtimeEntities = ["master-account", "merchant-provider", "provider-game"] as const;
export type DowntimeEntity = (typeof downtimeEntities)[number];
/** now: it lasts at this moment; planned: it, or its next repetition, is to come; ended: none is. */
export const downtimeStates = ["now", "planned", "ended"] as const;
export type DowntimeState = (typeof downtimeStates)[number];
export const repetitions = ["once", "weekly"] as const;

/** Minutes before its begin at which a downtime is announced. */
export const announcedBefore = 15;
/** Longest a downtime that repeats weekly may last, so that it ends before it begins again. */
export const longestWeeklyDays = 6;

export const Downtime = z.object({
  uuid: Uuid,
  version: Version,
  entity_type: z.enum(downtimeEntities),
  entity: Linked,
  /** Of a set-up its merchant; of a game its provider and merchant; empty: it is an account of the house. */
  of: z.string(),
  currency: z.string(),
  state: z.enum(downtimeStates),
  /** The window that lasts now, else the next, else the last. */
  start_time: Instant,
  end_time: Instant,
  minutes: z.int(),
  repeats: z.enum(repetitions),
  reason: z.string(),
  /** Minutes of that window in which a wider entity is down as well; null: none. */
  overlap_minutes: z.int().nullable(),
  by: z.string(),
  /** Its first window as it was planned. */
  starts_at: Instant,
  ends_at: Instant,
  repeats_until: Instant.nullable(),
  /** The provider's, in which repetitions keep their time of day; null: the currency's, which knows no summer time. */
  zone: z.string().nullable(),
  created_at: Instant,
  updated_at: Instant,
});
export type Downtime = z.infer<typeof Downtime>;

/** Another downtime whose windows meet this one's. */
const Overlap = z.object({ uuid: Uuid, entity: Linked, entity_type: z.enum(downtimeEntities), start_time: Instant, end_time: Instant });
/** A set-up that is down with it. */
const Affected = z.object({ uuid: Uuid, name: z.string(), merchant: Linked, games: z.int() });

export const DowntimeDetail = z.object({
  row: Downtime,
  overlaps: z.array(Overlap),
  /** Set-ups that are down with it, by merchant: the first `mostAffected`; how many there are, and how many games. */
  affected: z.array(Affected),
  affected_count: z.int(),
  affected_games: z.int(),
  history: z.array(RecordEvent),
});
export type DowntimeDetail = z.infer<typeof DowntimeDetail>;
export const mostAffected = 20;

const ZoneName = z
  .string()
  .trim()
  .max(60)
  .refine((text) => text === "" || isZoneName(text), "Must be the name of a time zone, such as Europe/Malta")
  .meta({ ...control("text"), examples: ["Europe/Malta"] });

const DowntimeForm = z.strictObject({
  starts_at: Instant.meta(control("moment")),
  ends_at: Instant.meta(control("moment")),
  reason: Name(200),
  weekly: z.boolean().meta(control("switch")),
  repeats_until: Instant.nullable().meta(control("moment")),
  zone: ZoneName,
  /** Joins it with the downtimes of the same entity that it meets, instead of being refused. */
  merge: z.boolean().meta(control("switch")),
});
export type DowntimeForm = z.infer<typeof DowntimeForm>;

export const downtimeColumns = defineColumns({
  start_time: { filter: "time", sort: true },
  end_time: { filter: "time", sort: true },
  state: { filter: "choices", of: downtimeStates, sort: true },
  entity_type: { filter: "choices", of: downtimeEntities, sort: true },
  entity: { filter: "part", most: 120, sort: true, find: "part" },
  of: { filter: "part", most: 120, find: "part" },
  repeats: { filter: "choices", of: repetitions },
  reason: { filter: "part", most: 200, find: "part" },
  overlaps: { filter: "choices", of: ["true", "false"] },
  created_at: { filter: "time", sort: true },
  uuid: { filter: "rows" },
});

/** Something that is down in a span of time, or stands above or beneath it, as one lane of the timeline. */
const Lane = z.object({
  uuid: Uuid,
  kind: z.enum(downtimeEntities),
  name: z.string(),
  /** An account's or a game's code, a set-up's merchant. */
  note: z.string(),
  /** How many games are down with it; null: it is one. */
  games: z.int().nullable(),
  /** The lane above, whose windows it shares; null: it stands on the left. */
  above: Uuid.nullable(),
});
export type Lane = z.infer<typeof Lane>;

export const DowntimeTimeline = z.object({
  /** From the widest to the narrowest, each beneath its own: the first `mostLanes`, and how many more there are. */
  lanes: z.array(Lane),
  more: z.int(),
  /** By start; `lane` names one of the lanes. */
  windows: z.array(z.object({ downtime: Uuid, lane: Uuid, start_time: Instant, end_time: Instant })),
  /** Those whose windows these are. */
  downtimes: z.array(Downtime),
});
export type DowntimeTimeline = z.infer<typeof DowntimeTimeline>;
export const mostLanes = 300;
/** Most days of one timeline. */
export const mostTimelineDays = 62;

const params = z.strictObject({ uuid: Uuid });

const downtimeRecordRoutes = recordRoutes(base, area, {
  one: "Downtime",
  many: "Downtimes",
  currency: true,
  columns: downtimeColumns,
  row: Downtime,
  detail: DowntimeDetail,
  create: DowntimeForm.extend({ entity: Uuid.meta(control("reference", ["master-accounts", "merchant-providers", "provider-games"])) }),
  update: DowntimeForm,
  remove: true,
});

export const downtimeRoutes = defineRoutes({
  ...downtimeRecordRoutes,
  /** Windows of a span of time, on the lanes they lie on. */
  readDowntimeTimeline: {
    method: "GET",
    path: "/service/game-provider/api/tenant/v1/downtime-timeline",
    permission: `${area}.view`,
    currency: true,
    query: z
      .strictObject({ from: Instant, to: Instant })
      .refine(({ from, to }) => Date.parse(to) > Date.parse(from), { path: ["to"], message: "Must be after the start" })
      .refine(({ from, to }) => Date.parse(to) - Date.parse(from) <= mostTimelineDays * 86_400_000, {
        path: ["to"],
        message: `Must be at most ${mostTimelineDays} days later`,
      }),
    answer: DowntimeTimeline,
  },
  /** Ends the window that lasts now; of one that repeats only this window. */
  endDowntime: {
    method: "POST",
    path: `${base}/{uuid}/end`,
    permission: `${area}.update`,
    currency: true,
    params,
    body: z.strictObject({ version: Version }),
    answer: Downtime,
    refuses: ["record.stale", "downtime.not-active"],
  },
});
