import { readMoment } from "../../values/moments.ts";

type Range = { readonly from?: string; readonly to?: string };

/**
 * "last:30m", or one or two of what `readMoment` reads, both included: "2026-11-20", "2026-11-01..2026-11-20", "-90s..", "..14:30";
 * a span alone is since then. Instants from and to, the latter excluded; null when it is none of these.
 */
export function readTimes(text: string, now: number, zoneMinutes: number): Range | null {
  const asked = text.trim().replace(/^last:(?=\d+[mhd]$)/, "-");
  const [from = "", to = asked.startsWith("-") ? "" : from, ...more] = asked.split("..").map((part) => part.trim());
  const [first, last] = [from, to].map((part) => (part === "" ? undefined : readMoment(part, now, zoneMinutes)));
  if (more.length > 0 || (from === "" && to === "") || first === null || last === null) return null;
  return { ...(first && { from: new Date(first.from).toISOString() }), ...(last && { to: new Date(last.to).toISOString() }) };
}
