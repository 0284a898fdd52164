import { FormGroup } from "@blueprintjs/core";
import type { ReactNode } from "react";
import { useId } from "react";
import type { FieldLines } from "../../../contract/problems.ts";
import { Icon } from "../look/icon.tsx";
import { useText } from "../texts/texts.ts";
import type { ControlProps } from "./control-props.ts";
import { DrawnControl } from "./control.tsx";
import "./form.css";

export type FormFieldProps = Pick<ControlProps, "field" | "value" | "words" | "linked" | "onWrite"> & {
  /** Of the whole form; those of this field and within it are taken. */
  readonly lines: FieldLines;
  readonly readOnly?: boolean;
  readonly locked?: boolean;
  readonly placeholder?: string | undefined;
  /** More beneath it: its default, who changed it last. */
  readonly note?: ReactNode;
  /** What its number counts, where its control does not say it. */
  readonly unit?: string | undefined;
  readonly className?: string | undefined;
  /** The form has this field alone: its line is said at once. */
  readonly alone?: boolean;
  takeRef?(element: HTMLElement | null): void;
};

/** Over the whole width of a form. */
const wide: readonly string[] = ["lines", "json", "rows", "references", "list", "permissions", "choices"];
/** Made of several controls: named by its label, not entered through it. */
const grouped: readonly string[] = ["rows", "choices", "permissions"];

/** A field with its label, what may be written there, its control, and what is wrong with it. */
export function FormField({ field, lines, note, className, unit: counted, alone, ...rest }: FormFieldProps) {
  const { words, readOnly = false } = rest;
  const t = useText();
  const id = useId();
  const { name, control, required } = field;
  const own = Object.fromEntries(Object.entries(lines).filter(([path]) => path === name || path.startsWith(`${name}.`)));
  // a table of rows shows those of its cells itself
  const line = (field.rows.length > 0 ? (own[name] ?? []) : Object.values(own).flat()).join(" ");
  const hint = words.hint(name);
  const unit = control === "rate" ? "%" : control === "minutes" ? t("setting.unit.minutes") : (counted ?? null);
  const described = [hint !== null && `${id}-hint`, note !== undefined && `${id}-note`, line !== "" && `${id}-line`]
    .filter((part) => part !== false)
    .join(" ");
  const isWide = wide.includes(control);
  return (
    <FormGroup
      className={["field", control === "switch" && "switch", isWide && "w2", line !== "" && "bad", className].filter(Boolean).join(" ")}
      {...(control !== "switch" && {
        label: (
          <span id={`${id}-label`} className="cut">
            {words.label(name)}
            {required && (
              <i aria-hidden="true" className="fail">
                *
              </i>
            )}
            {unit !== null && <i> {unit}</i>}
          </span>
        ),
        labelInfo: hint !== null && (
          <span id={`${id}-hint`} className="cut">
            {hint}
          </span>
        ),
        ...(!grouped.includes(control) && { labelFor: id }),
      })}
    >
      <DrawnControl
        {...rest}
        id={id}
        field={field}
        path={name}
        lines={own}
        readOnly={readOnly}
        described={described === "" ? undefined : described}
        takeRef={rest.takeRef ?? (() => undefined)}
      />
      {note !== undefined && (
        <span id={`${id}-note`} className="note">
          {note}
        </span>
      )}
      {line !== "" && (
        <span id={`${id}-line`} className="err" role={alone === true ? "alert" : undefined}>
          <Icon name="warn" size="xs" />
          {line}
        </span>
      )}
    </FormGroup>
  );
}
