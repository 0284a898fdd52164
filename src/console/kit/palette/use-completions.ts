import type { RefObject } from "react";
import { useLayoutEffect, useRef, useState } from "react";
import type { Completion } from "../query/complete.ts";
import type { PaletteSources } from "./palette-store.ts";

interface Asked {
  /** The text that was asked about. */
  readonly text: string;
  readonly isLine: boolean;
  readonly offers: readonly Completion[];
}

const nothing: Asked = { text: "", isLine: false, offers: [] };

/** Whether the text in the field asks a list, what may follow in it, and how one of that is taken. */
export function useCompletions(
  source: PaletteSources["completions"],
  text: string,
  field: RefObject<HTMLInputElement | null>,
  setText: (text: string) => void,
): Pick<Asked, "isLine" | "offers"> & { take(completion: Completion): void } {
  const [asked, setAsked] = useState(nothing);
  const caret = useRef<number | null>(null);
  useLayoutEffect(() => {
    if (caret.current !== null) field.current?.setSelectionRange(caret.current, caret.current);
    caret.current = null;
    const offered = source?.(text, field.current?.selectionStart ?? text.length) ?? null;
    let isLeft = false;
    const keep = (next: Asked) => isLeft || setAsked(next);
    if (offered === null) void Promise.resolve(nothing).then(keep);
    else offered.catch(() => []).then((offers) => keep({ text, isLine: true, offers }));
    return () => void (isLeft = true);
  }, [source, text, field]);
  return {
    isLine: asked.isLine,
    // the places of another text are wrong in this one
    offers: asked.text === text ? asked.offers : [],
    take({ from, to, text: written }) {
      caret.current = from + written.length;
      setText(text.slice(0, from) + written + text.slice(to));
    },
  };
}
