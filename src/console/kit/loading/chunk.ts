import { createElement, useEffect, useEffectEvent, useState } from "react";
import type { Attributes, ComponentType, ReactElement } from "react";
import { beginWork } from "./rest.ts";
import { ChunkLate, withinTime } from "./time-limit.ts";

/** A style sheet that a chunk needs, as the bundle's loader says that it did not come. */
const sheetFailed = /^Unable to preload CSS for (\S+)/;
const lost = new Set<string>();

/** Whether a script or a style sheet did not come, and not the code in it that failed. */
export function isMissing(error: unknown): boolean {
  if (error instanceof ChunkLate) return true;
  if (!(error instanceof Error)) return false;
  return sheetFailed.test(error.message) || (error instanceof TypeError && /import|module/i.test(error.message));
}

/** The bundle's loader asks for a style sheet once; one that did not come is fetched here before its chunk is asked for again. */
function fetchSheet(href: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const link = document.createElement("link");
    link.rel = "stylesheet";
    link.href = href;
    link.addEventListener("load", () => (lost.delete(href), resolve()));
    link.addEventListener("error", () => (link.remove(), reject(new Error(`Unable to preload CSS for ${href}`))));
    document.head.append(link);
  });
}

/** A part of the console in a chunk of its own: within the time limit, and with its style even at the second attempt. */
export function loadChunk<T>(load: () => Promise<T>): Promise<T> {
  const over = beginWork();
  return withinTime(async () => {
    await Promise.all([...lost].map(fetchSheet));
    try {
      return await load();
    } catch (error) {
      const href = error instanceof Error ? sheetFailed.exec(error.message)?.[1] : undefined;
      if (href !== undefined) lost.add(href);
      throw error;
    }
  }).finally(over);
}

interface PartAsked {
  /** It is to be on screen. */
  readonly wanted: boolean;
  /** Fetched unasked after so many milliseconds; left out, when it is wanted. */
  readonly soon?: number;
  /** It did not come though it is wanted: close what asked for it, and say so. */
  absent(): void;
}

/** Draws a component that stands beside the page, outside the router and its error pages; null until it has come, and asked for anew each time it is wanted. */
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
