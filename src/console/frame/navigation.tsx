import { Link, useLocation } from "react-router-dom";
import { useStore } from "zustand";
import { isAllowed } from "../../contract/permissions.ts";
import { screens } from "../../contract/screens.ts";
import type { ScreenName } from "../../contract/screens.ts";
import type { MouseEvent } from "react";
import { useApi, useSignedIn } from "../api/use-api.ts";
import { Icon, screenIcons } from "../kit/look/icon.tsx";
import { Pane } from "../kit/panes/panes.tsx";
import { useText } from "../kit/texts/texts.ts";
import { useChord, useKit } from "../kit/use-kit.ts";
import { navCounts, railGroups } from "./nav-groups.ts";
import { useShell } from "./use-shell.ts";

/** The rail: screens with a route that the user may see. */
export function Navigation() {
  const t = useText();
  const { context } = useSignedIn();
  const { routed } = useShell();

  const offered = (screen: ScreenName) => routed.has(screen) && isAllowed(context.permissions, screens[screen].permission);
  const [foot = [], ...above] = railGroups.map((group) => group.filter(offered)).toReversed();
  const groups = above.toReversed().filter((group) => group.length > 0);
  return (
    <Pane name="navigation" as="nav" className="nav" label={t("shell.screens")}>
      {groups.map((group, at) => [
        at > 0 && <hr key={`${group[0]}-rule`} />,
        ...group.map((screen) => <NavLink key={screen} screen={screen} />),
      ])}
      {foot.map((screen) => (
        <NavLink key={screen} screen={screen} last />
      ))}
    </Pane>
  );
}

function NavLink({ screen, last }: { screen: ScreenName; last?: boolean }) {
  const t = useText();
  const { services } = useKit();
  const { pathname } = useLocation();
  const count = navCounts[screen];
  const waiting = useStore(useApi().counters.store, ({ counts }) => (count ? counts[count] : null));
  const { path } = screens[screen];
  // all of them begin with g; one the user has bound otherwise is too long for the rail
  const key = /^g (\S)$/.exec(useChord(`go.${screen}`) ?? "")?.[1];
  const here = pathname === path || pathname.startsWith(`${path}/`);
  const name = t(`screen.${screen}`);
  /** Goes as the keys do: the second screen stays. A click with a modifier is left to the browser. */
  function go(event: MouseEvent) {
    if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    services.go(screen);
  }
  return (
    <Link
      to={path}
      onClick={go}
      className={last ? "end" : undefined}
      title={name}
      aria-current={here ? "page" : undefined}
      data-pane-focus={here ? "" : undefined}
    >
      <Icon name={screenIcons[screen]} />
      <span className="sr">{waiting ? t("shell.nav.waiting", { name, count: waiting }) : name}</span>
      {key !== undefined && <kbd aria-hidden="true">{key}</kbd>}
      {waiting ? (
        <u aria-hidden="true" className={count === "paymentAccount" ? "crit" : undefined}>
          {waiting > 999 ? "999+" : waiting}
        </u>
      ) : null}
    </Link>
  );
}
