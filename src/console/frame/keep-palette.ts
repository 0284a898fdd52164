import type { PreferencesKeeper } from "../api/preferences.ts";
import type { PaletteStore } from "../kit/palette/palette-store.ts";

/** What the palette was used for follows the user to every browser. */
export function keepPalette(palette: Pick<PaletteStore, "keepIn">, { store, set }: Pick<PreferencesKeeper, "store" | "set">): void {
  palette.keepIn({
    read: () => store.getState().preferences.palette,
    write: ({ commands, records }) => set({ palette: { commands: [...commands], records: [...records] } }),
  });
}
