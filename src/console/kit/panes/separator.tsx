import type { PointerEvent } from "react";
import { useEffect, useRef } from "react";
import { useKit } from "../use-kit.ts";

interface SeparatorProps {
  readonly label: string;
  /** Id of the element whose size it sets; absent while that is not on the page. */
  readonly controls?: string;
  /** Between the limits; 0 while the sized element is hidden. */
  readonly value: number;
  readonly minimum: number;
  readonly maximum: number;
  /** Change of the value per arrow key. */
  readonly step: number;
  /** The sized element is below. */
  readonly turned: boolean;
  /** px per unit of the value, on the current page. */
  unit(separator: HTMLElement): number;
  onSize(value: number): void;
  /** Hides the sized element, or shows it again. */
  onEnter(): void;
}

/** An APG window splitter; `w r` leads to it, Esc back to the list. */
export function Separator({ label, controls, value, minimum, maximum, step, turned, unit, onSize, onEnter }: SeparatorProps) {
  const { panes, keys } = useKit();
  const element = useRef<HTMLDivElement>(null);
  const from = useRef<{ at: number; value: number; unit: number } | null>(null);
  const set = (to: number): void => onSize(Math.min(maximum, Math.max(minimum, to)));

  useEffect(() => {
    if (element.current === null) return undefined;
    // arrow keys are screen directions, and the sized element is at the inline end, so "left" grows it unless the page runs right to
    // left
    const grow = document.documentElement.dir === "rtl" && !turned ? -step : step;
    const wider = (): void => set(value + grow);
    const narrower = (): void => set(value - grow);
    return keys.claim(element.current, {
      ...(turned ? { ArrowUp: wider, ArrowDown: narrower } : { ArrowLeft: wider, ArrowRight: narrower }),
      Home: () => set(minimum),
      End: () => set(maximum),
      Enter: onEnter,
      Escape: () => panes.focus("list"),
    });
  });

  const move = (event: PointerEvent): void => {
    if (from.current === null) return;
    const at = turned ? event.clientY : event.clientX;
    const toward = document.documentElement.dir === "rtl" && !turned ? at - from.current.at : from.current.at - at;
    set(from.current.value + toward / from.current.unit);
  };

  return (
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- an APG window splitter takes the focus
    <div
      ref={element}
      role="separator"
      tabIndex={0}
      className="splitter"
      aria-label={label}
      aria-orientation={turned ? "horizontal" : "vertical"}
      aria-controls={controls}
      aria-valuenow={value}
      aria-valuemin={Math.min(minimum, value)}
      aria-valuemax={maximum}
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId);
        from.current = { at: turned ? event.clientY : event.clientX, value, unit: unit(event.currentTarget) };
      }}
      onPointerMove={move}
      onPointerUp={() => {
        from.current = null;
      }}
    />
  );
}
