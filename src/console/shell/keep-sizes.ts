import type { PreferencesKeeper } from "../api/preferences.ts";
import type { ownDensity } from "../kit/grid/density.ts";
import type { PaneStore } from "../kit/pane-store.ts";

type Kept = Pick<PreferencesKeeper, "store" | "set">;

/** Pane sizes and the density of grids follow the user to every browser; what was set here last holds until it has been sent. */
export function keepSizes(
  panes: Pick<PaneStore, "getState" | "subscribe" | "setSize">,
  { store, set }: Kept,
  density: typeof ownDensity,
): void {
  let taking = false;
  const take = () => {
    const { preferences, loaded } = store.getState();
    if (!loaded) return;
    taking = true;
    const { sizes } = panes.getState();
    for (const [split, px] of Object.entries(preferences.panes)) if (sizes[split] !== px) panes.setSize(split, px);
    if (density.get() !== preferences.density) density.set(preferences.density);
    taking = false;
  };
  store.subscribe(take);
  take();
  panes.subscribe(() => {
    const { sizes } = panes.getState();
    const { panes: known } = store.getState().preferences;
    if (!taking && Object.entries(sizes).some(([split, px]) => known[split] !== px)) set({ panes: { ...known, ...sizes } });
  });
  density.subscribe(() => {
    if (!taking && density.get() !== store.getState().preferences.density) set({ density: density.get() });
  });
}
