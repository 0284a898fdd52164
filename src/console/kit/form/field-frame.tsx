import { FormGroup } from "@blueprintjs/core";
import type { ReactNode } from "react";
import { Icon } from "../look/icon.tsx";
import "./field.css";

interface FieldFrameProps {
  /** Of its control; what is said of it bears ids made from this one. */
  readonly id: string;
  /** null: the control says it itself. */
  readonly label: string | null;
  /** Only heard, where the page leaves no doubt what is asked. */
  readonly unseenLabel?: boolean;
  /** The label does not lead into it: it names several controls. */
  readonly grouped?: boolean;
  readonly required?: boolean;
  /** What its number counts. */
  readonly unit?: string | null;
  /** What may be written there, at the end of the label's line. */
  readonly hint?: string | null;
  /** More beneath it. */
  readonly note?: ReactNode;
  /** What is wrong with it; empty: nothing. */
  readonly line: string;
  /** What is wrong is said at once. */
  readonly aloud?: boolean;
  /** Tab comes to it after the control. */
  readonly aside?: ReactNode;
  readonly className?: string | undefined;
  /** The control, by the ids of what is said of it. */
  children(described: string | undefined): ReactNode;
}

/** What stands around every control: its label, what may be written there, and what is wrong with it. */
export function FieldFrame(props: FieldFrameProps) {
  const { id, label, unseenLabel, grouped, required, unit = null, hint = null, note, line, aloud, aside, className, children } = props;
  const described = [hint !== null && `${id}-hint`, note !== undefined && `${id}-note`, line !== "" && `${id}-line`]
    .filter((part) => part !== false)
    .join(" ");
  return (
    <FormGroup
      className={["field", line !== "" && "bad", className].filter(Boolean).join(" ")}
      {...(label !== null && {
        label: (
          <span id={`${id}-label`} className={unseenLabel === true ? "sr" : "cut"}>
            {label}
            {required === true && (
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
        ...(grouped !== true && { labelFor: id }),
      })}
    >
      {children(described === "" ? undefined : described)}
      {aside !== undefined && <span className="aside">{aside}</span>}
      {note !== undefined && (
        <span id={`${id}-note`} className="note">
          {note}
        </span>
      )}
      {line !== "" && (
        <span id={`${id}-line`} className="err" role={aloud === true ? "alert" : undefined}>
          <Icon name="warn" size="xs" />
          {line}
        </span>
      )}
    </FormGroup>
  );
}
