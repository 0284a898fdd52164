import type { Downtime, DowntimeDetail } from "../../../contract/downtimes.ts";
import { downtimeColumns, downtimeRoutes as routes } from "../../../contract/downtimes.ts";
import { defineEntity } from "../../entity/entity.ts";
import { linksTo, tableOf } from "../../entity/named.ts";
import { linkedText } from "../../kit/form/linked.ts";
import { timesAtProvider } from "./provider-time.ts";

/** The screen of an entity whose downtime does not say where it is shown. */
const otherwise = "master-accounts";

const overlaps = tableOf<DowntimeDetail, DowntimeDetail["overlaps"][number]>({
  columns: [
    { field: "entity_type", as: "choice" },
    { field: "entity", links: ({ uuid, entity }) => [{ screen: "downtime-schedule", record: uuid, text: linkedText(entity) }] },
    { field: "start_time", as: "time" },
    { field: "end_time", as: "time" },
  ],
  rows: (detail) => detail.overlaps,
});

const affected = tableOf<DowntimeDetail, DowntimeDetail["affected"][number]>({
  columns: [
    {
      field: "provider",
      links: ({ uuid, name, merchant }) => [
        { screen: "merchant-providers", params: { merchantUuid: merchant.uuid }, record: uuid, text: name },
      ],
    },
    { field: "merchant", links: ({ merchant }) => linksTo("game-merchants", [merchant]) },
    { field: "games", as: "count" },
  ],
  rows: (detail) => detail.affected,
});

/** When providers, what merchants have there, and games cannot be used. */
export const downtimes = defineEntity({
  screen: "downtime-schedule",
  subject: "downtime",
  routes: {
    list: routes.listDowntimes,
    read: routes.readDowntime,
    create: routes.createDowntime,
    update: routes.updateDowntime,
    remove: routes.deleteDowntime,
  },
  live: "downtime",
  titleOf: ({ entity }) => entity.name,
  nameOf: ({ entity }) => linkedText(entity),
  codeOf: ({ entity }) => entity.code ?? entity.name,
  marks: ["state"],
  looks: { "downtime.end": "go" },
  duplicate: (values) => ({ ...values, starts_at: "", ends_at: "", repeats_until: "" }),
  order: "start_time",
  columns: [
    { field: "state", as: "status", width: 112 },
    { field: "entity_type", as: "choice", width: 136 },
    { field: "entity", width: 200, minWidth: 120, grow: 1, at: "entity.name" },
    { field: "of", width: 180, minWidth: 96, grow: 0.6, rooms: ["wide"] },
    { field: "start_time", as: "time", width: 156 },
    { field: "end_time", as: "time", width: 156 },
    { field: "minutes", as: "minutes", width: 84 },
    { field: "repeats", as: "choice", width: 84 },
    { field: "reason", width: 200, minWidth: 112, grow: 1 },
    { field: "overlap_minutes", as: "minutes", width: 84, rooms: ["wide"] },
    { field: "by", width: 132, rooms: ["wide"] },
    { field: "created_at", as: "time", width: 156, rooms: [] },
  ],
  columnMap: downtimeColumns,
  firstFilters: ["state", "entity_type", "entity"],
  views: [
    { id: "all", search: {} },
    { id: "now", search: { state: "now" } },
    { id: "planned", search: { state: "planned" } },
    { id: "weekly", search: { repeats: "weekly" } },
    { id: "overlapping", search: { overlaps: "true", state: "now,planned" } },
  ],
  sections: [
    {
      name: "window",
      lines: [
        { field: "entity_type", as: "choice" },
        { field: "entity", links: ({ row: { entity } }) => linksTo(otherwise, [entity]) },
        "of",
        { field: "start_time", as: "time" },
        { field: "end_time", as: "time" },
        { field: "minutes", as: "minutes" },
        { field: "repeats", as: "choice" },
        { field: "repeats_until", as: "time" },
        { field: "zone", as: "mono" },
        { field: "at_provider", as: "mono", value: ({ row }: DowntimeDetail) => timesAtProvider(row) },
        "reason",
      ],
      sparse: true,
    },
    {
      name: "overlaps",
      lines: [{ field: "overlap_minutes", as: "minutes" }],
      table: overlaps,
      applies: ({ overlaps: found }) => found.length > 0,
    },
    {
      name: "affected",
      lines: [
        { field: "affected_count", as: "count", value: (of: DowntimeDetail) => of.affected_count },
        { field: "affected_games", as: "count", value: (of: DowntimeDetail) => of.affected_games },
      ],
      table: affected,
    },
    {
      name: "dates",
      lines: ["by", { field: "created_at", as: "time" }, { field: "updated_at", as: "time" }],
    },
  ],
  form: {
    groups: [
      { name: "what", fields: ["entity", "reason"] },
      { name: "window", fields: ["starts_at", "ends_at", "merge"] },
      { name: "repeats", fields: ["weekly", "repeats_until", "zone"] },
    ],
    valuesOf: ({ repeats }: Downtime) => ({ weekly: repeats === "weekly" ? "on" : "off", merge: "off" }),
  },
});
