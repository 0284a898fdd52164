import { holdPaper, setPrintedPage } from "../kit/look/printed-page.ts";

/** Puts these texts at the head of every printed page, and its number at the foot; answers what takes them away. */
export function paperOf(start: string, end: string): () => void {
  const clear = setPrintedPage({ start, end }, false);
  const free = holdPaper();
  return () => {
    free();
    clear();
  };
}
