import { useQuery } from "@tanstack/react-query";
import { useEffect, useEffectEvent, useRef } from "react";
import { dashboardRoutes } from "../../../contract/dashboard.ts";
import { useApi, useChanged, useLive, useReadKey } from "../../api/use-api.ts";
import { atMostEvery } from "./at-most-every.ts";
import type { Limiter } from "./at-most-every.ts";

/** ms between two readings, however much happens. */
const soonest = 5_000;
/** ms after which the day is read again though nothing was heard: hours end by themselves. */
const latest = 60_000;

/** The day as read last. A failure leaves it there; another tenant's or currency's day is never shown in its place. */
export function useBoard() {
  const { call } = useApi();
  const queryKey = useReadKey(dashboardRoutes.readDashboard, {});
  const read = useQuery({
    queryKey,
    // the screen says itself what went wrong
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
