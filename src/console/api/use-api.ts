import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { createContext, useContext, useEffect, useEffectEvent, useMemo } from "react";
import { useStore } from "zustand";
import type { Answer, Route, Sent } from "../../contract/route.ts";
import type { Api } from "./api.ts";
import { createFormats } from "./formats.ts";
import type { Formats } from "./formats.ts";
import type { LiveEvents } from "./live.ts";
import type { SignedIn } from "./session.ts";

export const ApiContext = createContext<Api | null>(null);

export function useApi(): Api {
  const api = useContext(ApiContext);
  if (!api) throw new Error("no api above");
  return api;
}

/** The signed-in user; only for use within the frame. */
export function useSignedIn(): SignedIn {
  const at = useStore(useApi().session.store, (state) => state.at);
  if (!at) throw new Error("nobody is signed in");
  return at;
}

/** Formats for amounts and times in the zone of the selected currency. */
export function useFormats(): Formats {
  const gmt = useStore(useApi().session.store, (state) => state.at?.currency?.country.timezone.gmt);
  return useMemo(() => createFormats(gmt), [gmt]);
}

/** Handles a live event while mounted; "gap": changes may have been missed. */
export function useLive<E extends keyof LiveEvents>(event: E, handler: (payload: LiveEvents[E]) => void): void {
  const { live } = useApi();
  const handle = useEffectEvent(handler);
  useEffect(() => live.subscribe(event, (payload) => handle(payload)), [live, event]);
}

/** Handles rows that a command has changed, while mounted. */
export function useChanged(subject: string, handler: (rows: readonly { uuid: string }[]) => void): void {
  const { rows } = useApi();
  const handle = useEffectEvent(handler);
  useEffect(() => rows.onChanged(subject, (changed) => handle(changed)), [rows, subject]);
}

/** Query key of a read; tenant and currency come first, so that no data crosses between them. */
export function useReadKey(route: Route, sent: object): readonly unknown[] {
  const at = useStore(useApi().session.store, (state) => state.at);
  return [at?.tenant.id ?? null, at?.currency?.code ?? null, route.path, sent];
}

interface ReadOptions<A> {
  readonly enabled?: boolean;
  readonly keep?: boolean;
  /** ms after which it is read again, in the background; false: it is not. */
  again?(answer: A | undefined): number | false;
}

/** A GET route as server state. */
export function useRead<R extends Route>(route: R, sent: Sent<R>, options: ReadOptions<Answer<R>> = {}) {
  const { call } = useApi();
  const queryKey = useReadKey(route, sent);
  const { again } = options;
  return useQuery<Answer<R>>({
    queryKey,
    queryFn: ({ signal }) => call(route, sent, { signal, ...(again && { background: true }) }),
    ...(again && { refetchInterval: ({ state }) => again(state.data), refetchIntervalInBackground: true }),
    enabled: options.enabled ?? true,
    ...(options.keep && { placeholderData: keepPreviousData }),
  });
}
