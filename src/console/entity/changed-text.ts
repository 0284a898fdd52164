import { formatAmount } from "../../values/money.ts";
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

/** The name of a field that holds an amount, though no form has it: final_amount, previous_balance, deposit_daily_limit. */
const saysAmount = /(?:^|_)(?:amount|balance|charges|fee|limit|minimum|maximum|threshold|turnover)$/;
/** An amount as the wire has it. */
const amount = /^-?\d+(?:\.(\d{1,4}))?$/;

/** How changed values are written. */
export interface ChangeFormats extends Pick<Formats, "time"> {
  /** Decimals of the record's currency; null: it is not known, so an amount keeps its own. */
  readonly decimals: number | null;
}

/** The value of a changed field in a record's history: an amount grouped, a time in the currency's zone, a choice by its word. */
export function changedText(
  { subject, form }: Pick<Entity, "subject"> & { readonly form: Pick<Entity["form"], "fields"> },
  field: string,
  value: unknown,
  formats: ChangeFormats,
): string {
  if (value === null || value === undefined || value === "") return none;
  const plain = wireShown(value) || none;
  const control = form.fields.find(({ name }) => name === field)?.control;
  if (control === "moment" || (saysTime.test(field) && instant.test(plain))) return formats.time(plain);
  const asAmount = typeof value === "string" && (control === "amount" || saysAmount.test(field)) ? amount.exec(value) : null;
  if (asAmount !== null) {
    const [, fraction = ""] = asAmount;
    // none of its digits is rounded away, because what was stored is what happened
    return formatAmount(plain, Math.max(formats.decimals ?? fraction.length, fraction.replace(/0+$/, "").length));
  }
  const key = choiceKey({ subject }, field, plain);
  return key === null ? plain : text(key);
}
