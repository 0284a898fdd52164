import { exportedScreens, exportNameOf } from "../../contract/exports.ts";
import type { exportRoutes } from "../../contract/exports.ts";
import type { Received } from "../../contract/route.ts";
import { screens } from "../../contract/screens.ts";
import { actorOf, record } from "../audit/record.ts";
import type { StaffCall } from "../call.ts";
import type { Handlers } from "../handlers.ts";
import { once } from "../idempotency.ts";

type Noted = Received<(typeof exportRoutes)[keyof typeof exportRoutes]>["body"];

/** Writes down who took how many rows out, and of what. */
const note =
  (entity: string) =>
  (call: StaffCall, { body: { rows, filter } }: { body: Noted }) =>
    once(call, null, async (db) => {
      await record(db, call.tenant, actorOf(call), {
        act: `${entity}.export`,
        entity,
        entityId: null,
        after: { rows, filter, currency: call.currency },
      });
      return { answer: { data: {} } };
    });

export const exportHandlers = Object.fromEntries(
  exportedScreens.map((screen) => [exportNameOf(screen), note(screens[screen].subject)]),
) as unknown as Handlers<typeof exportRoutes, StaffCall>; // one for each exported screen
