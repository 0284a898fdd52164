import { useState } from "react";
import { useText } from "../texts/texts.ts";
import { useKit } from "../use-kit.ts";
import type { ControlProps } from "./control-props.ts";
import { Line } from "./line.tsx";

/**
 * A moment, typed as times are written or said ("2026-11-20 14:30", "yesterday", "-2h"), in the currency's zone; the wire has the instant.
 * Not Blueprint's DateInput: with its calendar and date-fns it adds 67 kB to a screen of at most 60, and its days are the browser's.
 */
export function MomentControl(props: ControlProps) {
  const { value, placeholder, onWrite } = props;
  const t = useText();
  const { sources } = useKit();
  const [typed, setTyped] = useState<string | null>(null);
  const written = (instant: string): string => sources.writeMoment?.(instant) ?? instant;
  const shown = typed ?? written(value);
  return (
    <>
      <Line
        {...props}
        value={shown}
        placeholder={placeholder ?? t("form.moment.type")}
        onWrite={(text) => {
          setTyped(text);
          onWrite(sources.readMoment?.(text) ?? text);
        }}
        more={{ dir: "ltr", onBlur: () => setTyped(null) }}
      />
      {typed !== null && written(value) !== typed && value !== "" && (
        <span className="note t2" role="status">
          <bdi>{written(value)}</bdi>
        </span>
      )}
    </>
  );
}
