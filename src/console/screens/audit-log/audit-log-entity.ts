import type { AuditedEntity, AuditEntry } from "../../../contract/audit-log.ts";
import { auditLogColumns, auditLogRoutes as routes } from "../../../contract/audit-log.ts";
import { defineEntity } from "../../entity/entity.ts";
import type { RecordLink } from "../../entity/named.ts";
import { ChangesSection } from "./changes-section.tsx";
import { NoPlace } from "./no-place.tsx";

/** What its screen is asked for, where that is more than the record. */
const searches: Partial<Record<AuditedEntity, (entry: AuditEntry) => Readonly<Record<string, string>>>> = {
  "tenant-setting": () => ({ section: "history" }),
  "outgoing-mail": () => ({ section: "mails" }),
  "first-steps": () => ({ steps: "1" }),
  // the lines that came of it, the withdrawals that stand in it
  "bank-import": ({ of }) => ({ import_uuid: of ?? "" }),
  "payout-file": ({ of }) => ({ view: "all", payout_file: of ?? "" }),
  payer: ({ name }) => ({ sheet: "payers", find: name ?? "" }),
  view: ({ of }) => ({ saved: of ?? "" }),
  // the games of its set-up
  "game-import": () => ({}),
};

/** Where the record that an entry tells of is looked at; a transaction is found whatever its state is by now. */
function linkOf(entry: AuditEntry): RecordLink | null {
  const { entity, of, name, screen, params } = entry;
  if (screen === null) return null;
  const text = name ?? of ?? "";
  const search = searches[entity as AuditedEntity]?.(entry); // of an entity it does not know there is none
  if (search) return { screen, params, search, text };
  return of === null ? null : { screen, params, search: { view: "all" }, record: of, text };
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
    { field: "name", width: 152, minWidth: 128, grow: 0.7 },
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
      draw: NoPlace,
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
