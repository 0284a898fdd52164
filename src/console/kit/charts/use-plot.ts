import type { RefObject } from "react";
import { useEffect, useLayoutEffect, useRef } from "react";
import { useContextState } from "../use-kit.ts";
import type { Plot, PlotKind } from "./plot.ts";
import { mountPlot } from "./plot.ts";

/** Draws a chart in the element that takes `host`, with the cursor on the column `at`, and keeps it drawn. */
export function usePlot<I>(
  kind: PlotKind<I>,
  input: I,
  at: number,
): { readonly host: RefObject<HTMLDivElement | null>; readonly plot: RefObject<Plot<I> | null> } {
  const { rightToLeft } = useContextState();
  const host = useRef<HTMLDivElement>(null);
  const plot = useRef<Plot<I> | null>(null);
  const drawn = useRef({ input, at });
  useLayoutEffect(() => {
    drawn.current = { input, at };
  });
  useEffect(() => {
    if (host.current === null) return undefined;
    const mounted = mountPlot(host.current, kind, drawn.current.input, rightToLeft);
    mounted.draw(drawn.current.input, drawn.current.at);
    plot.current = mounted;
    return () => {
      plot.current = null;
      mounted.end();
    };
  }, [kind, rightToLeft]);
  useEffect(() => plot.current?.draw(input, at), [input, at]);
  return { host, plot };
}
