import type { Formats } from "../api/formats.ts";
import { wireShown } from "../kit/form/shown-value.ts";
import { text } from "../kit/texts/texts.ts";
import type { Entity } from "./entity.ts";
import { choiceKey } from "./entity.ts";
import { none } from "./shown.ts";

/** The name of a field that holds a time, though no form has it: processed_at, payment_date, old_secret_until. */
const saysTime = /_(?:at|date|until)$/;
/** A point in time as the wire has it. */
const instant = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/;

/** The value of a changed field in a record's history: a time in the currency's zone, a choice by its word. */
export function changedText(
  { subject, form }: Pick<Entity, "subject"> & { readonly form: Pick<Entity["form"], "fields"> },
  field: string,
  value: unknown,
  formats: Pick<Formats, "time">,
): string {
  if (value === null || value === undefined || value === "") return none;
  const plain = wireShown(value) || none;
  const isTime =
    (saysTime.test(field) && instant.test(plain)) || form.fields.some(({ name, control }) => name === field && control === "moment");
  if (isTime) return formats.time(plain);
  const key = choiceKey({ subject }, field, plain);
  return key === null ? plain : text(key);
}
