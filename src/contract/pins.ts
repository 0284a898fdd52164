import { z } from "zod";
import { exportedScreens } from "./exports.ts";
import { base, mostPins, Pin, SavedView } from "./preferences.ts";
import { defineRoutes } from "./route.ts";
import { Instant, Uuid } from "./wire.ts";

/** What a pinned view's list has now. */
export const PinFigures = z.object({
  /** Null: counting takes too long. */
  count: z.int().nullable(),
  sums: z.record(z.string(), z.string()),
  /** When the oldest row was made; null: there is none, or its kind has no time. */
  oldest_at: Instant.nullable(),
  /** What happened later is not in them. */
  as_of: Instant,
});
export type PinFigures = z.infer<typeof PinFigures>;

/** Saved views in the counters pane. */
export const pinRoutes = defineRoutes({
  /** Those in the caller's counters pane: the tenant's, then the caller's own, the earliest first. */
  listPinnedViews: { method: "GET", path: `${base}/pinned-views`, permission: "signed-in", answer: z.array(SavedView) },
  /** Only its creator pins a shared view for the tenant. */
  pinView: {
    method: "PUT",
    path: `${base}/views/{uuid}/pin`,
    permission: "signed-in",
    params: z.strictObject({ uuid: Uuid }),
    body: z.strictObject({ for: z.enum(["me", "tenant"]), pin: Pin.nullable() }),
    answer: SavedView,
    refuses: ["pin.full", "pin.not-shared"],
  },
  /**
   * What lists have now: each of these exactly as its own call would answer. One that cannot be asked, because the right is missing or a
   * filter is not known any more, answers why, and the others stay.
   */
  readPinFigures: {
    method: "POST",
    path: `${base}/pinned-views/figures`,
    permission: "signed-in",
    body: z.strictObject({
      lists: z
        .array(
          z.strictObject({
            /** One with a list, as every screen that can be exported. */
            screen: z.enum(exportedScreens),
            query: z.record(z.string().max(60), z.string().max(1_000)),
            /** The records that the list's path names. */
            params: z.record(z.string().max(60), z.string().max(60)).optional(),
          }),
        )
        .min(1)
        .max(mostPins),
    }),
    answer: z.array(
      z.discriminatedUnion("known", [
        PinFigures.extend({ known: z.literal(true) }),
        z.object({ known: z.literal(false), code: z.string() }),
      ]),
    ),
  },
});
