import { createStore } from "zustand/vanilla";

/** Exports of a tenant whose end has not been told in this browser yet: kept over reloads and closed tabs. */
export interface Awaited {
  getState(): readonly string[];
  subscribe(listener: () => void): () => void;
  add(uuid: string): void;
  /** It has ended, and that was told. */
  drop(uuid: string): void;
}

type Storage = Pick<globalThis.Storage, "getItem" | "setItem" | "removeItem">;

export function createAwaited(storage: Storage, tenant: string): Awaited {
  const key = `countinghouse.exports.${tenant}`;
  const kept = (): readonly string[] => (storage.getItem(key) ?? "").split(",").filter(Boolean);
  const store = createStore<readonly string[]>(kept);
  // another tab may have written meanwhile
  const set = (change: (uuids: readonly string[]) => readonly string[]): void => {
    const uuids = change(kept());
    if (uuids.length === 0) storage.removeItem(key);
    else storage.setItem(key, uuids.join(","));
    store.setState(uuids, true);
  };
  return {
    getState: store.getState,
    subscribe: (listener) => store.subscribe(listener),
    add: (uuid) => set((uuids) => [...uuids.filter((one) => one !== uuid), uuid]),
    drop: (uuid) => set((uuids) => uuids.filter((one) => one !== uuid)),
  };
}
