import { z } from "zod";
import { defineRoutes } from "./route.ts";

/** What a new tenant needs before its first payment, in the order it is led through. */
export const firstSteps = ["currency", "account", "merchant", "group", "colleague"] as const;
export type FirstStep = (typeof firstSteps)[number];

export const FirstSteps = z.object({
  /** The dashboard leads through them: the tenant began with them, and nobody has put them away. */
  open: z.boolean(),
  /** done: there is one, whoever made it. */
  steps: z.array(z.object({ step: z.enum(firstSteps), state: z.enum(["open", "done", "skipped"]) })),
});
export type FirstSteps = z.infer<typeof FirstSteps>;

const path = "/service/centralize-authenticate/api/tenant/v1/first-steps";
const skipped = z.boolean().optional();

export const firstStepRoutes = defineRoutes({
  readFirstSteps: { method: "GET", path, permission: "tenant-setting.view", answer: FirstSteps },
  /** Changes what is given, and leaves the rest, so that of two people who do it at once neither undoes the other's. */
  updateFirstSteps: {
    method: "PUT",
    path,
    permission: "tenant-setting.update",
    body: z.strictObject({
      open: z.boolean().optional(),
      skipped: z.strictObject({ currency: skipped, account: skipped, merchant: skipped, group: skipped, colleague: skipped }).default({}),
    }),
    answer: FirstSteps,
  },
});
