import { Suspense, useEffect, useId, useLayoutEffect, useMemo, useState, useSyncExternalStore } from "react";
import type { ComponentType, ReactNode } from "react";
import { useLocation, useSearchParams } from "react-router-dom";
import { isAllowed } from "../../contract/permissions.ts";
import { screens } from "../../contract/screens.ts";
import { screenAt } from "../../contract/addresses.ts";
import type { ScreenName } from "../../contract/screens.ts";
import { PlaceContext } from "../api/place.ts";
import type { Place } from "../api/place.ts";
import { useSignedIn } from "../api/use-api.ts";
import { Icon } from "../kit/look/icon.tsx";
import { Separator } from "../kit/panes/separator.tsx";
import { SideContext } from "../kit/panes/side-context.ts";
import type { Side } from "../kit/commands/side.ts";
import { useNarrow } from "../kit/panes/use-narrow.ts";
import { KitContext, useKit, usePaneLayout } from "../kit/use-kit.ts";
import { useText } from "../kit/texts/texts.ts";
import { Address } from "./address.ts";
import type { How, Standing } from "./address.ts";
import { besideParam, readBeside, withoutRecords, writeBeside } from "./beside.ts";
import { createSideKit } from "./side-kit.ts";
import { Title } from "./title.tsx";

export type Screens = Partial<Record<ScreenName, ComponentType>>;

interface ScreenHostProps {
  readonly name: ScreenName;
  readonly Screen: ComponentType;
  readonly all: Screens;
  /** Where the router stands to a path. */
  standing(path: string): Standing;
  /** Whether the records in the address are of a tenant or currency that was left; `key`: of that place in the history, else of this one. */
  isOutdated(key?: string): boolean;
}

/** % of the page that the second screen takes at first. */
const half = 50;
const leastShare = 25;
const shareStep = 2;

/** The route's screen and, where the address names one, a second screen beside it; each has its own place. */
export function ScreenHost({ name, Screen, all, standing, isOutdated }: ScreenHostProps) {
  const t = useText();
  const { services, keepFocus, panes } = useKit();
  const share = usePaneLayout().sizes["second"] ?? half;
  const narrow = useNarrow();
  const secondId = useId();
  const { context } = useSignedIn();
  const [written, setParams] = useSearchParams();
  const { pathname, key } = useLocation();
  // the router replaces the address only after the screen is drawn in the new currency
  const params = useMemo(
    () => (isOutdated(key) ? new URLSearchParams(withoutRecords(written.toString())) : written),
    [written, key, isOutdated],
  );
  const named = useMemo(() => screenAt(pathname)?.params ?? {}, [pathname]);
  const [address] = useState(
    () => new Address({ path: pathname, set: setParams }, { written: () => window.location.search, standing, isOutdated }),
  );
  useLayoutEffect(() => address.drawn({ path: pathname, set: setParams }), [address, pathname, setParams]);

  const { main, beside } = useMemo(() => {
    const { [besideParam]: _, ...search } = Object.fromEntries(params);
    const other = readBeside(params.get(besideParam));
    const setBeside: Write = (values, how) =>
      address.change((next) => {
        const now = readBeside(next.get(besideParam));
        // another screen is about to replace it
        if (now === null || now.screen !== other?.screen) return false;
        const changed = new URLSearchParams(now.search);
        assign(changed, values);
        next.set(besideParam, writeBeside(now.screen, { ...now, search: Object.fromEntries(changed) }));
        return true;
      }, how);
    return {
      main: placeOf({ screen: name, params: named, search }, (values, how) => address.change((next) => assign(next, values), how)),
      beside: other && placeOf(other, setBeside),
    };
  }, [address, name, named, params]);

  const Other = beside === null ? undefined : all[beside.screen];
  const mayOther = beside !== null && isAllowed(context.permissions, screens[beside.screen].permission);
  const doubled = Other !== undefined;
  // the side with the focus may be the one that is removed
  useEffect(() => (doubled ? keepFocus : undefined), [doubled, keepFocus]);
  return (
    <div className={doubled ? "places two" : "places"} style={doubled ? { "--first": `${100 - share}fr`, "--second": `${share}fr` } : {}}>
      <Title screen={t(`screen.${name}`)} />
      <InSide key={recordsOf(main)} place={main} side="main" doubled={doubled} Screen={Screen} />
      {doubled && (
        <Separator
          label={t("pane.splitter-screens")}
          controls={secondId}
          value={share}
          minimum={leastShare}
          maximum={100 - leastShare}
          step={shareStep}
          turned={narrow}
          unit={({ parentElement }) => ((narrow ? parentElement?.clientHeight : parentElement?.clientWidth) ?? 100) / 100}
          onSize={(size) => panes.setSize("second", size)}
          onEnter={() => panes.setSize("second", half)}
        />
      )}
      {beside !== null && Other !== undefined && (
        <div className="second" id={secondId}>
          <div className="second-head">
            <h2>{t(`screen.${beside.screen}`)}</h2>
            <button type="button" className="icon-button" onClick={() => services.shell.splitScreen()}>
              <Icon name="close" size="s" />
              <span className="sr">{t("screen.beside.close")}</span>
            </button>
          </div>
          {mayOther ? (
            <Suspense>
              <InSide key={`${beside.screen} ${recordsOf(beside)}`} place={beside} side="beside" doubled Screen={Other} />
            </Suspense>
          ) : (
            <p className="instead">{t("screen.beside.forbidden")}</p>
          )}
        </div>
      )}
    </div>
  );
}

/** A screen is mounted again when its path names other records. */
const recordsOf = ({ params }: Place): string => Object.values(params).join("/");

/** A screen in its place: it gets the kit of its side, and its search parameters instead of the router. */
function InSide({ place, side, doubled, Screen }: { place: Place; side: Side; doubled: boolean; Screen: ComponentType }) {
  const t = useText();
  const kit = useKit();
  const { screen } = place;
  const [own] = useState(() => createSideKit(kit, side));
  useEffect(() => own.follow(), [own]);
  useEffect(() => {
    kit.context.setScreen(screen, side);
    return () => kit.context.setScreen(null, side);
  }, [kit, screen, side]);
  const inSide = useMemo(() => ({ side, doubled }), [side, doubled]);
  return (
    <SideFrame side={side} doubled={doubled}>
      {side === "main" && <h1 className="sr">{t(`screen.${screen}`)}</h1>}
      <KitContext value={own.kit}>
        <SideContext value={inSide}>
          <PlaceContext value={place}>
            <Screen />
          </PlaceContext>
        </SideContext>
      </KitContext>
    </SideFrame>
  );
}

/** Dims the side without the focus: its buttons stay, but no key reaches them. */
function SideFrame({ side, doubled, children }: { side: Side; doubled: boolean; children: ReactNode }) {
  const { context } = useKit();
  const active = useSyncExternalStore(context.subscribe, () => context.getState().side === side);
  return (
    <div className="place" data-side={side} data-resting={doubled && !active ? "" : undefined}>
      {children}
    </div>
  );
}

type Values = Parameters<Place["set"]>[0];
type Write = (values: Values, how: How) => void;

function assign(params: URLSearchParams, values: Values): true {
  for (const [key, value] of Object.entries(values)) {
    if (value === null) params.delete(key);
    else params.set(key, value);
  }
  return true;
}

function placeOf({ screen, params, search }: Pick<Place, "screen" | "params" | "search">, write: Write): Place {
  return {
    screen,
    params,
    search,
    get: (key) => search[key] ?? null,
    set: (values, push = false) => write(values, { push, atOnce: true }),
    note: (values) => write(values, { push: false, atOnce: false }),
  };
}
