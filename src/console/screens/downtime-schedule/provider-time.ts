import type { Downtime } from "../../../contract/downtimes.ts";
import { clockIn } from "../../../values/named-zones.ts";

/** A window by the provider's own clock: "2026-11-21 13:10 – 15:00"; null: its zone is not said. */
export function timesAtProvider({ zone, start_time, end_time }: Pick<Downtime, "zone" | "start_time" | "end_time">): string | null {
  if (zone === null) return null;
  const [from, to] = [clockIn(zone, start_time), clockIn(zone, end_time)];
  return `${from.day} ${from.time} – ${from.day === to.day ? "" : `${to.day} `}${to.time}`;
}
