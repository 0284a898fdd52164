import "./frame.css";
import { lazy, Suspense, useEffect } from "react";
import { createPortal } from "react-dom";
import { Outlet } from "react-router-dom";
import { useStore } from "zustand";
import { needStepTexts } from "../identity/step-texts.ts";
import { spanText } from "../api/formats.ts";
import { useApi } from "../api/use-api.ts";
import { Icon } from "../kit/look/icon.tsx";
import { StatusBar } from "../kit/messages/status-bar.tsx";
import { useKit, usePaneLayout } from "../kit/use-kit.ts";
import { useText } from "../kit/texts/texts.ts";
import { CountersPane } from "./counters-pane.tsx";
import { areCountersSeen, floating } from "./floating.ts";
import { Header } from "./header.tsx";
import { Navigation } from "./navigation.tsx";
import { LeavingGuard } from "./leaving-guard.tsx";
import { isUnready } from "./sign-in/unready.ts";
import { loadPage } from "./page-chunk.ts";
import { inkOn } from "./ink.ts";
import { useSecond } from "../api/use-second.ts";

const UnreadyPage = lazy(async () => ({
  default: (await loadPage("unready", async () => (await Promise.all([import("./sign-in/unready-page.tsx"), needStepTexts()]))[0]))
    .UnreadyPage,
}));

/** ms between refreshes of the trend, which moves with the clock even without events. */
const trendInterval = 60_000;

/**
 * Header, rail, counters and status bar around the screen. Draws nothing while signed out, because the router is about to leave
 * the page.
 */
export function Frame() {
  const { session, counters } = useApi();
  const at = useStore(session.store, (state) => state.at);
  const epoch = useStore(session.store, (state) => state.epoch);
  const layout = usePaneLayout();
  const outside = useStore(floating);
  useEffect(() => {
    const timer = setInterval(() => areCountersSeen() && void counters.refresh(), trendInterval);
    return () => clearInterval(timer);
  }, [counters]);
  if (!at) return null;
  if (isUnready(at.user)) {
    return (
      <Suspense>
        <LeavingGuard />
        <UnreadyPage user={at.user} />
      </Suspense>
    );
  }
  const noNavigation = layout.hidden.navigation === true || layout.zoomed !== null;
  const noCounters = outside !== null || layout.hidden.counters === true || layout.zoomed !== null;
  return (
    <div
      className={["app", noCounters && "noside", noNavigation && "nonav"].filter(Boolean).join(" ")}
      style={{ "--tenant": at.tenant.colour, "--tenant-ink": inkOn(at.tenant.colour) }}
    >
      <LeavingGuard />
      <SkipLink />
      <Header />
      {!noNavigation && <Navigation />}
      <main id="content" className="middle" tabIndex={-1}>
        <OfflineStrip />
        {/* a switch of tenant or currency mounts the page again */}
        <div className="screen" key={epoch}>
          <Suspense>
            <Outlet />
          </Suspense>
        </div>
      </main>
      {!noCounters && <CountersPane />}
      {outside !== null && createPortal(<CountersPane />, outside.document.body)}
      <StatusBar live={<LiveMark />} />
    </div>
  );
}

/** First stop of Tab: skips header and rail to the list or what stands in its place, else to the screen. */
function SkipLink() {
  const t = useText();
  const { panes } = useKit();
  return (
    <a
      className="btn skip"
      href="#content"
      onClick={(event) => {
        // a link to "#…" would change the screen's address
        event.preventDefault();
        if (!panes.focus(panes.getState().zoomed ?? "list")) document.getElementById("content")?.focus();
      }}
    >
      {t("shell.skip")}
    </a>
  );
}

/** Says that the server does not answer and how old the figures are, and retries until it does. */
function OfflineStrip() {
  return useStore(useApi().link.store, ({ online }) => online) ? null : <Silence />;
}

function Silence() {
  const t = useText();
  const { link } = useApi();
  const answeredAt = useStore(link.store, (state) => state.answeredAt);
  const now = useSecond();
  useEffect(() => {
    const timer = setInterval(() => void link.probe(), 3_000);
    return () => clearInterval(timer);
  }, [link]);
  return (
    <div className="strip" role="status">
      <Icon name="warn" size="s" />
      {t("offline.strip")}
      <span className="t2">
        {t("offline.age")} <bdi>{spanText(now - answeredAt)}</bdi>
      </span>
    </div>
  );
}

const dots = { live: "dot", connecting: "dot wait", down: "dot bad", off: "dot off" } as const;

function LiveMark() {
  const t = useText();
  const link = useStore(useApi().live.store, (state) => state.link);
  return (
    <span>
      <i className={dots[link]} />
      {t(`live.${link}`)}
    </span>
  );
}
