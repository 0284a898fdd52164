import { createElement, useEffect, useEffectEvent, useState } from "react";
import type { Attributes, ComponentType, ReactElement } from "react";
import { beginWork } from "./rest.ts";
import { ChunkLate, withinTime } from "./time-limit.ts";

/** Whether a script failed to load, rather than the code in it failed. */
export function isMissing(error: unknown): boolean {
  if (error instanceof ChunkLate) return true;
  return error instanceof TypeError && /import|module/i.test(error.message);
}

/**
 * ms before a chunk that did not come is requested again, one by one: a network that changes, or a connection that closes under its
 * request, fails single requests, and for those no user need load the page anew.
 */
const pauses: readonly number[] = [250, 1_000];

/** What failed after its last attempt: the load of a page that waited for it does not begin again. */
const final = new WeakSet<Error>();

async function loadWithPatience<T>(load: () => Promise<T>, [pause, ...later]: readonly number[]): Promise<T> {
  try {
    return await load();
  } catch (error) {
    if (!(error instanceof Error) || error instanceof ChunkLate || final.has(error) || !isMissing(error)) throw error;
    if (pause === undefined) {
      final.add(error);
      throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, pause));
    return loadWithPatience(load, later);
  }
}

/** Loads a chunk of the console within the time limit; one that does not come is requested again after each of the pauses. */
export function loadChunk<T>(load: () => Promise<T>): Promise<T> {
  const over = beginWork();
  return withinTime(() => loadWithPatience(load, pauses)).finally(over);
}

interface PartAsked {
  /** The component is to be shown. */
  readonly wanted: boolean;
  /** ms after which it is fetched in advance; by default only when wanted. */
  readonly soon?: number;
  /** It failed to load while it was wanted: close what needs it, and say so. */
  absent(): void;
}

/** Draws a component outside the router and its error pages; null until it is loaded, which is tried again each time it is wanted. */
export function usePart<P extends object>(
  load: () => Promise<ComponentType<P>>,
  { wanted, soon, absent }: PartAsked,
): ((props: P & Attributes) => ReactElement) | null {
  const [Part, setPart] = useState<ComponentType<P> | null>(null);
  const isThere = Part !== null;
  const reportAbsent = useEffectEvent(absent);
  useEffect(() => {
    if (isThere || (!wanted && soon === undefined)) return undefined;
    let left = false;
    const fetchIt = () =>
      loadChunk(load).then(
        (Component) => setPart(() => Component),
        () => {
          if (wanted && !left) reportAbsent();
        },
      );
    const timer = setTimeout(() => void fetchIt(), wanted ? 0 : soon);
    return () => {
      left = true;
      clearTimeout(timer);
    };
  }, [isThere, wanted, soon, load]);
  return Part === null ? null : (props) => createElement(Part, props);
}
