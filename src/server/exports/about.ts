import { formatCount } from "../../values/counts.ts";
import { zoneText } from "../../values/zones.ts";
import { aboutLines } from "../../contract/export-about.ts";
import type { Asked } from "./export-job.ts";

/** "2026-11-21 14:32" of an instant, in a zone of so many minutes east of UTC. */
const localTime = (at: Date, zone: number): string => new Date(at.getTime() + zone * 60_000).toISOString().slice(0, 16).replace("T", " ");

/** "withdrawals 2026-11-21 1432.xlsx": sorts by time. */
export const fileNameOf = (screen: string, at: Date, zone: number): string => `${screen} ${localTime(at, zone).replace(":", "")}.xlsx`;

/** What stands on the sheet about the rows: whose they are, of which moment, how many, and what was filtered by. */
export const aboutExport = (
  { screen, tenantName, currency, user, request, asOf, rows }: Asked & { readonly asOf: Date; readonly rows: number },
  word: (key: string) => string | null,
): readonly (readonly [label: string, value: string])[] =>
  aboutLines(
    {
      screen,
      tenant: tenantName,
      currency: currency === "" ? null : currency,
      user: user.name,
      time: clockTime(asOf, request.zone),
      zone: zoneText(request.zone),
      rows: formatCount(rows),
      filters: request.filters,
    },
    word,
  );

/** "2026-11-21 02:32 PM", as the console writes times. */
function clockTime(at: Date, zone: number): string {
  const [day = "", clock = ""] = localTime(at, zone).split(" ");
  const hour = Number(clock.slice(0, 2));
  return `${day} ${String(hour % 12 || 12).padStart(2, "0")}:${clock.slice(3)} ${hour < 12 ? "AM" : "PM"}`;
}
