import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useEffectEvent, useRef } from "react";
import type { DecisionRoutes } from "../../contract/decisions.ts";
import { useApi, useReadKey } from "../api/use-api.ts";
import { stillness } from "../kit/loading/stillness.ts";
import type { LiveState } from "./live-rules.ts";

/** ms within which changes count as one. */
const pause = 2_000;

/** How many rows each view holds, counted anew a moment after the list, or `alongside`, changed. */
export function useViewCounts(
  route: DecisionRoutes<never, never>["counts"],
  state: LiveState,
  alongside: number,
): Readonly<Partial<Record<string, number>>> {
  const { call } = useApi();
  const queries = useQueryClient();
  const queryKey = useReadKey(route, {});
  const { data } = useQuery({
    queryKey,
    queryFn: ({ signal }) => call(route, {}, { signal, background: true }),
    staleTime: 60_000,
  });
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const again = useEffectEvent(() => void queries.invalidateQueries({ queryKey }));
  const { count, waiting, answeredAt } = state;
  useEffect(() => {
    if (answeredAt === 0) return;
    timer.current ??= setTimeout(() => {
      timer.current = undefined;
      void stillness().then(again);
    }, pause);
  }, [count, waiting, answeredAt, alongside]);
  useEffect(
    () => () => {
      clearTimeout(timer.current);
      timer.current = undefined;
    },
    [],
  );
  return data?.data ?? {};
}
