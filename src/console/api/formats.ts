import dayjs from "dayjs";
import utc from "dayjs/plugin/utc";
import { shownAmount } from "../kit/look/amounts.ts";
import { defaultZone, zoneMinutes, zoneText } from "../../values/zones.ts";

dayjs.extend(utc);

/** How amounts and times are written (specification, point 9). The zone is an offset, never a zone name. */
export interface Formats {
  /** Minutes east of UTC. */
  readonly zone: number;
  /** "+08:00" */
  readonly zoneText: string;
  /** YYYY-MM-DD hh:mm A in the zone; "" for null or an unreadable instant. */
  time(instant: string | number | null): string;
  /** hh:mm A */
  clock(instant: string | number | null): string;
  /** hh:mm:ss A */
  seconds(instant: string | number | null): string;
  /** YYYY-MM-DD */
  day(instant: string | number | null): string;
  /** YYYY-MM-DD HHmm, for file names that sort by time. */
  stamp(instant: string | number | null): string;
  /** YYYY-MM-DD HH:mm:ss in UTC. */
  utc(instant: string | number | null): string;
  /** en-US grouping with the decimals of the selected currency; an invalid amount shows 0.00. */
  amount(text: string | null | undefined): string;
}

/** `gmt` is the currency's country.timezone.gmt; an unreadable value counts as +08:00. */
export function createFormats(gmt: string | number | null | undefined): Formats {
  const zone = zoneMinutes(gmt ?? defaultZone) ?? zoneMinutes(defaultZone) ?? 480;
  const write = (instant: string | number | null, form: string, offset: number) => {
    if (instant === null) return "";
    const at = dayjs.utc(instant);
    // utcOffset() reads small numbers as hours, so the minutes are added by hand
    return at.isValid() ? at.add(offset, "minute").format(form) : "";
  };
  return {
    zone,
    zoneText: zoneText(zone),
    time: (instant) => write(instant, "YYYY-MM-DD hh:mm A", zone),
    clock: (instant) => write(instant, "hh:mm A", zone),
    seconds: (instant) => write(instant, "hh:mm:ss A", zone),
    day: (instant) => write(instant, "YYYY-MM-DD", zone),
    stamp: (instant) => write(instant, "YYYY-MM-DD HHmm", zone),
    utc: (instant) => write(instant, "YYYY-MM-DD HH:mm:ss", 0),
    amount: (text) => shownAmount(text),
  };
}

/** A span as "04:38" (mm:ss), "3:04:38" from an hour, "2d 03h" from a day; never negative. */
export function spanText(milliseconds: number): string {
  const seconds = Math.max(0, Math.floor(milliseconds / 1000));
  const two = (value: number) => String(value).padStart(2, "0");
  const [days, hours, minutes] = [Math.floor(seconds / 86_400), Math.floor(seconds / 3600), Math.floor(seconds / 60)];
  if (days > 0) return `${days}d ${two(hours % 24)}h`;
  if (hours > 0) return `${hours}:${two(minutes % 60)}:${two(seconds % 60)}`;
  return `${two(minutes)}:${two(seconds % 60)}`;
}
