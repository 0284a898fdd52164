import type { AuditEntryDetail } from "../../../contract/audit-log.ts";
import type { Currency } from "../../../contract/session.ts";
import type { MessageKey } from "../../kit/texts/messages.ts";
import { hasText } from "../../kit/texts/texts.ts";

/** What a changed field is called: as its own screen calls it, else as others call one of its name; undefined where nobody has a word for it. */
export const changedName = (entity: string, field: string): MessageKey | undefined =>
  [
    `${entity}.field.${field}`,
    `transaction.column.${field}`,
    `statement.field.${field}`,
    `audit-entry.changed.${field}`,
    `payment-account.field.${field}`,
  ].find(hasText);

/** Fields whose values are words of another subject than the record's own. */
const wordsOf: Readonly<Record<string, string>> = {
  charges_borne_by: "transaction.borne",
  charges_type: "transaction.charges-type",
  kind: "audit-entry.entity",
  method: "payment-account.method",
  source: "transaction.source",
};

/** The word for a value of such a field; undefined for any other. */
export function changedWord(field: string, value: unknown): MessageKey | undefined {
  const begin = wordsOf[field];
  return begin === undefined || typeof value !== "string" ? undefined : [`${begin}.${value}`].find(hasText);
}

/** Decimals of the amounts an entry tells of; null: it does not say its currency, and may be of any of the tenant's. */
export function decimalsOf(
  changes: NonNullable<AuditEntryDetail["changes"]>,
  currencies: readonly Pick<Currency, "code" | "minor_digits">[],
): number | null {
  const said = changes.find(({ field }) => field === "currency");
  return currencies.find(({ code }) => code === (said?.after ?? said?.before))?.minor_digits ?? null;
}
