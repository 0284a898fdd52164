import { text } from "../texts/texts.ts";
import { readGiven, rowsOf } from "./codecs.ts";
import type { FormField } from "./fields.ts";
import type { LinkedNames } from "./linked.ts";
import { linkedText } from "./linked.ts";
import type { FormWords } from "./rules.ts";

/** What a value's words need besides its field: names of linked records, and a time in the currency's zone. */
export interface ShownBy {
  readonly linked: LinkedNames;
  time(instant: string): string;
}

/** A field's text in the operator's words; of a table of rows a line each. `path` of a row's cell is "attributes.name". */
export function shownValue(field: FormField, value: string, words: FormWords, by: ShownBy, path = field.name): string {
  const each = (of: (one: string) => string): string =>
    value
      .split(",")
      .map((one) => of(one.trim()))
      .join(", ");
  if (value === "") return "";
  if (field.control === "moment") return by.time(value);
  if (field.control === "given") return givenShown(value);
  if (field.control === "switch") return text(value === "on" ? "form.given.yes" : "form.given.no");
  if (field.control === "rows") {
    return rowsOf(value)
      .map((row) =>
        field.rows
          .map((cell) => [cell.name, shownValue(cell, row[cell.name] ?? "", words, by, `${path}.${cell.name}`)] as const)
          .filter(([, shown]) => shown !== "")
          .map(([name, shown]) => `${words.label(`${path}.${name}`)}: ${shown}`)
          .join(" · "),
      )
      .join("\n");
  }
  if (field.to.length > 0) return each((uuid) => linkedText(by.linked.of(uuid)));
  if (field.choices.length > 0) return each((one) => words.choice(path, one));
  return value;
}

/** The values a chosen record brought along, on one line; a field of it may be called "name" like any other. */
const givenShown = (value: string): string => pairsShown(readGiven(value));

/** What is empty is left out. */
const pairsShown = (values: object): string =>
  Object.entries(values)
    .flatMap(([name, value]) => (value === "" ? [] : [`${name}: ${wireShown(value)}`]))
    .join(" · ");

/** A value as the wire has it, whatever it holds and without its field: rows of a table one after the other, each begun by its name. */
export function wireShown(value: unknown): string {
  if (Array.isArray(value)) return value.map(wireShown).join(", ");
  if (typeof value !== "object" || value === null) return value === null ? "" : String(value);
  const { name, ...rest } = value as { readonly name?: unknown }; // an object with or without one
  if (typeof name !== "string") return pairsShown(rest);
  const more = Object.values(rest).filter((one) => typeof one === "string" && one !== "");
  return more.length === 0 ? name : `${name} (${more.join(": ")})`;
}
