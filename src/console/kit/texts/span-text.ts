import i18next from "i18next";

const [anHour, aDay] = [60, 1440];

/** A length of time in the current language's short units: whole days from two on, whole hours from one on, else minutes. */
export function spanText(minutes: number): string {
  const said = (count: number, unit: "day" | "hour" | "minute") =>
    new Intl.NumberFormat(`${i18next.language ?? "en"}-u-nu-latn`, { style: "unit", unit, unitDisplay: "short" }).format(count);
  if (minutes >= 2 * aDay && minutes % aDay === 0) return said(minutes / aDay, "day");
  return minutes >= anHour && minutes % anHour === 0 ? said(minutes / anHour, "hour") : said(minutes, "minute");
}
