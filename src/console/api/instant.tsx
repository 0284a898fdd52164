import { text, useText } from "../kit/texts/texts.ts";
import type { Formats } from "./formats.ts";
import { useFormats } from "./use-api.ts";

/** What the pointer is told over an instant: it in UTC; before that all of it, where only its age or a part of it is written. */
export function instantTitle(formats: Formats, at: string | number, written: "whole" | "part"): string {
  const utc = text("time.utc", { time: formats.utc(at) });
  return written === "whole" ? utc : `\u2068${formats.time(at)}\u2069 · ${utc}`;
}

/** An instant in the tenant's zone. */
export function Instant({ at, as = "time" }: { at: string; as?: "time" | "clock" | "day" }) {
  useText(); // written anew in another language
  const formats = useFormats();
  return (
    <time dateTime={at} title={instantTitle(formats, at, as === "time" ? "whole" : "part")}>
      <bdi>{formats[as](at)}</bdi>
    </time>
  );
}
