import type { Density } from "../kit/commands/grid-handle.ts";
import type { z } from "zod";
import { preferenceRoutes } from "../../contract/preferences.ts";
import type { SavedView, ViewState } from "../../contract/preferences.ts";
import type { ScreenName } from "../../contract/screens.ts";
import type { Place } from "../api/place.ts";
import type { ColumnState } from "../kit/grid/grid-column.ts";
import type { Services } from "../kit/commands/services.ts";
import type { ViewsDesk, ViewSlot } from "../kit/commands/views.ts";

/** A built-in view of the screen; keeps its digit until a saved view takes it. */
export interface BuiltInView {
  readonly id: string;
  readonly name: string;
  readonly search: Readonly<Record<string, string>>;
}

/** Current state of the screen. */
export interface ViewsNow {
  readonly screen: ScreenName;
  readonly place: Place;
  readonly columns: ColumnState;
  readonly density: Density;
  readonly builtIn: readonly BuiltInView[];
  /** The saved views from the server; null until loaded. */
  readonly saved: readonly SavedView[] | null;
}

interface ViewsDeps {
  readonly services: Pick<Services, "call" | "say">;
  /** Sets columns and density of a view's grid, by the view's id. */
  setColumns(id: string, columns: ColumnState): void;
  setDensity(id: string, density: Density): void;
  /** Refetches the saved views. */
  reload(): Promise<unknown>;
  /** The place when an answer arrives; null once the screen is gone. */
  here(): Place | null;
}

type Search = Readonly<Record<string, string>>;

/** The search without parameters that belong to no view: the record under the cursor and the view's name. */
function searchOf({ search }: Place): Search {
  const { record: _record, saved: _saved, ...rest } = search;
  return rest;
}

const text = (value: unknown): string =>
  JSON.stringify(value, (_, part: unknown) =>
    typeof part === "object" && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  );
const isSame = (a: unknown, b: unknown): boolean => text(a) === text(b);
const isSubset = (some: Search, all: Search): boolean => Object.entries(some).every(([name, value]) => all[name] === value);

/** Columns as the contract sends them; empty parts are left out, so that an untouched grid equals a new one. */
export function columnsSent(columns: ColumnState): z.output<typeof ViewState>["columns"] {
  const { order, hidden, chosen, widths, pinned } = columns;
  return {
    ...(order?.length && { order: [...order] }),
    ...(hidden?.length && { hidden: [...hidden] }),
    ...(chosen?.length && { chosen: [...chosen] }),
    ...(widths &&
      Object.keys(widths).length > 0 && { widths: Object.fromEntries(Object.entries(widths).map(([id, px]) => [id, Math.round(px)])) }),
    ...(pinned && pinned.start.length + pinned.end.length > 0 && { pinned: { start: [...pinned.start], end: [...pinned.end] } }),
  };
}

/** The current view: the saved one that the address names, else the built-in one whose search matches. */
export function currentId({ place, builtIn, saved }: Pick<ViewsNow, "place" | "builtIn" | "saved">): string | null {
  const named = saved?.find(({ uuid }) => uuid === place.get("saved"));
  if (named) return named.uuid;
  const fitting = builtIn.filter(({ search }) => isSubset(search, place.search));
  // the one with most parameters
  return fitting.toSorted((a, b) => Object.keys(b.search).length - Object.keys(a.search).length)[0]?.id ?? builtIn[0]?.id ?? null;
}

export function slotsOf(now: ViewsNow): ViewSlot[] {
  const saved = now.saved ?? [];
  const current = currentId(now);
  const taken = new Set(saved.map(({ digit }) => digit));
  const own = now.builtIn.map(({ id, name }, at): ViewSlot => {
    const digit = at < 9 && !taken.has(at + 1) ? at + 1 : null;
    return { id, name, digit, current: id === current, saved: null };
  });
  return [
    ...own,
    ...saved.map((view) => ({ id: view.uuid, name: view.name, digit: view.digit, current: view.uuid === current, saved: view })),
  ];
}

/** What commands do to the views of a screen; the address and the columns follow. */
export function makeViews(now: ViewsNow, { services, setColumns, setDensity, reload, here }: ViewsDeps): ViewsDesk {
  const { place, screen } = now;
  const slots = slotsOf(now);
  const current = slots.find((slot) => slot.current)?.saved ?? null;
  const state = { search: searchOf(place), columns: columnsSent(now.columns), density: now.density };

  function go(search: Search, saved: string | null): void {
    const cleared = Object.fromEntries(Object.keys(place.search).map((name) => [name, null]));
    place.set({ ...cleared, ...search, saved, record: null }, true);
  }

  function pick(id: string): void {
    const view = now.saved?.find(({ uuid }) => uuid === id);
    if (view) {
      setColumns(id, view.state.columns);
      setDensity(id, view.state.density);
      go(view.state.search, id);
      return;
    }
    const own = now.builtIn.find((one) => one.id === id);
    if (own) go(own.search, null);
  }

  const formOf = ({ name, shared, digit, default: isDefault }: SavedView) => ({ name, shared, digit, default: isDefault });

  async function update(view: SavedView, change: Partial<ReturnType<typeof formOf> & { state: ViewState }>): Promise<void> {
    const body = { ...formOf(view), state: view.state, ...change, version: view.version };
    await services.call(preferenceRoutes.updateView, { params: { uuid: view.uuid }, body });
    await reload();
  }

  return {
    slots,
    params: place.params,
    current,
    changed: current !== null && !isSame(current.state, state),
    pick,
    reset() {
      const id = currentId(now);
      if (id === null) return;
      if (current === null) setColumns(id, {});
      pick(id);
    },
    async save() {
      if (current === null) return;
      await update(current, { state });
      services.say("view.said.saved", { name: current.name }, "done");
    },
    async saveAs(form) {
      const { data: view } = await services.call(preferenceRoutes.createView, { body: { ...form, default: false, screen, state } });
      await reload();
      setColumns(view.uuid, view.state.columns);
      setDensity(view.uuid, view.state.density);
      const there = here();
      // a user who has moved on meanwhile stays there
      if (there !== null && isSame(searchOf(there), state.search)) there.set({ saved: view.uuid });
      services.say("view.said.saved", { name: view.name }, "done");
    },
    async setDefault(on) {
      if (current === null) return;
      await update(current, { default: on });
      services.say(on ? "view.said.default" : "view.said.no-default", { name: current.name }, "done");
    },
    async remove() {
      if (current === null) return;
      await services.call(preferenceRoutes.deleteView, { params: { uuid: current.uuid } });
      const there = here();
      if (there?.get("saved") === current.uuid) there.set({ saved: null });
      await reload();
      services.say("view.said.deleted", { name: current.name }, "done");
    },
  };
}
