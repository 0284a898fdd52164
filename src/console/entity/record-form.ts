import { refusalOf } from "../api/refusal.ts";
import type { Permission } from "../../contract/permissions.ts";
import { emptyText, writtenField } from "../kit/form/codecs.ts";
import type { FixedField } from "../kit/form/form-body.tsx";
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
import type { Entity, RecordDetail, Write } from "./entity.ts";
import { labelKey } from "./entity.ts";
import { fieldOf } from "./named.ts";
import { entityWords } from "./form-words.ts";

/** A form on screen. */
export interface OpenForm {
  readonly session: FormSession;
  /** Of a record that is changed; null for a new one. */
  readonly row: RecordRow | null;
  /** What was set when it was created. */
  readonly fixed: readonly FixedField[];
  /** Of one of the entity's own acts; left out: of the record itself. */
  readonly act?: string;
}

/** What a form asks of the screen before it is sent, and whom it is for. */
export interface FormHost {
  /** Throws where the operator would not have it so. */
  confirm(write: Write<RecordRow>): Promise<void>;
  may(permission: Permission): boolean;
}

/**
 * The form of a new record (row null), or of one as it is; `detail` where the row alone does not tell all of its fields. As a copy it is a
 * new record's, with what this one has.
 */
export function recordForm(
  entity: Entity,
  deps: EntityDeps,
  shown: RecordRow | null,
  detail: RecordDetail | null,
  host: FormHost,
  as: "edit" | "copy" = "edit",
): OpenForm {
  const { routes, form } = entity;
  const row = as === "copy" ? null : shown;
  const copied = as === "copy" && shown !== null ? (entity.duplicate?.(form.valuesOf(shown, detail ?? {})) ?? {}) : {};
  const isKept = ({ name }: FormField): boolean => form.needs[name] !== undefined && !host.may(form.needs[name]);
  const fields = form.fields.filter((field) => (row === null || !field.fixed) && !isKept(field));
  const all = row === null ? {} : form.valuesOf(row, detail ?? {});
  const say = ruleSayer(text, entityWords(entity, text).hint);
  const values = Object.fromEntries(
    fields.map((field) => [
      field.name,
      row === null ? (copied[field.name] ?? form.begins[field.name] ?? emptyText(field)) : (all[field.name] ?? ""),
    ]),
  );
  const session = new FormSession(
    {
      check: (typed, version) =>
        version === null
          ? checkForm(routes.create?.body, typed, fields, say, amountDecimals())
          : checkForm(routes.update?.body, { ...typed, version }, fields, say, amountDecimals()),
      async send(body, key) {
        await host.confirm({ act: "form", row, body });
        return row === null ? deps.create(body, key) : deps.update(row.uuid, body, key);
      },
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
  session.linked.take(linkedIn(form.fields, shown ?? {}, detail ?? {}));
  const fixed = (row === null ? [] : form.fields)
    .filter((field) => field.fixed || isKept(field))
    .map((field) => ({ field, value: all[field.name] ?? "", ...(isKept(field) && { note: text("record.form.no-right") }) }));
  return { session, row, fixed };
}

/** The form of one of the entity's own acts on a record. */
export function actForm(entity: Entity, deps: EntityDeps, act: string, detail: RecordDetail, host: FormHost): OpenForm {
  const own = entity.acts[act];
  if (own === undefined) throw new Error(`${entity.subject} knows no act ${act}`);
  const { route, fields } = own;
  const { row } = detail;
  const textsOf = (of: RecordDetail) =>
    Object.fromEntries(fields.map((field) => [field.name, writtenField(field, fieldOf(of, field.name) ?? fieldOf(of.row, field.name))]));
  const say = ruleSayer(text, entityWords(entity, text).hint);
  const session = new FormSession(
    {
      check: (typed, version) => checkForm(route.body, { ...typed, version }, fields, say, amountDecimals()),
      async send(body, key) {
        await host.confirm({ act, row, body });
        return deps.act(route, row.uuid, body, key);
      },
      async current() {
        const now = await deps.read(row.uuid);
        session.linked.take(linkedIn(fields, now.row, now));
        return now;
      },
      valuesOf: (now) => textsOf(now as RecordDetail), // `current` answered it
      shows: (path) => fields.some(({ name }) => name === path.split(".")[0]),
      labelOf: (name) => text(labelKey(entity, name.split(".")[0] ?? "")),
      refusalOf,
    },
    textsOf(detail),
    row.version,
  );
  session.linked.take(linkedIn(fields, row, detail));
  return { session, row, fixed: [], act };
}
