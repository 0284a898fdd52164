import i18next from "i18next";
import { countedTo } from "../../../contract/records.ts";
import { formatCount } from "../../../values/counts.ts";
import { shownAmount } from "../look/amounts.ts";
import type { MessageKey } from "../texts/messages.ts";
import { hasText, text } from "../texts/texts.ts";

/**
 * A problem code's text where the page is not in the server's language, or where the console can say more; null to use the
 * server's message.
 */
export function problemText(code: string, data: unknown): string | null {
  const more = code === "record.in-use" ? inUseText(data) : null;
  if (more !== null) return more;
  const key = `problem.${code}`;
  if (code === "" || i18next.language === "en" || !hasText(key)) return null;
  return i18next.t(key, typeof data === "object" && data !== null ? { ...data } : {});
}

const shownCount = (count: number): string => (count < countedTo ? formatCount(count) : `${formatCount(countedTo)}+`);

/** Text of one kind of use, `record.use.<kind>`: a number is counted, a text is an amount, a list has names. */
function wordsOfUse(kind: string, use: unknown): string | null {
  const key = `record.use.${kind}` as MessageKey; // looked up; a kind without a text is left out
  if (!hasText(key) && !hasText(`${key}_other`)) return null;
  if (typeof use === "number") return text(key, { count: use, shown: shownCount(use) });
  if (typeof use === "string") return text(key, { amount: shownAmount(use) });
  return Array.isArray(use) ? text(key, { count: use.length, shown: formatCount(use.length), names: use.join(", ") }) : null;
}

/** Which record cannot be deleted and what still uses it, from a refusal's data; null where the data does not say. */
function inUseText(data: unknown): string | null {
  if (typeof data !== "object" || data === null) return null;
  const { name, ...uses } = data as Readonly<Record<string, unknown>>; // each is checked below
  const said = Object.entries(uses).flatMap(([kind, use]) => wordsOfUse(kind, use) ?? []);
  if (typeof name !== "string" || said.length === 0) return null;
  return text("record.refuse.in-use", { name, uses: new Intl.ListFormat(i18next.language).format(said) });
}
