import { nameLikeness } from "../payments/names.ts";

/** Letters that have no accent to take off, as banks write them in Latin. */
const latin: Readonly<Record<string, string>> = {
  đ: "d",
  ð: "d",
  ø: "o",
  ł: "l",
  ı: "i",
  ß: "ss",
  æ: "ae",
  œ: "oe",
  þ: "th",
  а: "a",
  б: "b",
  в: "v",
  г: "g",
  д: "d",
  е: "e",
  ж: "zh",
  з: "z",
  и: "i",
  й: "y",
  к: "k",
  л: "l",
  м: "m",
  н: "n",
  о: "o",
  п: "p",
  р: "r",
  с: "s",
  т: "t",
  у: "u",
  ф: "f",
  х: "kh",
  ц: "ts",
  ч: "ch",
  ш: "sh",
  щ: "shch",
  ъ: "",
  ы: "y",
  ь: "",
  э: "e",
  ю: "yu",
  я: "ya",
  і: "i",
  ї: "yi",
  є: "ye",
  ґ: "g",
};

/** A name in plain Latin letters, as far as they can be known letter by letter; its words stand apart by one blank. */
export function plainName(name: string): string {
  return name
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .replace(/[^\p{ASCII}]/gu, (letter) => latin[letter] ?? letter)
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim();
}

/** Letters from which the beginning of a name is taken for the whole, cut off by the bank. */
const cutFrom = 9;
const cutLikeness = 90;

/**
 * How alike a customer's name and the counterparty a bank names are, 0 to 100, whatever script either is in and wherever it is cut off. One
 * word of several, which many share, is nothing.
 */
export function counterpartyLikeness(name: string, counterparty: string): number {
  const [ours, theirs] = [plainName(name), plainName(counterparty)];
  const [full, seen] = [ours.replaceAll(" ", ""), theirs.replaceAll(" ", "")];
  if (!theirs.includes(" ") && ours.includes(" ") && seen !== full) return 0;
  const isCut = seen.length >= cutFrom && full.length > seen.length && full.startsWith(seen);
  return Math.max(nameLikeness(ours, theirs), isCut ? cutLikeness : 0);
}

/** How well a bank's text names the customer, 0 to 100: the best of any stretch of its words. */
export function textLikeness(name: string, text: string): number {
  const ours = plainName(name);
  const length = ours.split(" ").length;
  const words = plainName(text).split(" ");
  let best = 0;
  for (let at = 0; at < words.length; at++) {
    for (const long of new Set([length, Math.max(length - 1, Math.min(length, 2))])) {
      const stretch = words.slice(at, at + long);
      if (stretch.length === long) best = Math.max(best, counterpartyLikeness(ours, stretch.join(" ")));
    }
  }
  return best;
}
