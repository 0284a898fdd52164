import { createElement } from "react";
import type { ComponentType, ReactElement } from "react";
import { isMissing, loadChunk } from "../kit/loading/chunk.ts";
import { ChunkLate } from "../kit/loading/time-limit.ts";

/** A chunk that a page needs did not load. */
export class PageMissing extends Error {
  override readonly name = "PageMissing";
  /** late: no answer within the time limit; first: a reload may bring a new deployment's chunk; again: a reload did not help. */
  readonly kind: "late" | "first" | "again";

  constructor(kind: PageMissing["kind"], cause: unknown) {
    super(`a page's part of the console did not come (${kind}): ${String(cause)}`, { cause });
    this.kind = kind;
  }
}

const markOf = (page: string): string => `countinghouse.missing.${page}`;
/** Pages marked since this document was loaded, so before any reload. */
const fresh = new Set<string>();

/** Loads a page's chunk. A missing one is marked in the tab, so that the user is not asked to reload again and again. */
export async function loadPage<T>(
  page: string,
  load: () => Promise<T>,
  tab: Pick<Storage, "getItem" | "setItem" | "removeItem"> = sessionStorage,
): Promise<T> {
  try {
    const part = await loadChunk(load);
    tab.removeItem(markOf(page));
    fresh.delete(page);
    return part;
  } catch (error) {
    if (error instanceof ChunkLate) throw new PageMissing("late", error);
    if (!isMissing(error)) throw error;
    const isAgain = tab.getItem(markOf(page)) !== null && !fresh.has(page);
    tab.setItem(markOf(page), "1");
    if (!isAgain) fresh.add(page);
    throw new PageMissing(isAgain ? "again" : "first", error);
  }
}

/**
 * A route's page in a chunk of its own, which the route's loader waits for. The router's own `lazy` is not used, because a chunk
 * that fails there leaves the console blank, without the error page, and is never tried again.
 */
export function latePage(page: string, load: () => Promise<ComponentType>): { ready(): Promise<void>; Component(): ReactElement | null } {
  let Page: ComponentType | null = null;
  return {
    async ready() {
      Page ??= await loadPage(page, load);
    },
    Component: () => (Page === null ? null : createElement(Page)),
  };
}
