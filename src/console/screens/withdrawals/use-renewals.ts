import { useEffect, useRef } from "react";
import { withdrawalRoutes } from "../../../contract/withdrawals.ts";
import { useApi, useChanged } from "../../api/use-api.ts";
import { useContextState } from "../../kit/use-kit.ts";
import type { WithdrawalList } from "./withdrawal-list.ts";

/** ms between renewals: a third of the lease. */
const interval = 30_000;
/** ms without a sign of the operator after which their claims are left to lapse. */
const away = 180_000;

/** Keeps the claims of whoever works here alive while they work; those of one who left lapse by themselves. */
export function useRenewals(list: WithdrawalList, me: string): void {
  const { call } = useApi();
  const seen = useRef(0);
  const context = useContextState();
  // every move of the cursor, mark, dialog or change of focus publishes a new context
  useEffect(() => {
    seen.current = performance.now();
  }, [context]);
  useChanged("withdrawal", () => {
    seen.current = performance.now();
  });
  useEffect(() => {
    const renew = async () => {
      if (document.visibilityState !== "visible" || performance.now() - seen.current > away) return;
      const uuids = list.source.rows.filter((row) => row.claim?.user === me && row.status === "process").map(({ uuid }) => uuid);
      if (uuids.length === 0) return;
      try {
        const { data } = await call(withdrawalRoutes.renewWithdrawalClaims, { body: { uuids: uuids.slice(0, 20) } }, { background: true });
        for (const { uuid, until } of data.held) {
          const row = list.source.get(uuid);
          if (row?.claim) list.source.patch(uuid, { ...row, claim: { ...row.claim, until } });
        }
        if (data.lost.length > 0) void list.look(data.lost);
      } catch {
        // the next round renews; a lease lost meanwhile is told by its event
      }
    };
    const timer = setInterval(() => void renew(), interval);
    return () => clearInterval(timer);
  }, [call, list, me]);
}
