/** The default zone of a currency (specification, point 9). */
export const defaultZone = "+08:00";

/**
 * Reads a configured zone as minutes east of UTC: "+08:00", "-0330", "8" or 8 (a number is hours, specification point 9). null: it is none
 * of these, for example a zone name, which is not supported.
 */
export function zoneMinutes(zone: string | number): number | null {
  const text = String(zone)
    .trim()
    .replace(/^(GMT|UTC)(?=[+-])/, "");
  const clock = /^([+-])(\d{1,2}):?(\d{2})$/.exec(text);
  if (clock) {
    const minutes = Number(clock[2]) * 60 + Number(clock[3]);
    return minutes <= 14 * 60 ? (clock[1] === "-" ? -minutes : minutes) : null;
  }
  if (/^[+-]?\d{1,2}(\.\d+)?$/.test(text)) {
    const minutes = Math.round(Number(text) * 60);
    return Math.abs(minutes) <= 14 * 60 ? minutes : null;
  }
  return null;
}

/** "+08:00" for 480. */
export function zoneText(minutes: number): string {
  const absolute = Math.abs(minutes);
  return `${minutes < 0 ? "-" : "+"}${String(Math.floor(absolute / 60)).padStart(2, "0")}:${String(absolute % 60).padStart(2, "0")}`;
}
