import { HTMLSelect } from "@blueprintjs/core";
import type { ChangeEvent } from "react";
import { useEffect, useId, useRef, useSyncExternalStore } from "react";
import { Icon } from "../kit/icon.tsx";
import { SheetButtons, SheetFrame } from "../kit/sheet-frame.tsx";
import { useText } from "../kit/texts.ts";
import { ConflictSheet } from "./conflict-sheet.tsx";
import type { Entity } from "./entity.ts";
import { choiceKey, hintKey, labelKey, sectionKey } from "./entity.ts";
import type { OpenForm } from "./entity-work.ts";
import type { FormField } from "./form-fields.ts";
import type { MessageKey } from "../kit/messages.ts";

export interface EntityFormProps {
  readonly entity: Entity;
  readonly form: OpenForm;
  onSave(): void;
  onLeave(): void;
}

/** The form of one record, or the two sides where another was faster. */
export function EntityForm(props: EntityFormProps) {
  const { session } = props.form;
  const { conflict } = useSyncExternalStore(session.subscribe, session.getState);
  return conflict === null ? <FormSheet {...props} /> : <ConflictSheet {...props} conflict={conflict} />;
}

function FormSheet({ entity, form: { session, row }, onSave, onLeave }: EntityFormProps) {
  const t = useText();
  const { values, lines, others, saving, refusals } = useSyncExternalStore(session.subscribe, session.getState);
  const body = useRef<HTMLDivElement>(null);
  const first = useRef<HTMLElement>(null);
  const wrong = Object.keys(lines).length;
  const groups = entity.form.groups
    .map((group) => ({ ...group, fields: group.fields.filter(({ name }) => name in values) }))
    .filter(({ fields }) => fields.length > 0);
  const [start] = groups.flatMap(({ fields }) => fields);
  const fixed = row === null ? [] : entity.form.fields.filter((field) => field.fixed);
  const all = row === null ? {} : entity.form.valuesOf(row);

  useEffect(() => {
    if (refusals === 0) return;
    const field = body.current?.querySelector<HTMLElement>("[aria-invalid=true]");
    field?.focus();
    // with what is wrong beneath it
    field?.closest(".f")?.scrollIntoView({ block: "nearest" });
  }, [refusals]);

  return (
    <SheetFrame
      wide
      first={first}
      dialog={{ name: "form", acts: { confirm: onSave, close: onLeave, toggle: () => undefined } }}
      title={
        row === null
          ? t(`command.${entity.subject}.create` as MessageKey) // an entity with a form has the command that opens it
          : t("record.form.edit", { screen: t(`screen.${entity.screen}`), name: entity.titleOf(row) })
      }
      foot={
        <>
          <span className="label grow">{saving ? t("record.form.saving") : t("record.form.required")}</span>
          <SheetButtons
            label={t("sheet.save")}
            chord="$mod+Enter"
            onConfirm={onSave}
            onCancel={onLeave}
            refused={saving ? t("record.form.saving") : null}
          />
        </>
      }
    >
      <div ref={body} className="entity-form">
        {(wrong > 0 || others.length > 0) && (
          <div className="alert" role="alert">
            <Icon name="warn" size="s" />
            <span>
              {wrong > 0 && <b>{t("record.form.wrong", { count: wrong })}</b>}
              {others.map((line) => (
                <span key={line} className="other">
                  {line}
                </span>
              ))}
            </span>
          </div>
        )}
        {fixed.length > 0 && (
          <fieldset>
            <legend>{t("record.form.fixed")}</legend>
            {fixed.map(({ name }) => (
              <div key={name} className="f">
                <span className="lb">{t(labelKey(entity, name))}</span>
                <span className="in1 fix">
                  <bdi className="cut">{all[name]}</bdi>
                  <Icon name="lock" size="xs" className="end" />
                </span>
              </div>
            ))}
          </fieldset>
        )}
        {groups.map(({ name, fields }) => (
          <fieldset key={name}>
            <legend>{t(sectionKey(entity, name))}</legend>
            {fields.map((field) => (
              <Field
                key={field.name}
                entity={entity}
                field={field}
                value={values[field.name] ?? ""}
                line={lines[field.name]?.join(" ") ?? null}
                fieldRef={field === start ? first : null}
                onWrite={(value) => session.write(field.name, value)}
              />
            ))}
          </fieldset>
        ))}
      </div>
    </SheetFrame>
  );
}

interface FieldProps {
  readonly entity: Entity;
  readonly field: FormField;
  readonly value: string;
  /** What is wrong with it. */
  readonly line: string | null;
  readonly fieldRef: { current: HTMLElement | null } | null;
  onWrite(value: string): void;
}

function Field({ entity, field, value, line, fieldRef, onWrite }: FieldProps) {
  const t = useText();
  const id = useId();
  const { name, control, required } = field;
  const hint = hintKey(entity, name);
  const unit = control === "rate" ? "%" : null;
  const takeRef = (element: HTMLElement | null): void => {
    if (fieldRef !== null) fieldRef.current = element;
  };
  const described = [hint !== null && `${id}-hint`, line !== null && `${id}-line`].filter((part) => part !== false).join(" ");
  const common = {
    id,
    value,
    "aria-required": required,
    "aria-invalid": line !== null,
    "aria-describedby": described === "" ? undefined : described,
    onChange: (event: ChangeEvent<HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement>) => onWrite(event.target.value),
  };
  const input = {
    ...common,
    className: control === "amount" || control === "rate" ? "bp6-input num" : "bp6-input",
    autoComplete: "off",
    spellCheck: false,
  };
  return (
    <div className={[control === "lines" ? "f w2" : "f", line !== null && "bad"].filter(Boolean).join(" ")}>
      <label htmlFor={id}>
        {t(labelKey(entity, name))}
        {required && (
          <i aria-hidden="true" className="fail">
            *
          </i>
        )}
        {unit !== null && <i>{unit}</i>}
        {hint !== null && (
          <span id={`${id}-hint`} className="end cut">
            {t(hint)}
          </span>
        )}
      </label>
      {control === "choice" ? (
        <HTMLSelect {...common} ref={takeRef} fill>
          {!required && <option value="">{t("record.form.no-choice")}</option>}
          {field.choices.map((choice) => {
            const key = choiceKey(entity, name, choice);
            return (
              <option key={choice} value={choice}>
                {key === null ? choice : t(key)}
              </option>
            );
          })}
        </HTMLSelect>
      ) : control === "lines" ? (
        <textarea {...input} ref={takeRef} rows={2} />
      ) : (
        <input
          {...input}
          ref={takeRef}
          type="text"
          inputMode={control === "amount" || control === "rate" ? "decimal" : control === "url" ? "url" : "text"}
          dir={control === "text" ? "auto" : "ltr"}
        />
      )}
      {line !== null && (
        <span id={`${id}-line`} className="err">
          <Icon name="warn" size="xs" />
          {line}
        </span>
      )}
    </div>
  );
}
