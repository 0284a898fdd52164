import { createStore } from "zustand/vanilla";
import { sideOf } from "../commands/side.ts";
import type { Side } from "../commands/side.ts";

/** In the order of F6. */
const paneNames = ["navigation", "filters", "timeline", "list", "detail", "counters"] as const;
export type PaneName = (typeof paneNames)[number];

export interface PaneLayout {
  readonly hidden: Readonly<Partial<Record<PaneName, true>>>;
  /** The pane that takes the whole main area. */
  readonly zoomed: PaneName | null;
  /** The detail is below the list instead of beside it. */
  readonly turned: boolean;
  /** px, or % of the page for "second"; by split. */
  readonly sizes: Readonly<Record<string, number>>;
}

export interface PaneStore {
  getState(): PaneLayout;
  subscribe(listener: () => void): () => void;
  /** Registers a pane's element, and remembers its last focused element while it is mounted. */
  place(name: PaneName, element: HTMLElement): () => void;
  /** Moves the focus to its last place in the pane; false when the pane is not on the page. */
  focus(name: PaneName | "next" | "previous"): boolean;
  /** The pane that contains the element. */
  around(element: Element | null): PaneName | null;
  toggle(name: PaneName): void;
  show(name: PaneName): void;
  turn(): void;
  /** Zooms the focused list or detail; from elsewhere the list, which then takes the focus. */
  zoom(): void;
  setSize(split: string, size: number): void;
  /** Takes the user's stored layout; publishes only a difference. */
  take(kept: Pick<PaneLayout, "hidden" | "turned" | "sizes">): void;
  /** Moves the focus to a splitter (`w r`): first that of the current side, then the next one. */
  focusSplitter(): boolean;
}

const storageKey = "countinghouse.panes";

function stored(storage: Storage | undefined): Partial<PaneLayout> {
  try {
    const value: unknown = JSON.parse(storage?.getItem(storageKey) ?? "{}");
    return typeof value === "object" && value !== null ? value : {};
  } catch {
    return {};
  }
}

/** Sorts panes: the rail, the panes of each side, the counters. */
function byOrder(a: { name: PaneName; element: HTMLElement }, b: { name: PaneName; element: HTMLElement }): number {
  const group = ({ name, element }: typeof a) =>
    name === "navigation" ? 0 : name === "counters" ? 3 : sideOf(element) === "beside" ? 2 : 1;
  return group(a) - group(b) || paneNames.indexOf(a.name) - paneNames.indexOf(b.name);
}

const isShown = (element: HTMLElement): boolean => element.isConnected && element.getClientRects().length > 0;

export function createPaneStore(storage?: Storage): PaneStore {
  const { hidden = {}, turned = false, sizes = {} } = stored(storage);
  const store = createStore<PaneLayout>()(() => ({ hidden, zoomed: null, turned, sizes }));
  const places: { name: PaneName; element: HTMLElement; last: HTMLElement | null }[] = [];
  /** The side that last had the focus, because two panes may have the same name. */
  let side: Side = "main";

  store.subscribe(({ hidden, turned, sizes }) => {
    try {
      storage?.setItem(storageKey, JSON.stringify({ hidden, turned, sizes }));
    } catch {
      // storage is full or forbidden: the sizes are only not remembered
    }
  });

  const around = (element: Element | null): PaneName | null => places.findLast((place) => place.element.contains(element))?.name ?? null;

  function enter(name: PaneName): boolean {
    const shown = places.filter((other) => other.name === name && isShown(other.element));
    const place = shown.findLast((other) => sideOf(other.element) === side) ?? shown.at(-1);
    return place !== undefined && enterPlace(place);
  }

  function enterPlace(place: (typeof places)[number]): boolean {
    const first = place.element.querySelector<HTMLElement>("[data-pane-focus]");
    const target = place.last !== null && isShown(place.last) ? place.last : first !== null && isShown(first) ? first : place.element;
    target.focus();
    return true;
  }

  return {
    getState: store.getState,
    subscribe: (listener) => store.subscribe(listener),
    around,
    place(name, element) {
      const place = { name, element, last: null as HTMLElement | null };
      places.push(place);
      const remember = (event: FocusEvent): void => {
        if (event.target instanceof HTMLElement && event.target !== element) place.last = event.target;
        side = sideOf(element) ?? side;
      };
      element.addEventListener("focusin", remember);
      return () => {
        element.removeEventListener("focusin", remember);
        places.splice(places.indexOf(place), 1);
      };
    },
    focus(name) {
      if (name !== "next" && name !== "previous") {
        const { hidden, zoomed } = store.getState();
        if (hidden[name] === true || (zoomed !== null && zoomed !== name)) {
          const { [name]: _, ...others } = hidden;
          store.setState({ hidden: others, zoomed: null });
          // the pane is drawn by the next frame at the latest
          requestAnimationFrame(() => enter(name));
          return true;
        }
        return enter(name);
      }
      const shown = places.filter(({ element }) => isShown(element)).toSorted(byOrder);
      if (shown.length === 0) return false;
      const step = name === "next" ? 1 : -1;
      const here = shown.findLastIndex(({ element }) => element.contains(document.activeElement));
      const at = here === -1 && step === -1 ? shown.length : here;
      const target = shown[(at + step + shown.length) % shown.length];
      return target !== undefined && enterPlace(target);
    },
    toggle(name) {
      const { hidden, zoomed } = store.getState();
      // beside a zoomed pane no other is drawn, so that its key shows it
      if (hidden[name] !== true && (zoomed === null || zoomed === name)) {
        if (around(document.activeElement) === name) void (enter("list") || enter("detail"));
        store.setState({ hidden: { ...hidden, [name]: true }, zoomed: null });
        return;
      }
      const { [name]: _, ...others } = hidden;
      store.setState({ hidden: others, zoomed: null });
    },
    show(name) {
      const { [name]: _, ...others } = store.getState().hidden;
      store.setState({ hidden: others });
    },
    turn: () => store.setState((state) => ({ turned: !state.turned })),
    zoom() {
      if (store.getState().zoomed !== null) return store.setState({ zoomed: null });
      const here = around(document.activeElement);
      // the other panes are hidden, and would take the focus with them
      if (here !== "list" && here !== "detail") enter("list");
      store.setState({ zoomed: here === "detail" ? here : "list" });
    },
    setSize: (split, size) => store.setState((state) => ({ sizes: { ...state.sizes, [split]: Math.round(size) } })),
    take(kept) {
      const { hidden, turned, sizes } = store.getState();
      if (JSON.stringify([hidden, turned, sizes]) !== JSON.stringify([kept.hidden, kept.turned, kept.sizes])) store.setState(kept);
    },
    focusSplitter() {
      const all = [...document.querySelectorAll<HTMLElement>("[role=separator][tabindex]")].filter(isShown);
      const here = all.findIndex((splitter) => splitter === document.activeElement);
      const splitter = here === -1 ? (all.find((other) => sideOf(other) === side) ?? all[0]) : all[(here + 1) % all.length];
      splitter?.focus();
      return splitter !== undefined;
    },
  };
}
