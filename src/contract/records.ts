import { z } from "zod";
import { Instant } from "./wire.ts";

/** Uses of a record are counted up to this number, because the exact one does not matter. */
export const countedTo = 1_000;

/** One entry of a record's history, from the audit log. */
export const RecordEvent = z.object({
  at: Instant,
  act: z.string(),
  by: z.string(),
  /** As typed by the person who did it. */
  reason: z.string().nullable(),
  changes: z.record(z.string(), z.object({ before: z.unknown(), after: z.unknown() })),
});
export type RecordEvent = z.infer<typeof RecordEvent>;
