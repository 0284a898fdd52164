import { createContext, useContext } from "react";
import type { ScreenName } from "../../contract/screens.ts";

/** A screen's own place: which screen it is and its search parameters. Screens never touch the router. */
export interface Place {
  readonly screen: ScreenName;
  /** Ids of the records its path names. */
  readonly params: Readonly<Record<string, string>>;
  readonly search: Readonly<Record<string, string>>;
  get(name: string): string | null;
  /**
   * Sets the given parameters, null removes one; drawn before the next key, which may turn it round. `push` makes it a step Back
   * returns from; else it replaces.
   */
  set(values: Readonly<Record<string, string | null>>, push?: boolean): void;
  /** The same of what nobody asked for and no key depends on: replaces, and is drawn in a quiet moment. */
  note(values: Readonly<Record<string, string | null>>): void;
}

export const PlaceContext = createContext<Place | null>(null);

export function usePlace(): Place {
  const place = useContext(PlaceContext);
  if (!place) throw new Error("no place above");
  return place;
}
