import { useSyncExternalStore } from "react";

/** Where the weaker columns leave (look.md, anatomy). */
const query = typeof matchMedia === "undefined" ? null : matchMedia("(max-width: 1500px)");

export function useNarrow(): boolean {
  return useSyncExternalStore(
    (listener) => {
      query?.addEventListener("change", listener);
      return () => query?.removeEventListener("change", listener);
    },
    () => query?.matches ?? false,
  );
}
