import { createContext } from "react";
import type { Values } from "./conflict.ts";

/** What the permissions of a form are judged by beside their own value. */
export interface RightsSource {
  /** Whose they are: somebody's, who has them directly or by groups, or a group's. */
  readonly of: "person" | "group";
  /** Whether the operator holds it, and so may give or take it. */
  mayGive(permission: string): boolean;
  /** Permission → names of the groups that give it, by what the form says. */
  given(values: Values): ReadonlyMap<string, readonly string[]>;
}

/** By default nothing comes from groups, and everything may be given. */
export const RightsContext = createContext<RightsSource>({ of: "person", mayGive: () => true, given: () => new Map() });
