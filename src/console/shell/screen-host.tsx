import { useEffect, useLayoutEffect, useMemo, useRef } from "react";
import type { ComponentType } from "react";
import { useSearchParams } from "react-router-dom";
import type { ScreenName } from "../../contract/screens.ts";
import { PlaceContext } from "../api/place.ts";
import type { Place } from "../api/place.ts";
import { useKit } from "../kit/use-kit.ts";
import { useText } from "../kit/texts.ts";
import { Title } from "./title.tsx";

/** A screen in its place: title, the kit's context, and search parameters instead of the router. */
export function ScreenHost({ name, Screen }: { name: ScreenName; Screen: ComponentType }) {
  const t = useText();
  const { context } = useKit();
  const [params, setParams] = useSearchParams();
  useEffect(() => {
    context.setScreen(name);
    return () => context.setScreen(null);
  }, [context, name]);
  // a navigation takes a moment: what is set meanwhile joins it instead of undoing it
  const coming = useRef({ params, push: false });
  useLayoutEffect(() => {
    coming.current = { params, push: false };
  }, [params]);
  const place = useMemo<Place>(
    () => ({
      screen: name,
      search: Object.fromEntries(params),
      get: (key) => params.get(key),
      set(values, push = false) {
        const next = new URLSearchParams(coming.current.params);
        for (const [key, value] of Object.entries(values)) {
          if (value === null) next.delete(key);
          else next.set(key, value);
        }
        coming.current = { params: next, push: push || coming.current.push };
        setParams(next, { replace: !coming.current.push });
      },
    }),
    [name, params, setParams],
  );
  return (
    <PlaceContext value={place}>
      <Title screen={t(`screen.${name}`)} />
      <h1 className="sr">{t(`screen.${name}`)}</h1>
      <Screen />
    </PlaceContext>
  );
}
