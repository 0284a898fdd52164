import type { Density } from "../kit/commands/grid-handle.ts";
import { useEffect, useLayoutEffect, useMemo, useRef, useState, useSyncExternalStore } from "react";
import { useQueryClient } from "@tanstack/react-query";
import { preferenceRoutes } from "../../contract/preferences.ts";
import { usePlace } from "../api/place.ts";
import type { Place } from "../api/place.ts";
import { useRead, useReadKey } from "../api/use-api.ts";
import { ownDensity } from "../kit/grid/density.ts";
import type { ColumnState } from "../kit/grid/grid-column.ts";
import type { ViewsDesk } from "../kit/commands/views.ts";
import { useKit } from "../kit/use-kit.ts";
import { currentId, makeViews } from "./views.ts";
import type { BuiltInView } from "./views.ts";

export interface Views {
  readonly handle: ViewsDesk;
  readonly columns: ColumnState;
  onColumns(columns: ColumnState): void;
  readonly density: Density;
  onDensity(density: Density): void;
}

/** Changes to a view's grid since it was opened. */
interface Look {
  readonly columns?: ColumnState;
  readonly density?: Density;
}

const untouched: ColumnState = {};

/** The screen's built-in and saved views, and the columns and density of the current one. */
export function useViews(builtIn: readonly BuiltInView[]): Views {
  const place = usePlace();
  const { services } = useKit();
  const queries = useQueryClient();
  const sent = useMemo(() => ({ query: { screen: place.screen } }), [place.screen]);
  const key = useReadKey(preferenceRoutes.listViews, sent);
  const { data: answer } = useRead(preferenceRoutes.listViews, sent);
  const data = answer?.data ?? null;
  const [byView, setByView] = useState<Readonly<Record<string, Look>>>({});
  const change = (view: string, look: Look) => setByView((all) => ({ ...all, [view]: { ...all[view], ...look } }));

  const own = useSyncExternalStore(ownDensity.subscribe, ownDensity.get);
  const id = currentId({ place, builtIn, saved: data });
  const saved = data?.find(({ uuid }) => uuid === id) ?? null;
  const look = id === null ? undefined : byView[id];
  const columns = look?.columns ?? saved?.state.columns ?? untouched;
  // a view without its own density uses the user's
  const density = look?.density ?? saved?.state.density ?? own;
  const here = useRef<Place | null>(null);
  useLayoutEffect(() => {
    here.current = place;
    return () => void (here.current = null);
  }, [place]);
  const handle = useMemo(
    () =>
      makeViews(
        { screen: place.screen, place, columns, density, builtIn, saved: data },
        {
          services,
          setColumns: (view, state) => change(view, { columns: state }),
          setDensity: (view, chosen) => change(view, { density: chosen }),
          reload: () => queries.invalidateQueries({ queryKey: key }),
          here: () => here.current,
        },
      ),
    // the key consists of the route and the screen
    // eslint-disable-next-line react-hooks/exhaustive-deps
    [place, columns, density, builtIn, data, services, queries],
  );

  // a screen opened without search parameters opens the default view, unless some are set before that view is known; one opened by the name
  // of a view alone, as a link to it, opens that
  const given = Object.keys(place.search);
  const linked = useRef(given.length === 1 && given[0] === "saved");
  const opened = useRef(given.length > 0 && !linked.current);
  const preferred = data?.find((view) => (linked.current ? view.uuid === place.get("saved") : view.default));
  useEffect(() => {
    // the record under the cursor is set without the user asking for it
    opened.current ||= Object.keys(place.search).some((name) => name !== "record" && !(linked.current && name === "saved"));
    if (opened.current || data === null) return;
    opened.current = true;
    if (preferred) place.set({ ...preferred.state.search, saved: preferred.uuid, record: null });
  }, [data, preferred, place]);

  return {
    handle,
    columns,
    onColumns: (state) => id !== null && change(id, { columns: state }),
    density,
    onDensity: (chosen) => (saved === null ? ownDensity.set(chosen) : change(saved.uuid, { density: chosen })),
  };
}
