import { useQuery } from "@tanstack/react-query";
import { useEffect, useEffectEvent, useRef } from "react";
import { dashboardRoutes } from "../../../contract/dashboard.ts";
import { useApi, useChanged, useLive, useReadKey } from "../../api/use-api.ts";
import { atMostEvery } from "../../api/at-most-every.ts";
import type { Limiter } from "../../api/at-most-every.ts";

/** Least ms between two reads. */
const soonest = 5_000;
/** ms after which the day is refetched even without an event, because an hour ends without one. */
const latest = 60_000;

/** The day as last read. A failure keeps it, but another tenant's or currency's day is never shown instead. */
export function useBoard() {
  const { call } = useApi();
  const queryKey = useReadKey(dashboardRoutes.readDashboard, {});
  const read = useQuery({
    queryKey,
    // the screen shows the failure itself
    queryFn: async ({ signal }) => (await call(dashboardRoutes.readDashboard, {}, { signal, quiet: true })).data,
    refetchInterval: latest,
  });

  const again = useEffectEvent(() => void read.refetch());
  const limiter = useRef<Limiter | null>(null);
  useEffect(() => {
    limiter.current = atMostEvery(soonest, () => again());
    return () => limiter.current?.stop();
  }, []);
  const soon = () => limiter.current?.soon();
  useLive("deposit", soon);
  useLive("withdraw", soon);
  useLive("paymentAccount", soon);
  useLive("gap", soon);
  useChanged("withdrawal", soon);
  return read;
}
