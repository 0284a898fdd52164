import { createElement } from "react";
import type { ComponentType, ReactElement } from "react";
import { isMissing, loadChunk } from "../kit/loading/chunk.ts";
import { ChunkLate } from "../kit/loading/time-limit.ts";

/** The part of the console that a page needs did not come. */
export class PageMissing extends Error {
  override readonly name = "PageMissing";
  /** late: within the time; first: loading the page again may bring a new deployment's; again: it was loaded again, and did not. */
  readonly kind: "late" | "first" | "again";

  constructor(kind: PageMissing["kind"], cause: unknown) {
    super(`a page's part of the console did not come (${kind})`, { cause });
    this.kind = kind;
  }
}

const markOf = (page: string): string => `countinghouse.missing.${page}`;
/** Marked since this document was loaded: nobody has loaded it again yet. */
const fresh = new Set<string>();

/** A page's part; one that is missing is marked in the tab, so that whoever loads the page again is not asked to for ever. */
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
 * A route's page in a chunk of its own, which the route's loader waits for. The router's own `lazy` is not used: one that fails
 * leaves the whole console blank, without the error page, and is never tried again.
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
