import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import type { Route } from "../../contract/route.ts";
import { atMostEvery } from "../api/at-most-every.ts";
import { useLive } from "../api/use-api.ts";

/** ms between two readings while money moves. */
const pause = 2_000;

/** What was read of a route is read again when money has moved. */
export function useMoneyMoved({ path }: Route): void {
  const queries = useQueryClient();
  const [moved] = useState(() =>
    atMostEvery(pause, () => void queries.invalidateQueries({ predicate: ({ queryKey }) => queryKey[2] === path })),
  );
  useEffect(() => () => moved.stop(), [moved]);
  useLive("deposit", () => moved.soon());
  useLive("withdraw", () => moved.soon());
  useLive("paymentAccount", () => moved.soon());
  useLive("gap", () => moved.soon());
}
