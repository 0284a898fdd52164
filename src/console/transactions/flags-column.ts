import type { GridColumn, GridRow } from "../kit/grid/grid-column.ts";
import { titledWidth } from "../kit/grid/title-width.ts";
import { iconElement } from "../kit/look/icon-element.ts";
import type { IconName } from "../kit/look/icon-names.ts";
import type { MessageKey } from "../kit/texts/messages.ts";
import type { text } from "../kit/texts/texts.ts";
import { element } from "../kit/grid/element.ts";

type Flag<Row extends Flagged> = Row["flags"][number];
interface Flagged extends GridRow {
  readonly flags: readonly string[];
}

interface FlagsNeeds<Row extends Flagged> {
  readonly titleKey: MessageKey;
  readonly aside: boolean;
  readonly t: typeof text;
  wordOf(flag: Flag<Row>): string;
  /** What the keys of their words begin with. */
  readonly words: string;
  /** Each has an icon of its own. */
  iconOf(flag: Flag<Row>): IconName;
  /** How much a flag matters; "warn" unless told. */
  readonly tones: Readonly<Partial<Record<Flag<Row>, "" | "fail">>>;
}

/** What speaks against a row, or is worth knowing of it, an icon each. */
export function flagsColumn<Row extends Flagged>({
  titleKey,
  aside,
  t,
  wordOf,
  words: prefix,
  iconOf,
  tones,
}: FlagsNeeds<Row>): GridColumn<Row> {
  const words = (flags: readonly Flag<Row>[]): string => flags.map(wordOf).join(", ");
  return {
    id: "flags",
    titleKey,
    aside,
    width: titledWidth(t(titleKey), 60),
    paintRoom: 20,
    cell: { field: "flags", as: "choice", words: [prefix] },
    text: ({ flags }) => words(flags),
    paint(cell) {
      const holder = element("span", "flags", cell);
      let shown = "";
      return ({ flags }) => {
        const now = flags.join(" ");
        if (now === shown) return;
        shown = now;
        holder.replaceChildren(...flags.map((flag: Flag<Row>) => iconElement(iconOf(flag), `icon ${tones[flag] ?? "warn"}`.trim())));
        holder.title = words(flags);
      };
    },
  };
}
