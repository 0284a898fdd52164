import type { ComponentProps } from "react";
import type { TextControlProps } from "./control-props.ts";
import { saidOf } from "./control-props.ts";

type LineProps = TextControlProps & {
  /** What its kind of text asks of the browser. */
  readonly more: Omit<ComponentProps<"input">, "value" | "readOnly" | "onChange">;
};

/**
 * One line of text, dressed as Blueprint's. Not its InputGroup, which is the same element and brings the names of all of Blueprint's icons:
 * sign-in would load them before anybody is in.
 */
export function Line({ more, ...props }: LineProps) {
  const { field, value, readOnly, placeholder, takeRef, onWrite } = props;
  return (
    <input
      {...saidOf(props)}
      type="text"
      autoComplete={field.autoComplete ?? "off"}
      spellCheck={false}
      {...more}
      ref={takeRef}
      className={["bp6-input", more.className].filter(Boolean).join(" ")}
      value={value}
      readOnly={readOnly}
      placeholder={placeholder}
      onChange={(event) => onWrite(event.target.value)}
    />
  );
}
