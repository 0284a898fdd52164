import { z } from "zod";
import type { Permission } from "./permissions.ts";
import type { Route } from "./route.ts";
import type { Check, GivenReason, HistoryEvent, Transaction } from "./transactions.ts";
import { isOpen } from "./transactions.ts";
import type { RowRef } from "./wire.ts";
import { Amount, Instant, ListMeta, Uuid } from "./wire.ts";

/** The fields of a transaction that people claim, defer, decide and can recall. */
export const decisionFields = {
  /** 1 approve directly · 2 confirm the amount · 3 a second person; a warning of a check raises it by one. */
  tier: z.int().min(1).max(3),
  /** The first approver of a tier 3 transaction; null: not approved yet. */
  first_approved_by: z.object({ uuid: Uuid, name: z.string() }).nullable(),
  claim: z.object({ user: Uuid, name: z.string(), since: Instant, until: Instant }).nullable(),
  /** Released by this user to be looked at again at `until`, for this reason if one was told; null once that time has passed. */
  deferred: z.object({ user: Uuid, name: z.string(), until: Instant, reason: z.string().nullable() }).nullable(),
  /** Its place in the work list: the time it arrived, is to be looked at again, or was approved by a first person. */
  due_at: Instant,
  /** Until when `recall` can undo an approval. */
  recallable_until: Instant.nullable(),
};
const Decision = z.object(decisionFields);
export type DecisionRow = Transaction & z.infer<typeof Decision>;

/** What an age is told from. */
export type Aged = Pick<Transaction, "status" | "created_at" | "approved_at" | "rejected_at"> & Partial<Pick<Transaction, "expired_at">>;

/** ms an open row has waited, or a decided one took. */
export function ageOf(row: Aged, now: number): number {
  const decided = row.rejected_at ?? row.approved_at ?? row.expired_at ?? null;
  return (isOpen(row) || decided === null ? now : Date.parse(decided)) - Date.parse(row.created_at);
}

/** Who has an open transaction in hand: by a claim, by a first approval, or put off until later; null: nobody, or it is decided. `now`: ms. */
export function holderOf(row: DecisionRow, now: number): { readonly by: "claim" | "first" | "deferred"; readonly name: string } | null {
  const { claim, deferred, first_approved_by: first } = row;
  if (!isOpen(row)) return null;
  if (claim !== null) return { by: "claim", name: claim.name };
  if (first !== null) return { by: "first", name: first.name };
  return deferred !== null && Date.parse(deferred.until) > now ? { by: "deferred", name: deferred.name } : null;
}

/** What a decision is made from. */
export interface DecisionDetail<Row> {
  readonly row: Row;
  readonly checks: Check[];
  readonly history: z.infer<typeof HistoryEvent>[];
}

/** The tenant's settings for the decisions on one kind of transaction. */
export const DecisionSettings = z.object({
  claim_limit: z.int(),
  lease_seconds: z.int(),
  recall_seconds: z.int(),
  /** Currency → amounts from which a confirmation, and a second person, is required. */
  tiers: z.record(z.string(), z.object({ confirm_from: Amount, second_from: Amount })),
  /** In the order of the digits 1–9. */
  reject_reasons: z.array(z.object({ code: z.string(), text: z.string().nullable() })),
  /** Minutes of age from which a row is amber, and red. */
  sla: z.object({ amber_minutes: z.int(), red_minutes: z.int() }),
});
export type DecisionSettings = z.infer<typeof DecisionSettings>;

/** The result of an act for one row. */
export type Outcome<Row> =
  | { readonly uuid: string; readonly done: true; readonly row: Row }
  | { readonly uuid: string; readonly done: false; readonly problem: { readonly code: string; readonly message: string } };

interface Permitted extends Route {
  readonly permission: Permission;
}

/** The right to an act, or that and the second person's: whoever has only the latter does it to what waits for them. */
type Needed = Permission | readonly [whole: Permission, second: Permission];

/** An act on rows; `Ref`: what the request says of each row, `More`: what it says of all. */
export interface RowsRoute<Row, Ref = RowRef, More = unknown, Needs extends Needed = Permission> extends Route {
  readonly permission: Needs;
  readonly params?: never;
  readonly query?: never;
  readonly meta?: never;
  readonly body: z.ZodType<unknown, { rows: Ref[] } & More>;
  readonly answer: z.ZodType<{ outcomes: Outcome<Row>[] }>;
}

interface ListRoute<Row> extends Permitted {
  readonly params?: never;
  readonly query: z.ZodObject;
  readonly body?: never;
  readonly answer: z.ZodType<Row[]>;
  readonly meta: typeof ListMeta;
}

interface OneRoute<Answer> extends Permitted {
  readonly params: z.ZodObject<{ uuid: typeof Uuid }>;
  readonly query?: never;
  readonly body?: never;
  readonly meta?: never;
  readonly answer: z.ZodType<Answer>;
}

interface PlainRoute<Body, Answer> extends Permitted {
  readonly params?: never;
  readonly query?: never;
  readonly meta?: never;
  readonly body: z.ZodType<unknown, Body>;
  readonly answer: z.ZodType<Answer>;
}

interface CountsRoute extends Permitted {
  readonly params?: never;
  readonly query?: never;
  readonly body?: never;
  readonly meta?: never;
  readonly answer: z.ZodType<Partial<Record<string, number>>>;
}

/** The routes of one kind of transaction with decisions. Its list has the views "queue", ordered by `due_at`, and "all". */
export interface DecisionRoutes<Row, Detail> {
  readonly list: ListRoute<Row>;
  readonly counts: CountsRoute;
  readonly read: OneRoute<Detail>;
  readonly takeNext: PlainRoute<{ skip?: string[] | undefined }, Detail>;
  readonly claim: RowsRoute<Row>;
  readonly renew: PlainRoute<{ uuids: string[] }, { held: { uuid: string; until: string }[]; lost: string[] }>;
  readonly release: RowsRoute<Row>;
  readonly defer: RowsRoute<Row, RowRef, { reason?: string | undefined }>;
  readonly takeOver: RowsRoute<Row, RowRef, { reason?: string | undefined }>;
  /** `claim`: claims a free transaction before approving it. */
  readonly approve: RowsRoute<Row, RowRef & { claim?: true | undefined }>;
  /** Present where large amounts need a second person: the second approval, and its refusal. */
  readonly second?: { readonly approve: RowsRoute<Row>; readonly handBack: RowsRoute<Row, RowRef, { reason: string }> };
  readonly reject: RowsRoute<Row, RowRef, { reason: z.input<typeof GivenReason> }, Exclude<Needed, Permission>>;
  readonly recall: RowsRoute<Row>;
  readonly sendCallback: RowsRoute<Row>;
  readonly remark: Omit<OneRoute<Row>, "body"> & { readonly body: z.ZodType<unknown, { version: number; remark: string }> };
}
