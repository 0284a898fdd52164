/** Languages banks write months in, with the calendars and digits of the West. */
const languages = ["en", "de", "fr", "es", "it", "ru", "ar", "ms", "id", "vi", "th", "pt", "nl"];

/** Short forms that `Intl` does not have. */
const further: readonly (readonly [month: number, names: string])[] = [
  [1, "ene jän jän. كانون الثاني"],
  [2, "شباط pebruari peb"],
  [3, "mac mär mrz آذار"],
  [4, "أبريل نيسان"],
  [5, "mei أيار"],
  [6, "حزيران"],
  [7, "تموز"],
  [8, "agu agt agus ags ogos ogo aug août aout آب"],
  [9, "sept set أيلول"],
  [10, "okt تشرين الأول"],
  [11, "nop تشرين الثاني"],
  [12, "des dis كانون الأول"],
];

/** Without points, accents and capitals. */
export const plainWord = (word: string): string =>
  word
    .normalize("NFKD")
    .replace(/[\u0300-\u036f\u064b-\u0652.]/g, "")
    .toLowerCase()
    .trim();

function monthNames(): ReadonlyMap<string, number> {
  const names = new Map<string, number>();
  const differing = new Set<string>();
  const add = (name: string, month: number) => {
    const plain = plainWord(name);
    if (plain === "" || /\d/.test(plain) || plain.includes(" ")) return;
    if ((names.get(plain) ?? month) !== month) differing.add(plain);
    names.set(plain, month);
  };
  for (const language of languages) {
    for (let month = 1; month <= 12; month++) {
      const day = new Date(Date.UTC(2026, month - 1, 15));
      for (const style of ["long", "short"] as const) {
        add(new Intl.DateTimeFormat(`${language}-u-ca-gregory-nu-latn`, { month: style, timeZone: "UTC" }).format(day), month);
        const parts = new Intl.DateTimeFormat(`${language}-u-ca-gregory-nu-latn`, {
          day: "numeric",
          month: style,
          timeZone: "UTC",
        }).formatToParts(day);
        add(parts.find(({ type }) => type === "month")?.value ?? "", month);
      }
    }
  }
  for (const [month, all] of further) for (const name of all.split(" ")) if (name.length > 2) add(name, month);
  for (const name of differing) names.delete(name);
  return names;
}

let names: ReadonlyMap<string, number> | undefined;

/** The month a word names, 1 to 12; null: none. */
export const monthOf = (word: string): number | null => (names ??= monthNames()).get(plainWord(word)) ?? null;
