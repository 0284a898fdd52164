import { setPrintedPage } from "../kit/look/printed-page.ts";

/** Puts these texts at the head of every printed page, and its number at the foot; answers what takes them away. */
export function paperOf(start: string, end: string): () => void {
  const clear = setPrintedPage({ start, end }, false);
  // before the list beneath, which would put its rows on paper instead
  const stop = new AbortController();
  window.addEventListener("beforeprint", (event) => event.stopImmediatePropagation(), { capture: true, signal: stop.signal });
  return () => {
    stop.abort();
    clear();
  };
}
