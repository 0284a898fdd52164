import { refusalOf } from "../api/refusal.ts";
import { emptyText } from "../kit/form/codecs.ts";
import type { FormField } from "../kit/form/fields.ts";
import { checkForm } from "../kit/form/fields.ts";
import { givenFields } from "../kit/form/given.ts";
import { linkedIn } from "../kit/form/linked.ts";
import { ruleSayer } from "../kit/form/rules.ts";
import { FormSession } from "../kit/form/session.ts";
import { amountDecimals } from "../kit/look/amounts.ts";
import { hasText, text } from "../kit/texts/texts.ts";
import type { EntityDeps } from "./deps.ts";
import type { RecordRow } from "../kit/commands/desks.ts";
import type { Entity, RecordDetail } from "./entity.ts";
import { labelKey } from "./entity.ts";
import { entityWords } from "./form-words.ts";

/** A form on screen. */
export interface OpenForm {
  readonly session: FormSession;
  /** Of a record that is changed; null for a new one. */
  readonly row: RecordRow | null;
  /** What was set when it was created. */
  readonly fixed: readonly { readonly field: FormField; readonly value: string }[];
}

/** The form of a new record (row null), or of one as it is; `detail` where the row alone does not tell all of its fields. */
export function recordForm(entity: Entity, deps: EntityDeps, row: RecordRow | null, detail: RecordDetail | null): OpenForm {
  const { routes, form } = entity;
  const fields = row === null ? form.fields : form.fields.filter(({ fixed }) => !fixed);
  const all = row === null ? {} : form.valuesOf(row, detail ?? {});
  const say = ruleSayer(text, entityWords(entity, text).hint);
  const values = Object.fromEntries(fields.map((field) => [field.name, row === null ? emptyText(field) : (all[field.name] ?? "")]));
  const session = new FormSession(
    {
      check: (typed, version) =>
        version === null
          ? checkForm(routes.create?.body, typed, fields, say, amountDecimals())
          : checkForm(routes.update?.body, { ...typed, version }, fields, say, amountDecimals()),
      send: (body, key) => (row === null ? deps.create(body, key) : deps.update(row.uuid, body, key)),
      current: async () => {
        const now = await deps.read(row?.uuid ?? "");
        session.linked.take(linkedIn(form.fields, now.row, now));
        return now;
      },
      valuesOf(now) {
        const theirs = form.valuesOf(now.row, now);
        return Object.fromEntries(fields.map(({ name }) => [name, theirs[name] ?? ""]));
      },
      shows: (path) => fields.some(({ name }) => name === path.split(".")[0]),
      labelOf(name) {
        const key = labelKey(entity, name.split(".")[0] ?? "");
        return hasText(key) ? text(key) : name;
      },
      refusalOf,
      given: Object.fromEntries(
        Object.entries(form.given).map(([name, { by, read, schemaOf }]) => [
          name,
          {
            by,
            load: async (uuid: string) =>
              givenFields(
                schemaOf(await deps.readBy(read, uuid)),
                ruleSayer(text, () => null),
              ),
          },
        ]),
      ),
    },
    values,
    row?.version ?? null,
  );
  session.linked.take(linkedIn(form.fields, row ?? {}, detail ?? {}));
  const fixed = row === null ? [] : form.fields.filter((field) => field.fixed).map((field) => ({ field, value: all[field.name] ?? "" }));
  return { session, row, fixed };
}
