import type { ReactNode } from "react";
import { useId } from "react";
import type { FieldLines } from "../../../contract/problems.ts";
import { useText } from "../texts/texts.ts";
import type { ControlProps } from "./control-props.ts";
import { DrawnControl } from "./control.tsx";
import { FieldFrame } from "./field-frame.tsx";
import { linesOf } from "./fields.ts";
import "./form.css";

export type FormFieldProps = Pick<ControlProps, "field" | "value" | "words" | "linked" | "form" | "onWrite"> & {
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

/**
 * A field of a form, of whatever kind. A text that is too long is refused aloud and not held back at its maximum, because a pasted one
 * would be cut without a word.
 */
export function FormField({ field, lines, note, className, unit: counted, alone, ...rest }: FormFieldProps) {
  const { words, readOnly = false } = rest;
  const t = useText();
  const id = useId();
  const { name, control, required } = field;
  const own = linesOf(field, lines);
  return (
    <FieldFrame
      id={id}
      className={[control === "switch" && "switch", wide.includes(control) && "w2", className].filter(Boolean).join(" ")}
      label={control === "switch" ? null : words.label(name)}
      grouped={grouped.includes(control)}
      required={required}
      unit={control === "rate" ? "%" : control === "minutes" ? t("setting.unit.minutes") : (counted ?? null)}
      hint={words.hint(name)}
      note={note}
      // a table of rows shows those of its cells itself
      line={(field.rows.length > 0 ? (own[name] ?? []) : Object.values(own).flat()).join(" ")}
      aloud={alone === true}
    >
      {(described) => (
        <DrawnControl
          {...rest}
          id={id}
          field={field}
          path={name}
          lines={own}
          readOnly={readOnly}
          described={described}
          takeRef={rest.takeRef ?? (() => undefined)}
        />
      )}
    </FieldFrame>
  );
}
