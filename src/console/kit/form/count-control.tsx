import { useEffect, useRef } from "react";
import { useKit } from "../use-kit.ts";
import type { ControlProps } from "./control-props.ts";
import { Line } from "./line.tsx";

/**
 * A whole number: typed, or stepped with Up and Down within its bounds. Not Blueprint's NumericInput: it tells a screen reader 0 of an
 * empty field, drops letters without a word instead of saying what is wrong, and its buttons are named in English only.
 */
export function CountControl(props: ControlProps) {
  const { field, value, readOnly, onWrite } = props;
  const { keys } = useKit();
  const box = useRef<HTMLDivElement>(null);
  const [least, most] = field.between;
  const number = /^-?\d+$/.test(value.trim()) ? Number(value) : null;
  const latest = useRef({ number, onWrite });
  useEffect(() => {
    latest.current = { number, onWrite };
  });
  useEffect(() => {
    if (box.current === null || readOnly) return undefined;
    const step = (by: number) => (): void => {
      const next = (latest.current.number ?? (least ?? 0) - by) + by;
      latest.current.onWrite(String(Math.min(most ?? Infinity, Math.max(least ?? -Infinity, next))));
    };
    return keys.claim(box.current, { ArrowUp: step(1), ArrowDown: step(-1), PageUp: step(10), PageDown: step(-10) });
  }, [keys, least, most, readOnly]);
  return (
    <div ref={box}>
      <Line
        {...props}
        more={{
          role: "spinbutton",
          "aria-valuenow": number ?? undefined,
          "aria-valuetext": number === null ? value : undefined,
          "aria-valuemin": least ?? undefined,
          "aria-valuemax": most ?? undefined,
          className: "num",
          inputMode: "numeric",
          dir: "ltr",
        }}
      />
    </div>
  );
}
