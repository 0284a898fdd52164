import "./identity.css";
import type { ComponentType, ReactNode } from "react";
import { useId } from "react";
import type { ControlKind } from "../../contract/controls.ts";
import { CodeControl } from "../kit/form/code-control.tsx";
import type { TextControlProps } from "../kit/form/control-props.ts";
import { FieldFrame } from "../kit/form/field-frame.tsx";
import { EmailControl, PasswordControl, TextControl } from "../kit/form/text-controls.tsx";

/** Those a step has: all there are would come with the first screen. */
const controls: Partial<Readonly<Record<ControlKind, ComponentType<TextControlProps>>>> = {
  email: EmailControl,
  password: PasswordControl,
  code: CodeControl,
};

interface StepFieldProps extends Pick<TextControlProps, "field" | "value"> {
  readonly label: string;
  readonly lines?: TextControlProps["lines"];
  /** The whole step is wrong, and with it this field. */
  readonly invalid?: boolean;
  /** Under the field while nothing is wrong. */
  readonly hint?: string;
  /** Seen at the end of the label's line; Tab comes to it after the field. */
  readonly aside?: ReactNode;
  /** Id of what is said of it elsewhere. */
  readonly describedBy?: string;
  readonly readOnly?: boolean;
  takeRef?(element: HTMLElement | null): void;
  onWrite?(text: string): void;
}

/** A field of a step; what is wrong with it is said at once. */
export function StepField({ field, value, label, lines = {}, invalid = false, hint, aside, describedBy, ...rest }: StepFieldProps) {
  const id = useId();
  const line = Object.values(lines).flat().join(" ");
  const Control = controls[field.control] ?? TextControl;
  return (
    <FieldFrame
      id={id}
      label={label}
      unseenLabel={field.control === "code"}
      className={field.control === "code" ? "of-code" : undefined}
      note={line === "" ? hint : undefined}
      line={line}
      aloud
      aside={aside}
    >
      {(described) => (
        <Control
          id={id}
          field={field}
          value={value}
          lines={invalid && line === "" ? { [field.name]: [] } : lines}
          described={[described, describedBy].filter(Boolean).join(" ") || undefined}
          readOnly={rest.readOnly ?? false}
          takeRef={rest.takeRef ?? (() => undefined)}
          onWrite={rest.onWrite ?? (() => undefined)}
        />
      )}
    </FieldFrame>
  );
}
