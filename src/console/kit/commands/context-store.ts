import { createStore } from "zustand/vanilla";
import type { PermissionMap } from "../../../contract/permissions.ts";
import type { ScreenName } from "../../../contract/screens.ts";
import type { Context, OpenDialog, PaneState } from "./context.ts";
import { lentBy } from "./desks.ts";
import { sideOf, sideOfPane } from "./side.ts";
import type { Side } from "./side.ts";

interface Session {
  readonly tenant: string | null;
  readonly currency: string | null;
  readonly user: string | null;
  readonly permissions: PermissionMap;
}

export interface ContextState extends Session {
  /** The screen of the side that last had the focus. */
  readonly screen: ScreenName | null;
  readonly screens: Readonly<Record<Side, ScreenName | null>>;
  readonly side: Side;
  readonly online: boolean;
  readonly switching: boolean;
  readonly rightToLeft: boolean;
  readonly panes: ReadonlyMap<string, PaneState>;
  /** The focused pane; null while the focus is elsewhere on the page. */
  readonly current: string | null;
  /** The pane that last had the focus and is still there. */
  readonly latest: string | null;
  /** Innermost last. */
  readonly dialogs: readonly OpenDialog[];
  readonly typing: boolean;
}

export interface ContextStore {
  getState(): ContextState;
  subscribe(listener: () => void): () => void;
  /** The current context; `latest` uses the pane that last had the focus, as buttons, palette and status bar do. */
  read(options?: { target?: EventTarget | null; typing?: boolean; pane?: "current" | "latest" }): Context;
  setSession(session: Session): void;
  setScreen(screen: ScreenName | null, side?: Side): void;
  setOnline(online: boolean): void;
  /** While true, commands that change data are disabled. */
  setSwitching(switching: boolean): void;
  setDirection(rightToLeft: boolean): void;
  publishPane(state: PaneState): void;
  withdrawPane(id: string): void;
  /** Registers the element within which a focus belongs to the pane. */
  placePane(id: string, element: HTMLElement): () => void;
  /** Opens a dialog above the others; returns functions that replace and close it. */
  openDialog(dialog: OpenDialog): { replace(next: OpenDialog): void; close(): void };
  /** Follows the focus of the document. */
  follow(document: Document): () => void;
}

/** Blueprint menus and popovers hide the page's keys like a dialog, and keep their own. */
const floating = "[role=menu], .bp6-popover";
/** Portals are outside their pane's element; a focus there keeps the pane current. */
const overlay = `${floating}, .bp6-portal, [data-overlay]`;

/** A menu of Blueprint's own; one of ours is an open dialog of the same name. */
const menu: OpenDialog = { name: "menu", acts: {} };

const signedOut: Session = { tenant: null, currency: null, user: null, permissions: {} };

export function createContextStore(): ContextStore {
  const store = createStore<ContextState>()(() => ({
    ...signedOut,
    screen: null,
    screens: { main: null, beside: null },
    side: "main",
    online: true,
    switching: false,
    rightToLeft: false,
    panes: new Map(),
    current: null,
    latest: null,
    dialogs: [],
    typing: false,
  }));
  const places = new Map<HTMLElement, string>();

  function paneAround(element: Element): string | null {
    let found: { element: HTMLElement; id: string } | null = null;
    for (const [place, id] of places) {
      if (place.contains(element) && (found === null || found.element.contains(place))) found = { element: place, id };
    }
    return found?.id ?? null;
  }

  function focused(element: Element): void {
    if (element === element.ownerDocument.body || element.closest(overlay) !== null) return;
    const id = paneAround(element);
    const side = sideOf(element);
    if (side !== null && side !== store.getState().side) store.setState(({ screens }) => ({ side, screen: screens[side] }));
    store.setState((state) => (state.current === id ? state : { current: id, latest: id ?? state.latest }));
  }

  return {
    getState: store.getState,
    subscribe: (listener) => store.subscribe(listener),
    read({ target = null, typing, pane = "current" } = {}) {
      const state = store.getState();
      const id = pane === "latest" ? (state.current ?? state.latest) : state.current;
      const inMenu = typeof Element !== "undefined" && target instanceof Element && target.closest(floating) !== null;
      const top = state.dialogs.at(-1) ?? null;
      const panes = [...state.panes.values()].filter(({ id: name }) => sideOfPane(name) === state.side);
      return {
        screen: state.screen,
        pane: id === null ? null : (state.panes.get(id) ?? null),
        lent: lentBy(panes),
        dialog: inMenu && top?.name !== menu.name ? menu : top,
        typing: typing ?? state.typing,
        online: state.online,
        switching: state.switching,
        tenant: state.tenant,
        currency: state.currency,
        user: state.user,
        permissions: state.permissions,
        rightToLeft: state.rightToLeft,
        now: performance.now(),
      };
    },
    setSession: ({ tenant, currency, user, permissions }) => store.setState({ tenant, currency, user, permissions }),
    setScreen: (screen, of = "main") =>
      store.setState((state) => {
        const screens = { ...state.screens, [of]: screen };
        const side = screens[state.side] === null ? "main" : state.side;
        return { screens, side, screen: screens[side] };
      }),
    setOnline(online) {
      // called with every answer, so most calls change nothing
      if (online !== store.getState().online) store.setState({ online });
    },
    setSwitching: (switching) => store.setState({ switching }),
    setDirection: (rightToLeft) => store.setState({ rightToLeft }),
    publishPane(pane) {
      store.setState((state) => ({ panes: new Map(state.panes).set(pane.id, pane) }));
    },
    withdrawPane(id) {
      store.setState((state) => {
        const panes = new Map(state.panes);
        panes.delete(id);
        return { panes, current: state.current === id ? null : state.current, latest: state.latest === id ? null : state.latest };
      });
    },
    placePane(id, element) {
      places.set(element, id);
      const active = element.ownerDocument.activeElement;
      if (active !== null && element.contains(active)) focused(active);
      return () => {
        if (places.get(element) === id) places.delete(element);
      };
    },
    openDialog(dialog) {
      let shown = dialog;
      store.setState((state) => ({ dialogs: [...state.dialogs, dialog] }));
      return {
        replace(next) {
          const before = shown;
          if (next === before) return;
          shown = next;
          store.setState((state) => ({ dialogs: state.dialogs.map((other) => (other === before ? next : other)) }));
        },
        close: () => store.setState((state) => ({ dialogs: state.dialogs.filter((other) => other !== shown) })),
      };
    },
    follow(document) {
      const onFocus = (event: FocusEvent): void => {
        if (!(event.target instanceof Element)) return;
        focused(event.target);
        const typing = event.target.matches(
          "input:not([type=checkbox], [type=radio], [type=button]), textarea, select, [contenteditable=true]",
        );
        if (typing !== store.getState().typing) store.setState({ typing });
      };
      const onBlur = (event: FocusEvent): void => {
        if (event.relatedTarget === null && store.getState().typing) store.setState({ typing: false });
      };
      document.addEventListener("focusin", onFocus);
      document.addEventListener("focusout", onBlur);
      return () => {
        document.removeEventListener("focusin", onFocus);
        document.removeEventListener("focusout", onBlur);
      };
    },
  };
}
