/** The zone of a currency that names none (specification, point 9). */
export const defaultZone = "+08:00";

/**
 * Minutes east of UTC of a configured zone: "+08:00", "-0330", "8" or 8 (a number is hours, specification point 9).
 * null when it is none of these; an offset is an interval, never a zone name.
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
