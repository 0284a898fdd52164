import { useQueries, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { withdrawalRoutes } from "../../../contract/withdrawals.ts";
import type { WithdrawalView } from "../../../contract/withdrawals.ts";
import { useApi, useReadKey } from "../../api/use-api.ts";
import type { LiveState } from "../../lists/live-list.ts";

/** "all" is not counted: it may be millions. */
const counted = ["queue", "mine", "process", "today", "second"] as const satisfies readonly WithdrawalView[];

/** ms within which changes count as one. */
const pause = 2_000;

/** How many rows each view holds, counted anew a moment after the list changed. */
export function useViewCounts(state: LiveState): Readonly<Partial<Record<WithdrawalView, number>>> {
  const { call } = useApi();
  const queries = useQueryClient();
  const [tenant, currency] = useReadKey(withdrawalRoutes.listWithdrawals, {});
  const found = useQueries({
    queries: counted.map((view) => ({
      queryKey: [tenant, currency, "withdrawal-count", view],
      queryFn: ({ signal }: { signal: AbortSignal }) =>
        call(withdrawalRoutes.listWithdrawals, { query: { view, limit: 1, with: "count" } }, { signal, background: true }).then(
          ({ meta }) => meta.count ?? 0,
        ),
      staleTime: 60_000,
    })),
  });
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const { count, waiting, answeredAt } = state;
  useEffect(() => {
    if (answeredAt === 0) return;
    timer.current ??= setTimeout(() => {
      timer.current = undefined;
      void queries.invalidateQueries({ queryKey: [tenant, currency, "withdrawal-count"] });
    }, pause);
  }, [count, waiting, answeredAt, queries, tenant, currency]);
  useEffect(
    () => () => {
      clearTimeout(timer.current);
      timer.current = undefined;
    },
    [],
  );
  return Object.fromEntries(counted.flatMap((view, at) => (found[at]?.data === undefined ? [] : [[view, found[at].data]])));
}
