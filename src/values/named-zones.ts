// Zones by their name, which have summer time, unlike those of currencies (zones.ts).

/** Whether a name is one of the time zone database's: "Europe/Malta". An offset is none. */
export function isZoneName(name: string): boolean {
  if (/^[+-]|^etc\/gmt[+-]/i.test(name)) return false;
  try {
    return new Intl.DateTimeFormat("en", { timeZone: name }).resolvedOptions().timeZone !== "";
  } catch {
    return false;
  }
}

/** What a clock shows there at an instant: {day: "2026-11-21", time: "13:10"}. */
export function clockIn(timeZone: string, instant: string): { readonly day: string; readonly time: string } {
  const format = new Intl.DateTimeFormat("en-GB", { timeZone, dateStyle: "short", timeStyle: "short" });
  const parts = new Map(format.formatToParts(new Date(instant)).map(({ type, value }) => [type, value]));
  return { day: `${parts.get("year")}-${parts.get("month")}-${parts.get("day")}`, time: `${parts.get("hour")}:${parts.get("minute")}` };
}
