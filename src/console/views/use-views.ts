import { useEffect, useMemo, useRef, useState, useSyncExternalStore } from "react";
import { useQueryClient } from "@tanstack/react-query";
import { preferenceRoutes } from "../../contract/preferences.ts";
import { usePlace } from "../api/place.ts";
import { useRead, useReadKey } from "../api/use-api.ts";
import { ownDensity } from "../kit/grid/density.ts";
import type { ColumnState } from "../kit/grid/grid-column.ts";
import type { ViewsHandle } from "../kit/views.ts";
import { useKit } from "../kit/use-kit.ts";
import { currentId, makeViews } from "./views.ts";
import type { BuiltInView } from "./views.ts";

export interface Views {
  readonly handle: ViewsHandle;
  readonly columns: ColumnState;
  onColumns(columns: ColumnState): void;
}

const untouched: ColumnState = {};

/** The views of the screen in this place, its own and the saved ones, and the columns of the one in use. */
export function useViews(builtIn: readonly BuiltInView[]): Views {
  const place = usePlace();
  const { services } = useKit();
  const queries = useQueryClient();
  const sent = useMemo(() => ({ query: { screen: place.screen } }), [place.screen]);
  const key = useReadKey(preferenceRoutes.listViews, sent);
  const { data: answer } = useRead(preferenceRoutes.listViews, sent);
  const data = answer?.data ?? null;
  const [byView, setByView] = useState<Readonly<Record<string, ColumnState>>>({});

  const density = useSyncExternalStore(ownDensity.subscribe, ownDensity.get);
  const id = currentId({ screen: place.screen, place, columns: untouched, density, builtIn, saved: data });
  const columns = (id === null ? undefined : (byView[id] ?? data?.find(({ uuid }) => uuid === id)?.state.columns)) ?? untouched;
  const handle = useMemo(
    () =>
      makeViews(
        { screen: place.screen, place, columns, density, builtIn, saved: data },
        {
          services,
          setColumns: (view, state) => setByView((all) => ({ ...all, [view]: state })),
          setDensity: ownDensity.set,
          reload: () => queries.invalidateQueries({ queryKey: key }),
        },
      ),
    // the key is made of the route and the screen
    // eslint-disable-next-line react-hooks/exhaustive-deps
    [place, columns, density, builtIn, data, services, queries],
  );

  // a screen opened without a question of its own opens with the user's default view
  const opened = useRef(Object.keys(place.search).length > 0);
  const preferred = data?.find((view) => view.default);
  useEffect(() => {
    if (opened.current || data === null) return;
    opened.current = true;
    if (preferred) place.set({ ...preferred.state.search, saved: preferred.uuid });
  }, [data, preferred, place]);

  return { handle, columns, onColumns: (state) => id !== null && setByView((all) => ({ ...all, [id]: state })) };
}
