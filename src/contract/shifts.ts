import { z } from "zod";
import { control } from "./controls.ts";
import { defineRoutes } from "./route.ts";
import { handOverRights, shiftRights } from "./shift-rights.ts";
import { Amount, Instant, Uuid } from "./wire.ts";

/** A transaction that somebody has in hand, or has put off. */
const InHand = z.object({
  uuid: Uuid,
  kind: z.enum(["deposit", "withdrawal"]),
  txn_no: z.string(),
  customer_name: z.string(),
  amount: Amount,
  currency: z.string(),
  /** Claimed, or to be looked at again. */
  at: Instant,
  remark: z.string().nullable(),
  /** Why it was put off; left out by what was handed over before reasons were told. */
  reason: z.string().nullable().optional(),
});

/** What one operator did since a moment, and still has. */
export const Shift = z.object({
  since: Instant,
  decided: z.array(
    z.object({
      kind: z.enum(["deposit", "withdrawal"]),
      outcome: z.enum(["approved", "rejected"]),
      currency: z.string(),
      count: z.int(),
      amount: Amount,
    }),
  ),
  held: z.array(InHand),
  /** Put off and not decided since. */
  deferred: z.array(InHand),
});
export type Shift = z.infer<typeof Shift>;

export const HandOver = z.object({
  uuid: Uuid,
  by: z.object({ uuid: Uuid, name: z.string() }),
  at: Instant,
  note: z.string(),
  shift: Shift,
  /** By the one who asks. */
  read: z.boolean(),
});
export type HandOver = z.infer<typeof HandOver>;

/** Hours of a shift where none was handed over before, and for which a hand-over is told. */
export const shiftHours = 12;
/** Letters of a note at most. */
export const longestNote = 2_000;
/** Most hand-overs told, and rows of each kind in one. */
export const mostHandOvers = 20;
export const mostInHand = 100;

const base = "/service/payment/api/tenant/v1";

export const shiftRoutes = defineRoutes({
  /** The caller's own shift up to now. */
  readShift: { method: "GET", path: `${base}/shift`, permission: shiftRights, answer: Shift },
  /** Releases what the caller holds, and leaves the note and the shift to whoever comes next. */
  handOver: {
    method: "POST",
    path: `${base}/shift/hand-over`,
    permission: shiftRights,
    body: z.strictObject({ note: z.string().trim().max(longestNote).meta(control("lines")) }),
    answer: HandOver,
  },
  /** Others' hand-overs of the last hours, the newest first. */
  listHandOvers: { method: "GET", path: `${base}/hand-overs`, permission: handOverRights, answer: z.array(HandOver) },
  /** They are told to the caller no more. */
  readHandOvers: {
    method: "POST",
    path: `${base}/hand-overs/read`,
    permission: handOverRights,
    body: z.strictObject({ uuids: z.array(Uuid).min(1).max(mostHandOvers) }),
    answer: z.object({}),
  },
});
