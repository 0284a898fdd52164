import { z } from "zod";
import type { ScreenName } from "./screens.ts";

/** Controls that need no further description. */
const plainControls = [
  "text",
  "lines",
  "email",
  "url",
  "password",
  "code",
  "amount",
  "rate",
  "count",
  "moment",
  "minutes",
  "switch",
  "choice",
  "choices",
  "list",
  "json",
  "secret",
  "file",
  "image",
  "permissions",
  "rows",
  "given",
] as const;
type PlainControl = (typeof plainControls)[number];

/** Controls that find records by typing, on the screen that lists these records. */
const linkControls = ["reference", "references"] as const;
type LinkControl = (typeof linkControls)[number];

export const controlKinds = [...plainControls, ...linkControls] as const;
export type ControlKind = (typeof controlKinds)[number];

/** The control a form shows for a field, declared in its schema's `meta`. */
export type Control = {
  /** The `autocomplete` attribute; left out: browsers fill in nothing. */
  readonly autoComplete?: string;
} & ({ readonly control: PlainControl; readonly to?: undefined } | { readonly control: LinkControl; readonly to: ScreenName });

/** For `.meta(…)` of a body's field: `Name(120).meta(control("text"))`. */
export function control(kind: PlainControl, more?: Pick<Control, "autoComplete">): Record<string, unknown>;
export function control(kind: LinkControl, to: ScreenName): Record<string, unknown>;
export function control(kind: ControlKind, more?: ScreenName | Pick<Control, "autoComplete">): Record<string, unknown> {
  return { control: kind, ...(typeof more === "string" ? { to: more } : more) };
}

/** A linked record as the detail of the linking one shows it, so that a form can show what is chosen. */
export const Linked = z.object({
  uuid: z.uuid(),
  name: z.string(),
  /** null: this kind of record has no code. */
  code: z.string().nullable(),
});
export type Linked = z.infer<typeof Linked>;

const isKind = (kind: unknown): kind is ControlKind => controlKinds.some((one) => one === kind);

/** The control a field's schema declares, optional or not; null: none. */
export function controlOf(schema: z.ZodType): Control | null {
  const declared = schema.meta();
  if (isKind(declared?.["control"])) return declared as unknown as Control; // only `control` above writes it
  const inner = insideOf(schema);
  return inner === null ? null : controlOf(inner);
}

/** The schema inside an optional, nullable or default one; null: it is none of these. */
export function insideOf(schema: z.ZodType): z.ZodType | null {
  const isWrapped = schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault;
  return isWrapped ? (schema.def.innerType as z.ZodType) : null; // the core type of what zod itself wrapped
}
