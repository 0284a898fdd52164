import { z } from "zod";
import { Instant } from "./wire.ts";

/** Whether something can be used now; a downtime of what stands above it counts, too. */
export const availabilities = ["up", "maintenance"] as const;

/** What the row of something that can be down says of it. */
export const availabilityFields = {
  availability: z.enum(availabilities),
  /** When the downtime it is in ends; null: it is in none. */
  down_until: Instant.nullable(),
};

export const availabilityColumn = { filter: "choices", of: availabilities } as const;
