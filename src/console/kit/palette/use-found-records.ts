import { useEffect, useState } from "react";
import type { FoundRecord } from "./palette-store.ts";

/** ms without typing before a search is sent. */
const quiet = 120;
/** Characters of the shortest text that is searched. */
export const shortest = 2;

interface Found<T> {
  readonly found: readonly T[];
  readonly searching: boolean;
  readonly failed: boolean;
}

const nothing: Found<never> = { found: [], searching: false, failed: false };

/** Records that match a text; an older search is aborted when the text changes. */
export function useFoundRecords<T = FoundRecord>(
  source: ((text: string, signal: AbortSignal) => Promise<readonly T[]>) | undefined,
  text: string,
): Found<T> {
  const wanted = text.trim();
  const [answer, setAnswer] = useState<{ to: string; found: readonly T[] | null }>({ to: "", found: [] });
  const searches = source !== undefined && wanted.length >= shortest;
  useEffect(() => {
    if (source === undefined || !searches) return undefined;
    const given = new AbortController();
    const timer = setTimeout(() => {
      source(wanted, given.signal).then(
        (found) => given.signal.aborted || setAnswer({ to: wanted, found }),
        () => given.signal.aborted || setAnswer({ to: wanted, found: null }),
      );
    }, quiet);
    return () => {
      clearTimeout(timer);
      given.abort();
    };
  }, [source, searches, wanted]);
  if (!searches) return nothing;
  // the last answer stays until the next one
  return { found: answer.found ?? [], searching: answer.to !== wanted, failed: answer.to === wanted && answer.found === null };
}
