import { z } from "zod";
import { defineColumns } from "./record-columns.ts";
import { recordRoutes } from "./record-routes.ts";
import { defineRoutes } from "./route.ts";
import type { ScreenName } from "./screens.ts";
import { screens } from "./screens.ts";
import { Instant, Uuid, Version } from "./wire.ts";

/**
 * What the audit log tells of, each by the screen whose right it takes to read the names and values in an entry of it. An entry itself is
 * seen by everybody with audit-log.view, because a log with holes proves nothing.
 */
export const auditedEntities = {
  deposit: "deposits",
  withdrawal: "withdrawals",
  transfer: "transfers",
  "bank-line": "bank-transactions",
  "bank-import": "bank-transactions",
  payer: "bank-transactions",
  "payout-file": "withdrawals",
  "payout-template": "payout-templates",
  merchant: "merchants",
  "payment-account": "payment-accounts",
  "payment-group": "payment-groups",
  "rate-limit-group": "rate-limit-groups",
  user: "users",
  "user-group": "user-groups",
  "master-account": "master-accounts",
  "score-watcher": "score-watchers",
  downtime: "downtime-schedule",
  "game-merchant": "game-merchants",
  "merchant-provider": "merchant-providers",
  "provider-game": "provider-games",
  "game-import": "provider-games",
  vendor: "vendors",
  "vendor-category": "vendor-categories",
  "vendor-item": "vendor-items",
  "outgoing-mail": "setting",
  "tenant-setting": "setting",
  "first-steps": "setting",
  view: "profile",
  "hand-over": "withdrawals",
} as const satisfies Readonly<Record<string, ScreenName>>;
export type AuditedEntity = keyof typeof auditedEntities;

/** Where one is looked at, if not on the screen by whose right it may be read; a saved view is looked at on its own screen. */
export const shownElsewhere: Partial<Readonly<Record<AuditedEntity, ScreenName>>> = { "first-steps": "dashboard" };
const entities = Object.keys(auditedEntities) as [AuditedEntity, ...AuditedEntity[]]; // Object.keys widens

/** What was done, without what it was done to. */
const acts = [
  "create",
  "update",
  "change-status",
  "delete",
  "approve",
  "first-approve",
  "second-approve",
  "reject",
  "recall",
  "reopen",
  "process",
  "claim",
  "release",
  "take-over",
  "hand-back",
  "defer",
  "lapse",
  "expire",
  "complete",
  "refer",
  "receipt-add",
  "receipt-remove",
  "match",
  "unmatch",
  "ignore",
  "take-back",
  "remark",
  "send-callback",
  "receive",
  "adjust",
  "clear-balance",
  "transfer",
  "hold",
  "export",
  "export-download",
  "export-delete",
  "read",
  "look-up",
  "invite",
  "resend-invitation",
  "withdraw-invitation",
  "accept-invitation",
  "dissolve",
  "start",
  "end",
  "end-sessions",
  "token-reused",
  "prove",
  "change-password",
  "reset-password",
  "force-password-reset",
  "begin",
  "enable",
  "disable",
  "reset",
  "renew-codes",
  "reset-credentials",
  "reset-notice-key",
  "revoke-notice-key",
  "add-currency",
  "payout-file",
  "view-secret",
  "revoke-old-secret",
  "test-callback",
  "resend-callbacks",
  "enable-callbacks",
  "disable-callbacks",
  "stage",
  "change",
  "start-import",
  "cancel",
  "finish",
  "learn",
  "forget",
  "revoke",
  "rules",
  "view-credentials",
  "check-credit",
  "go-down",
  "come-up",
  "end-now",
  "try",
  "copy",
] as const;
const actors = ["user", "merchant", "system"] as const;

/** An act with its area, as one of `acts`; the start of an import is another thing than that of a session. */
export const actWord = (code: string): string => (code === "bank-import.start" ? "start-import" : code.slice(code.lastIndexOf(".") + 1));

/** One entry of the audit log, which never changes. */
export const AuditEntry = z.object({
  uuid: Uuid,
  version: Version,
  created_at: Instant,
  /** Who did it, as they were called then. */
  by: z.string(),
  by_kind: z.enum(actors),
  /** One of `acts`, or what a later edition records. */
  act: z.string(),
  /** One of `auditedEntities`, or what a later edition records. */
  entity: z.string(),
  /** What it was done to; null: to nothing in particular. */
  of: Uuid.nullable(),
  /** What that is called by now; null where it is gone, has no name, or is not the reader's to see. */
  name: z.string().nullable(),
  /** The screen it is looked at on; null where it is gone, is shown nowhere, or is not the reader's to see. */
  screen: z.enum(Object.keys(screens) as [ScreenName, ...ScreenName[]]).nullable(),
  /** The records that the screen's path names. */
  params: z.record(z.string(), Uuid),
  reason: z.string().nullable(),
  ip: z.string().nullable(),
  request_id: z.string().nullable(),
  /** Its number in the chain; null while it waits to be sealed. */
  seal: z.int().nullable(),
});
export type AuditEntry = z.infer<typeof AuditEntry>;

const AuditEntryDetail = z.object({
  row: AuditEntry,
  /** The act with its area: "merchant.update". */
  code: z.string(),
  by_uuid: Uuid.nullable(),
  /** What it changed; null where the reader may not see such records. */
  changes: z.array(z.object({ field: z.string(), before: z.unknown(), after: z.unknown() })).nullable(),
});
export type AuditEntryDetail = z.infer<typeof AuditEntryDetail>;

export const auditLogColumns = defineColumns({
  created_at: { filter: "time", sort: true },
  by: { filter: "part", most: 120 },
  by_kind: { filter: "choices", of: actors },
  act: { filter: "choices", of: acts },
  entity: { filter: "choices", of: entities },
  /** Entries of one record, by its uuid. */
  of: { filter: "whole", most: 36 },
  ip: { filter: "whole", most: 45 },
  request_id: { filter: "whole", most: 100 },
});

const area = "/service/centralize-authenticate/api/tenant/v1/audit-log";

/** How far a chain was gone through, and what was found on the way. */
export const ChainPart = z.object({
  /** The last number gone through. */
  checked: z.int(),
  /** The number of the chain's last entry. */
  head: z.int(),
  /** The first entry that is not as it was sealed; its uuid is null where it is gone. */
  broken: z.object({ seal: z.int(), uuid: Uuid.nullable() }).nullable(),
  /**
   * At the head: how far the anchors, which this machine keeps outside the database, vouch for the chain, when the last was written, and
   * the first entry they contradict; null: there are none, or the head is not reached.
   */
  anchored: z.object({ seal: z.int(), at: Instant, contradicted: z.int().nullable() }).nullable(),
  /** Entries that wait to be sealed, and since when the oldest does. */
  waiting: z.int(),
  waiting_since: Instant.nullable(),
});
export type ChainPart = z.infer<typeof ChainPart>;

/** The search finds entries by the exact number, code or e-mail of their record, by its uuid, and by the request. */
export const auditLogRoutes = {
  ...recordRoutes(area, "audit-log", {
    one: "AuditEntry",
    many: "AuditEntries",
    columns: auditLogColumns,
    row: AuditEntry,
    detail: AuditEntryDetail,
  }),
  ...defineRoutes({
    /** Goes through the next part of the chain after this number; from 0 on, part after part, to its head. */
    checkAuditChain: {
      method: "GET",
      path: `${area}/chain`,
      permission: "audit-log.view",
      query: z.strictObject({ after: z.coerce.number().pipe(z.int().min(0)) }),
      answer: ChainPart,
    },
  }),
};
