import { text, useText } from "../kit/texts/texts.ts";
import type { Formats } from "./formats.ts";
import { useFormats } from "./use-api.ts";

/** Tooltip of an instant: its UTC time, preceded by the local time where only an age or a part of it is shown. */
export function instantTitle(formats: Formats, at: string | number, written: "whole" | "part"): string {
  const utc = text("time.utc", { time: formats.utc(at) });
  return written === "whole" ? utc : `\u2068${formats.time(at)}\u2069 · ${utc}`;
}

/** An instant in the tenant's zone. */
export function Instant({ at, as = "time" }: { at: string; as?: "time" | "clock" | "day" }) {
  useText(); // renders again when the language changes
  const formats = useFormats();
  return (
    <time dateTime={at} title={instantTitle(formats, at, as === "time" ? "whole" : "part")}>
      <bdi>{formats[as](at)}</bdi>
    </time>
  );
}
