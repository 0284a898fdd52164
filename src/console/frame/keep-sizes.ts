import type { PreferencesKeeper } from "../api/preferences.ts";
import type { ownDensity } from "../kit/grid/density.ts";
import type { PaneLayout, PaneName, PaneStore } from "../kit/panes/pane-store.ts";

type Kept = Pick<PreferencesKeeper, "store" | "set">;
type KeptLayout = Pick<PaneLayout, "hidden" | "turned" | "sizes">;

/** Stored beside the sizes, as 0 or 1. */
const turnedName = "turned";
const hideable = ["navigation", "detail", "counters"] as const satisfies readonly PaneName[];
const hiddenName = (pane: PaneName): string => `hidden.${pane}`;
const flags: readonly string[] = [turnedName, ...hideable.map(hiddenName)];

function written({ hidden, turned, sizes }: KeptLayout): Record<string, number> {
  const states = hideable.map((pane) => [hiddenName(pane), Number(hidden[pane] === true)] as const);
  return { ...sizes, [turnedName]: Number(turned), ...Object.fromEntries(states) };
}

/** Values that are not stored stay as they are. */
function read(kept: Readonly<Record<string, number>>, here: KeptLayout): KeptLayout {
  const all = { ...written(here), ...kept };
  return {
    turned: all[turnedName] === 1,
    hidden: Object.fromEntries(hideable.filter((pane) => all[hiddenName(pane)] === 1).map((pane) => [pane, true as const])),
    sizes: Object.fromEntries(Object.entries(all).filter(([name]) => !flags.includes(name))),
  };
}

/**
 * Keeps pane sizes, hidden and turned panes and the density of grids in the user's preferences, so that they are the same in
 * every browser. A local change holds until it has been sent.
 */
export function keepSizes(
  panes: Pick<PaneStore, "getState" | "subscribe" | "take">,
  { store, set }: Kept,
  density: typeof ownDensity,
): void {
  let taking = false;
  const take = () => {
    const { preferences, loaded } = store.getState();
    if (!loaded) return;
    taking = true;
    panes.take(read(preferences.panes, panes.getState()));
    if (density.get() !== preferences.density) density.set(preferences.density);
    taking = false;
  };
  store.subscribe(take);
  take();
  panes.subscribe(() => {
    const { panes: known } = store.getState().preferences;
    const now = written(panes.getState());
    const differs = Object.entries(now).some(([name, value]) => (known[name] ?? (flags.includes(name) ? 0 : undefined)) !== value);
    if (!taking && differs) set({ panes: now });
  });
  density.subscribe(() => {
    if (!taking && density.get() !== store.getState().preferences.density) set({ density: density.get() });
  });
}
