import { z } from "zod";
import type { ScreenName } from "./screens.ts";
import { screens } from "./screens.ts";

const screenNames = Object.keys(screens) as [ScreenName, ...ScreenName[]]; // Object.keys widens

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

/** Controls that find records by typing, on the screens that list these records. */
const linkControls = ["reference", "references"] as const;
type LinkControl = (typeof linkControls)[number];

export const controlKinds = [...plainControls, ...linkControls] as const;
export type ControlKind = (typeof controlKinds)[number];

/** The control a form shows for a field, declared in its schema's `meta`. */
export type Control = {
  /** The `autocomplete` attribute; left out: browsers fill in nothing. */
  readonly autoComplete?: string;
} & ({ readonly control: PlainControl; readonly to?: undefined } | { readonly control: LinkControl; readonly to: readonly ScreenName[] });

/** For `.meta(…)` of a body's field: `Name(120).meta(control("text"))`. */
export function control(kind: PlainControl, more?: Pick<Control, "autoComplete">): Record<string, unknown>;
export function control(kind: LinkControl, to: ScreenName | readonly ScreenName[]): Record<string, unknown>;
export function control(
  kind: ControlKind,
  more?: ScreenName | readonly ScreenName[] | Pick<Control, "autoComplete">,
): Record<string, unknown> {
  if (typeof more === "string") return { control: kind, to: [more] };
  return Array.isArray(more) ? { control: kind, to: more } : { control: kind, ...more };
}

/** A linked record as the detail of the linking one shows it, so that a form can show what is chosen. */
export const Linked = z.object({
  uuid: z.uuid(),
  name: z.string(),
  /** null: this kind of record has no code. */
  code: z.string().nullable(),
  /** Where it is shown, for links to records of several kinds; left out: on the one screen they all have. */
  in: z.object({ screen: z.enum(screenNames), params: z.record(z.string(), z.string()) }).optional(),
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
