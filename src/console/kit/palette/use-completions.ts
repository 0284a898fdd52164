import type { RefObject } from "react";
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "react";
import type { Completion } from "../query/complete.ts";
import type { PaletteSources } from "./palette-store.ts";

type Offers = readonly Completion[];
const none: Offers = [];

interface Completions {
  /** Whether the text asks a list. */
  readonly isLine: boolean;
  /** What may follow at the caret. */
  readonly offers: Offers;
  take(completion: Completion): void;
  /** Writes what was typed, and keeps where. */
  write(text: string): void;
}

/** What may follow in a text that asks a list, drawn with the letter typed once the list is there. */
export function useCompletions(
  source: PaletteSources["completions"],
  text: string,
  field: RefObject<HTMLInputElement | null>,
  setText: (text: string) => void,
): Completions {
  const [typed, setTyped] = useState({ text: "", caret: 0 });
  const caret = typed.text === text ? typed.caret : text.length;
  const offered = useMemo(() => source?.(text, caret) ?? null, [source, text, caret]);
  const [late, setLate] = useState<{ readonly of: typeof offered; readonly offers: Offers }>({ of: null, offers: none });
  useEffect(() => {
    if (!(offered instanceof Promise)) return undefined;
    let isLeft = false;
    const keep = (offers: Offers) => isLeft || setLate({ of: offered, offers });
    offered.then(keep, () => keep(none));
    return () => void (isLeft = true);
  }, [offered]);
  const caretAt = useRef<number | null>(null);
  useLayoutEffect(() => {
    if (caretAt.current !== null) field.current?.setSelectionRange(caretAt.current, caretAt.current);
    caretAt.current = null;
  });
  return {
    isLine: offered instanceof Promise ? late.of === offered && late.offers.length > 0 : offered !== null,
    offers: offered instanceof Promise ? (late.of === offered ? late.offers : none) : (offered ?? none),
    take({ from, to, text: written }) {
      const next = text.slice(0, from) + written + text.slice(to);
      caretAt.current = from + written.length;
      setTyped({ text: next, caret: caretAt.current });
      setText(next);
    },
    write(next) {
      setTyped({ text: next, caret: field.current?.selectionStart ?? next.length });
      setText(next);
    },
  };
}
