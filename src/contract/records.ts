import { z } from "zod";
import { Instant } from "./wire.ts";

/** Counting what uses a record stops here: it is in use anyway. */
export const countedTo = 1_000;

/** One line of a record's own history, from the audit log. */
export const RecordEvent = z.object({
  at: Instant,
  act: z.string(),
  by: z.string(),
  /** In the words of whoever did it. */
  reason: z.string().nullable(),
  changes: z.record(z.string(), z.object({ before: z.unknown(), after: z.unknown() })),
});
export type RecordEvent = z.infer<typeof RecordEvent>;
