import { createContext, useContext } from "react";
import type { Side } from "../commands/side.ts";

export interface InSide {
  readonly side: Side;
  /** Whether there are two sides, each with half the room. */
  readonly doubled: boolean;
}

export const SideContext = createContext<InSide>({ side: "main", doubled: false });

export const useSide = (): InSide => useContext(SideContext);
