import { z } from "zod";

/** Which lines of an import are asked for: of one state or of all, in the order of the file. */
export const askedLines = <State extends string>(states: readonly [State, ...State[]]) =>
  z.strictObject({
    state: z.enum(states).optional(),
    /** Only lines after this number. */
    after: z.coerce.number().int().min(0).max(10_000_000).default(0),
    limit: z.coerce.number().int().min(1).max(500).default(100),
  });

/** `next` is the `after` of the following page; null: there is none. */
export const LinesMeta = z.object({ next: z.int().nullable() });
