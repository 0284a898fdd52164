import type { PreferencesKeeper } from "../api/preferences.ts";
import type { PaletteStore } from "../kit/palette/palette-store.ts";

/** Keeps the palette's usage in the user's preferences, so that it is the same in every browser. */
export function keepPalette(palette: Pick<PaletteStore, "keepIn">, { store, set }: Pick<PreferencesKeeper, "store" | "set">): void {
  palette.keepIn({
    read: () => store.getState().preferences.palette,
    write: ({ commands, records }) => set({ palette: { commands: [...commands], records: [...records] } }),
  });
}
