import type { Answer, Received, Routes } from "../contract/route.ts";

/** One handler per route of an entity; `C` is the call its guard provides. */
export type Handlers<T extends Routes, C> = {
  [K in keyof T]: (call: C, received: Received<T[K]>) => Promise<Answer<T[K]>>;
};
