import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { firstStepRoutes as routes } from "../../../contract/first-steps.ts";
import { isAllowed } from "../../../contract/permissions.ts";
import type { Sent } from "../../../contract/route.ts";
import { newUuid } from "../../../values/uuid.ts";
import { usePlace } from "../../api/place.ts";
import { useApi, useRead, useReadKey, useSignedIn } from "../../api/use-api.ts";
import { isPutOff, putOffSteps } from "./put-off.ts";

/** Stands in the address while the steps were asked for. */
const shownBy = "steps";

type Change = Sent<typeof routes.updateFirstSteps>["body"];

/** Where the tenant stands with its first steps, for who may set it up, and whether the dashboard shows them now. */
export function useFirstSteps() {
  const { call } = useApi();
  const { context, tenant } = useSignedIn();
  const place = usePlace();
  const queries = useQueryClient();
  const queryKey = useReadKey(routes.readFirstSteps, {});
  const may = [routes.readFirstSteps, routes.updateFirstSteps].every(({ permission }) => isAllowed(context.permissions, permission));
  const { data, isPending, isFetching, isFetchedAfterMount } = useRead(routes.readFirstSteps, {}, { enabled: may });
  const [, redraw] = useState(0);
  const first = data?.data ?? null;
  // what was read before the operator went to do a step is not shown again
  const isComing = may && (isPending || (isFetching && !isFetchedAfterMount));
  const isAsked = place.get(shownBy) !== null;
  const left = first?.steps.some(({ state }) => state === "open") === true;
  return {
    first,
    isComing,
    shown: first !== null && !isComing && (isAsked || (first.open && !isPutOff(tenant.id))),
    /** Leads on: they are neither all done nor put away. */
    isUnderWay: first !== null && first.open && left,
    show(on: boolean) {
      putOffSteps(tenant.id, !on);
      place.set({ [shownBy]: on ? "1" : null });
      redraw((n) => n + 1);
    },
    /** A refusal is told as a toast. */
    async change(change: Change): Promise<boolean> {
      const answer = await call(routes.updateFirstSteps, { body: change }, { idempotencyKey: newUuid() }).catch(() => null);
      if (answer !== null) queries.setQueryData(queryKey, answer);
      return answer !== null;
    },
    /** What is made elsewhere meanwhile is read when the dashboard is back. */
    forget: () => void queries.invalidateQueries({ queryKey, refetchType: "none" }),
  };
}
export type FirstStepsNow = ReturnType<typeof useFirstSteps>;
