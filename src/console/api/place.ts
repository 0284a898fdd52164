import { createContext, useContext } from "react";
import type { ScreenName } from "../../contract/screens.ts";

/** Where a screen stands: its name, path and search parameters. Screens never touch the router. */
export interface Place {
  readonly screen: ScreenName;
  /** Ids of the records its path names. */
  readonly params: Readonly<Record<string, string>>;
  readonly search: Readonly<Record<string, string>>;
  get(name: string): string | null;
  /**
   * Sets the given parameters, null removes one. It is drawn before the next key, which may depend on it. `push` adds an entry to
   * the history; without it the current one is replaced.
   */
  set(values: Readonly<Record<string, string | null>>, push?: boolean): void;
  /** Sets what the user did not ask for: replaces the entry, and is drawn when the page is idle. */
  note(values: Readonly<Record<string, string | null>>): void;
}

export const PlaceContext = createContext<Place | null>(null);

export function usePlace(): Place {
  const place = useContext(PlaceContext);
  if (!place) throw new Error("no place above");
  return place;
}
