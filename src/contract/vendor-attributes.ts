import { z } from "zod";
import { control } from "./controls.ts";
import { Name } from "./wire.ts";

export const attributeTypes = ["text", "number", "date", "boolean", "options"] as const;

/** The parts of a comma-separated list without duplicates. */
const optionsOf = (list: string): string[] => [
  ...new Set(
    list
      .split(",")
      .map((part) => part.trim())
      .filter(Boolean),
  ),
];

/** An attribute of the items of a category: a value of this type, or one of these options (comma separated: specification, point 5). */
export const Attribute = z.strictObject({
  name: Name(60),
  type: z.enum(attributeTypes).meta(control("choice")),
  options: z.string().trim().max(1000).meta(control("list")),
  required: z.boolean().meta(control("switch")),
});
export type Attribute = z.infer<typeof Attribute>;

/** The attributes of a category: names are unique; the type options needs options, and no other type has any. */
export const Attributes = z
  .array(Attribute)
  .max(50)
  .superRefine((attributes, context) => {
    const names = attributes.map(({ name }) => name.toLowerCase());
    attributes.forEach(({ type, options }, at) => {
      const isSecond = names.indexOf(names[at] ?? "") < at;
      if (isSecond) context.addIssue({ code: "custom", path: [at, "name"], message: "Must not be named twice" });
      if (type === "options" && optionsOf(options).length === 0)
        context.addIssue({ code: "custom", path: [at, "options"], message: "Must have at least one option" });
      // what was typed is not dropped unsaid
      if (type !== "options" && optionsOf(options).length > 0)
        context.addIssue({ code: "custom", path: [at, "options"], message: "Must be empty: only the type “options” has options" });
    });
  })
  .meta(control("rows"));

/** As stored: options trimmed and without duplicates. */
export const keptAttributes = (attributes: readonly Attribute[]): Attribute[] =>
  attributes.map((one) => ({ ...one, options: optionsOf(one.options).join(", ") }));

/** Attribute name → value as text: "12.5", "2026-01-31", "true", an option. */
export const AttributeValues = z.record(z.string().max(60), z.string().trim().max(500));
export type AttributeValues = z.infer<typeof AttributeValues>;

const filled = z.string().trim().min(1).max(500);

function valueOf({ type, options }: Attribute): z.ZodType<string> {
  switch (type) {
    case "text":
      return filled.meta(control("text"));
    case "number":
      return filled.regex(/^-?\d{1,15}(\.\d{1,6})?$/, "Must be a number such as 12.5").meta(control("text"));
    case "date":
      return filled.regex(z.regexes.date, "Invalid ISO date").meta({ ...control("text"), examples: ["2026-01-31"] });
    case "boolean":
      return z.enum(["true", "false"]).meta(control("choice"));
    case "options":
      return z.enum(optionsOf(options)).meta(control("choice"));
  }
}

/** The schema of an item's values; its form has one field for each attribute. */
export const attributeForm = (attributes: readonly Attribute[]): z.ZodObject =>
  z.strictObject(Object.fromEntries(attributes.map((one) => [one.name, one.required ? valueOf(one) : valueOf(one).optional()])));
