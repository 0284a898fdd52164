import { z } from "zod";
import { Instant } from "./wire.ts";

/** Whether something can be used now; a downtime of what stands above it counts, too. */
export const availabilities = ["up", "maintenance"] as const;

/** Downtimes of a record that last or are to come. */
export const OwnDowntimes = z.array(
  z.object({ uuid: z.uuid(), state: z.enum(["now", "planned"]), start_time: Instant, end_time: Instant, reason: z.string() }),
);
export type OwnDowntimes = z.infer<typeof OwnDowntimes>;
/** Most of them in a detail. */
export const mostOwnDowntimes = 5;

/** What the row of something that can be down says of it. */
export const availabilityFields = {
  availability: z.enum(availabilities),
  /** When the downtime it is in ends; null: it is in none. */
  down_until: Instant.nullable(),
};

export const availabilityColumn = { filter: "choices", of: availabilities } as const;
