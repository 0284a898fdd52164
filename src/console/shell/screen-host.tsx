import { Suspense, useEffect, useLayoutEffect, useMemo, useState } from "react";
import type { ComponentType } from "react";
import { useSearchParams } from "react-router-dom";
import { isAllowed } from "../../contract/permissions.ts";
import { screens } from "../../contract/screens.ts";
import type { ScreenName } from "../../contract/screens.ts";
import { PlaceContext } from "../api/place.ts";
import type { Place } from "../api/place.ts";
import { useSignedIn } from "../api/use-api.ts";
import { Icon } from "../kit/icon.tsx";
import { SideContext } from "../kit/side.ts";
import type { Side } from "../kit/side.ts";
import { useKit } from "../kit/use-kit.ts";
import { useText } from "../kit/texts.ts";
import { besideParam, readBeside, writeBeside } from "./beside.ts";
import { Title } from "./title.tsx";

export type Screens = Partial<Record<ScreenName, ComponentType>>;

export interface ScreenHostProps {
  readonly name: ScreenName;
  readonly Screen: ComponentType;
  readonly all: Screens;
  /** Whether another path is on its way: a late write of this screen's must not hold it up. */
  isLeaving(): boolean;
}

/** The screen of the route and, where the address names one, another beside it; each in its own place. */
export function ScreenHost({ name, Screen, all, isLeaving }: ScreenHostProps) {
  const t = useText();
  const { services } = useKit();
  const { context } = useSignedIn();
  const [params, setParams] = useSearchParams();
  const [address] = useState(() => new Address(params, setParams, isLeaving));
  useLayoutEffect(() => address.arrived(params, setParams), [address, params, setParams]);

  const { main, beside } = useMemo(() => {
    const { [besideParam]: _, ...search } = Object.fromEntries(params);
    const other = readBeside(params.get(besideParam));
    const setBeside = (values: Values, push: boolean) =>
      address.change((next) => {
        const now = readBeside(next.get(besideParam));
        if (now === null) return;
        const changed = new URLSearchParams(now.search);
        assign(changed, values);
        next.set(besideParam, writeBeside(now.screen, Object.fromEntries(changed)));
      }, push);
    return {
      main: placeOf(name, search, (values, push) => address.change((next) => assign(next, values), push)),
      beside: other && placeOf(other.screen, other.search, setBeside),
    };
  }, [address, name, params]);

  const Other = beside === null ? undefined : all[beside.screen];
  const mayOther = beside !== null && isAllowed(context.permissions, screens[beside.screen].permission);
  const doubled = Other !== undefined;
  return (
    <div className={doubled ? "places two" : "places"}>
      <Title screen={t(`screen.${name}`)} />
      <InSide place={main} side="main" doubled={doubled} Screen={Screen} />
      {beside !== null && Other !== undefined && (
        <div className="second">
          <div className="second-head">
            <h2>{t(`screen.${beside.screen}`)}</h2>
            <button type="button" className="icon-button" onClick={() => services.shell.splitScreen()}>
              <Icon name="close" size="s" />
              <span className="sr">{t("screen.beside.close")}</span>
            </button>
          </div>
          {mayOther ? (
            <Suspense>
              <InSide key={beside.screen} place={beside} side="beside" doubled Screen={Other} />
            </Suspense>
          ) : (
            <p className="instead">{t("screen.beside.forbidden")}</p>
          )}
        </div>
      )}
    </div>
  );
}

/** A screen in its place: the kit's context, and search parameters instead of the router. */
function InSide({ place, side, doubled, Screen }: { place: Place; side: Side; doubled: boolean; Screen: ComponentType }) {
  const t = useText();
  const { context } = useKit();
  const { screen } = place;
  useEffect(() => {
    context.setScreen(screen, side);
    return () => context.setScreen(null, side);
  }, [context, screen, side]);
  const inSide = useMemo(() => ({ side, doubled }), [side, doubled]);
  return (
    <div className="place" data-side={side}>
      {side === "main" && <h1 className="sr">{t(`screen.${screen}`)}</h1>}
      <SideContext value={inSide}>
        <PlaceContext value={place}>
          <Screen />
        </PlaceContext>
      </SideContext>
    </div>
  );
}

type SetParams = ReturnType<typeof useSearchParams>[1];

/** The address both sides write: a navigation takes a moment, and what is set meanwhile joins it instead of undoing it. */
class Address {
  #coming: { params: URLSearchParams; push: boolean };
  #set: SetParams;

  readonly #isLeaving: () => boolean;

  constructor(params: URLSearchParams, set: SetParams, isLeaving: () => boolean) {
    this.#isLeaving = isLeaving;
    this.#coming = { params, push: false };
    this.#set = set;
  }

  arrived(params: URLSearchParams, set: SetParams): void {
    this.#coming = { params, push: false };
    this.#set = set;
  }

  change(change: (next: URLSearchParams) => void, push: boolean): void {
    if (!push && this.#isLeaving()) return;
    const next = new URLSearchParams(this.#coming.params);
    change(next);
    this.#coming = { params: next, push: push || this.#coming.push };
    this.#set(next, { replace: !this.#coming.push });
  }
}

type Values = Parameters<Place["set"]>[0];

function assign(params: URLSearchParams, values: Values): void {
  for (const [key, value] of Object.entries(values)) {
    if (value === null) params.delete(key);
    else params.set(key, value);
  }
}

function placeOf(screen: ScreenName, search: Place["search"], set: (values: Values, push: boolean) => void): Place {
  return { screen, search, get: (key) => search[key] ?? null, set: (values, push = false) => set(values, push) };
}
