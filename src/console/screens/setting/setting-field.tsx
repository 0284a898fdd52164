import { useId } from "react";
import { instantTitle } from "../../api/instant.tsx";
import { useFormats } from "../../api/use-api.ts";
import { Icon } from "../../kit/icon.tsx";
import { useText } from "../../kit/texts.ts";
import type { SettingField } from "./setting-fields.ts";
import { fieldLabel, writtenValue } from "./setting-fields.ts";

export interface FieldProps {
  readonly field: SettingField;
  readonly value: string;
  /** What holds where nothing is set. */
  readonly standard: string;
  /** Written and not saved. */
  readonly changed: boolean;
  /** Who changed it last. */
  readonly by: { readonly by: string; readonly at: string } | null;
  /** What is wrong with it. */
  readonly line: string | null;
  readonly readOnly: boolean;
  /** What stands in for an empty text. */
  readonly placeholder: string | undefined;
  onWrite(value: string): void;
}

/** One setting: what it is, its unit, its default, who changed it last; a mark while it is not saved. */
export function Field({ field, value, standard, changed, by, line, readOnly, placeholder, onWrite }: FieldProps) {
  const t = useText();
  const formats = useFormats();
  const id = useId();
  const { name, control, unit, fixed } = field;
  const fixedOn = fixed === true;
  const described = [`${id}-note`, line === null ? null : `${id}-line`].filter((part) => part !== null).join(" ");
  const classes = ["f", field.wide && "wide", changed && "changed", line !== null && "bad"].filter(Boolean).join(" ");
  const note = (
    <span id={`${id}-note`} className="note">
      {changed && <b className="dirty">{t("setting.changed")}</b>}
      {!fixedOn && control !== "code" && control !== "text" && (
        <span className="cut">{t("setting.default", { value: writtenValue(t, name, standard) })}</span>
      )}
      {fixedOn && <span className="cut">{t("setting.always")}</span>}
      {by !== null && (
        <span
          className="cut by"
          title={`${t("setting.last", { name: by.by, time: formats.time(by.at) })} · ${instantTitle(formats, by.at, "whole")}`}
        >
          {t("setting.last", { name: by.by, time: formats.time(by.at) })}
        </span>
      )}
    </span>
  );
  const error = line !== null && (
    <span id={`${id}-line`} className="err">
      <Icon name="warn" size="xs" />
      {line}
    </span>
  );

  if (control === "switch") {
    return (
      <div className={`${classes} switch`}>
        <label>
          <input
            type="checkbox"
            checked={value === "on"}
            aria-disabled={readOnly || fixedOn || undefined}
            aria-invalid={line !== null || undefined}
            aria-describedby={described}
            onChange={(event) => {
              if (!readOnly && !fixedOn) onWrite(event.target.checked ? "on" : "off");
            }}
          />
          <span className="cut">{fieldLabel(t, name)}</span>
          {fixedOn && <Icon name="lock" size="xs" />}
        </label>
        {note}
        {error}
      </div>
    );
  }
  return (
    <div className={classes}>
      <label htmlFor={id}>
        <span className="cut">{fieldLabel(t, name)}</span> {unit !== undefined && <i>{t(unit)}</i>}
      </label>
      <input
        id={id}
        type="text"
        className={control === "count" || control === "amount" ? "bp6-input num" : control === "code" ? "bp6-input mono" : "bp6-input"}
        value={value}
        readOnly={readOnly}
        placeholder={placeholder}
        inputMode={control === "count" ? "numeric" : control === "amount" ? "decimal" : "text"}
        dir={control === "text" ? "auto" : "ltr"}
        autoComplete="off"
        spellCheck={false}
        aria-invalid={line !== null || undefined}
        aria-describedby={described}
        onChange={(event) => onWrite(event.target.value)}
      />
      {note}
      {error}
    </div>
  );
}
