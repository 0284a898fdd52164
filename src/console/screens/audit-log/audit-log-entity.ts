import type { AuditedEntity, AuditEntry } from "../../../contract/audit-log.ts";
import { auditedEntities, auditLogColumns, auditLogRoutes as routes } from "../../../contract/audit-log.ts";
import type { ScreenName } from "../../../contract/screens.ts";
import { screens } from "../../../contract/screens.ts";
import { defineEntity } from "../../entity/entity.ts";
import type { RecordLink } from "../../entity/named.ts";
import { ChangesSection } from "./changes-section.tsx";

/** What has a page of its own and no list. */
const pages = {
  "tenant-setting": { screen: "setting", search: { section: "history" } },
  "outgoing-mail": { screen: "setting", search: { section: "mails" } },
  "first-steps": { screen: "dashboard", search: { steps: "1" } },
} as const satisfies Partial<Record<AuditedEntity, Pick<RecordLink, "screen" | "search">>>;

/** The record that an entry tells of, where its screen shows such records; a transaction is found whatever its state is by now. */
function linkOf({ entity, of, name }: AuditEntry): RecordLink | null {
  if (of === null || !Object.hasOwn(auditedEntities, entity)) return null;
  if (Object.hasOwn(pages, entity)) return { ...pages[entity as keyof typeof pages], record: of, text: name ?? of }; // as just asked
  const screen: ScreenName = auditedEntities[entity as keyof typeof auditedEntities]; // as just asked
  if (screens[screen].subject !== entity) return null;
  return { screen, search: { view: "all" }, record: of, text: name ?? of };
}

/** Who did what, when, from where and why: entries that nobody can change. */
export const auditLog = defineEntity({
  screen: "audit-log",
  subject: "audit-entry",
  routes: { list: routes.listAuditEntries, read: routes.readAuditEntry },
  titleOf: ({ by }) => by,
  codeOf: ({ name, by }) => name ?? by,
  order: "-created_at",
  window: { field: "created_at", initial: "today" },
  linkOf,
  columns: [
    { field: "created_at", as: "time", width: 156 },
    { field: "by", width: 152, minWidth: 104, grow: 0.5 },
    { field: "act", as: "choice", width: 168, minWidth: 112, grow: 0.6 },
    { field: "entity", as: "choice", width: 128, minWidth: 96 },
    { field: "name", width: 152, minWidth: 96, grow: 0.7 },
    { field: "reason", width: 160, minWidth: 88, grow: 0.7 },
    { field: "ip", as: "mono", width: 120 },
    { field: "request_id", as: "mono", width: 136, rooms: ["wide"] },
    { field: "seal", as: "count", width: 88 },
  ],
  columnMap: auditLogColumns,
  firstFilters: ["created_at", "by", "entity", "act"],
  sections: [
    {
      name: "act",
      lines: [
        { field: "act", as: "choice", value: ({ row }) => row.act },
        { field: "entity", as: "choice", value: ({ row }) => row.entity },
        {
          field: "name",
          links({ row }) {
            const link = linkOf(row);
            return link === null ? [] : [link];
          },
        },
        { field: "of", as: "mono" },
        { field: "reason" },
      ],
    },
    { name: "changes", draw: ChangesSection },
    {
      name: "who",
      lines: ["by", { field: "by_kind", as: "choice" }, { field: "ip", as: "mono" }, { field: "created_at", as: "time" }],
    },
    {
      name: "proof",
      lines: [
        { field: "seal", as: "count" },
        { field: "request_id", as: "mono" },
        { field: "code", as: "mono", value: ({ code }) => code },
      ],
    },
  ],
});
