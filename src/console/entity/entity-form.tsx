import { useRef, useSyncExternalStore } from "react";
import { useFormats } from "../api/use-api.ts";
import { ConflictSides } from "../kit/form/conflict-sheet.tsx";
import { FormBody } from "../kit/form/form-body.tsx";
import { FormButtons } from "../kit/form/form-buttons.tsx";
import { useHeldForm } from "../kit/form/leaving.ts";
import { shownValue } from "../kit/form/shown-value.ts";
import { SheetFrame } from "../kit/sheets/sheet-frame.tsx";
import { useText } from "../kit/texts/texts.ts";
import type { Entity } from "./entity.ts";
import { actKey, createKey, labelKey, sectionKey } from "./entity.ts";
import { entityWords } from "./form-words.ts";
import type { OpenForm } from "./record-form.ts";
import { none } from "./shown.ts";

export interface EntityFormProps {
  readonly entity: Entity;
  readonly form: OpenForm;
  onSave(): void;
  onLeave(): void;
}

/** The form of one record, or the two sides where another was faster. */
export function EntityForm(props: EntityFormProps) {
  const { session } = props.form;
  useHeldForm(session);
  const { conflict } = useSyncExternalStore(session.subscribe, session.getState);
  const t = useText();
  const formats = useFormats();
  if (conflict === null) return <FormSheet {...props} />;
  const { entity, form, onSave, onLeave } = props;
  const words = entityWords(entity, t);
  return (
    <ConflictSides
      title={t("record.conflict.title", { name: form.row === null ? "" : entity.titleOf(form.row) })}
      session={session}
      conflict={conflict}
      labelOf={(name) => t(labelKey(entity, name))}
      time={formats.time}
      written={(name, value) => {
        const fields = form.act === undefined ? entity.form.fields : (entity.acts[form.act]?.fields ?? []);
        const field = fields.find((one) => one.name === name);
        return (field === undefined ? value : shownValue(field, value, words, { linked: session.linked, time: formats.time })) || none;
      }}
      onSave={onSave}
      onLeave={onLeave}
    />
  );
}

function FormSheet({ entity, form: { session, row, fixed, act }, onSave, onLeave }: EntityFormProps) {
  const t = useText();
  const { values } = useSyncExternalStore(session.subscribe, session.getState);
  const first = useRef<HTMLElement>(null);
  const shown = act === undefined ? entity.form.groups : [{ name: act, fields: entity.acts[act]?.fields ?? [] }];
  const groups = shown
    .map(({ name, fields }) => ({ title: t(sectionKey(entity, name)), fields: fields.filter((field) => field.name in values) }))
    .filter(({ fields }) => fields.length > 0);
  const name = row === null ? "" : entity.titleOf(row);
  const { beneath: Beneath } = entity.form;
  return (
    <SheetFrame
      wide
      first={first}
      dialog={{ name: "form", aimless: row === null, acts: { confirm: onSave, close: onLeave, toggle: () => undefined } }}
      title={
        act !== undefined
          ? t(actKey(entity, act), { name })
          : row === null
            ? t(createKey(entity))
            : t("record.form.edit", { screen: t(`screen.${entity.screen}`), name })
      }
      foot={<FormButtons session={session} chord="$mod+Enter" leaveChord="Escape" onSave={onSave} onLeave={onLeave} />}
    >
      <FormBody session={session} groups={groups} words={entityWords(entity, t)} fixed={fixed} first={first} />
      {act === undefined && Beneath !== null && <Beneath session={session} row={row} />}
    </SheetFrame>
  );
}
