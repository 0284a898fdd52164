import { exportedScreens, exportNameOf } from "../../contract/exports.ts";
import type { exportRoutes } from "../../contract/exports.ts";
import type { Received } from "../../contract/route.ts";
import { screens } from "../../contract/screens.ts";
import { actorOf, record } from "../audit/record.ts";
import type { StaffCall } from "../call.ts";
import type { Handlers } from "../handlers.ts";
import { once } from "../idempotency.ts";

type Noted = Received<(typeof exportRoutes)[keyof typeof exportRoutes]>["body"];

/** Audits who exported how many rows, with which filter. */
const auditExport =
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
  exportedScreens.map((screen) => [exportNameOf(screen), auditExport(screens[screen].subject)]),
) as unknown as Handlers<typeof exportRoutes, StaffCall>; // one for each exported screen
