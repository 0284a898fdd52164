import { InputGroup, TextArea } from "@blueprintjs/core";
import { useState } from "react";
import { Icon } from "../look/icon.tsx";
import { useText } from "../texts/texts.ts";
import type { ControlProps } from "./control-props.ts";
import { saidOf } from "./control-props.ts";

const numeric = ["amount", "rate", "count", "minutes"];

/** What any line of text is written into. */
function lineOf(props: ControlProps) {
  const { field, value, readOnly, placeholder, takeRef, onWrite } = props;
  return {
    ...saidOf(props),
    value,
    readOnly,
    placeholder,
    autoComplete: field.autoComplete ?? "off",
    spellCheck: false,
    inputRef: takeRef,
    inputClassName: numeric.includes(field.control) ? "num" : undefined,
    onValueChange: onWrite,
  } as const;
}

/** One line of text. */
export const TextControl = (props: ControlProps) => <InputGroup {...lineOf(props)} dir="auto" />;

/** Addresses run left to right in every script. */
export const UrlControl = (props: ControlProps) => <InputGroup {...lineOf(props)} inputMode="url" dir="ltr" />;
export const EmailControl = (props: ControlProps) => (
  <InputGroup {...lineOf(props)} inputMode="email" autoCapitalize="none" autoComplete="email" dir="ltr" />
);

/**
 * An amount or a percentage: decimal text, grouped or not. Not Blueprint's NumericInput, which counts in binary fractions: 0.1 + 0.2, and
 * of 14 digits with 4 decimals the last are lost.
 */
export const DecimalControl = (props: ControlProps) => <InputGroup {...lineOf(props)} inputMode="decimal" dir="ltr" />;

/** A password, shown only while asked for. The button is ours, because InputGroup pads its text on the physical right for one. */
export function PasswordControl(props: ControlProps) {
  const t = useText();
  const [shown, setShown] = useState(false);
  return (
    <div className="with-button">
      <InputGroup {...lineOf(props)} type={shown ? "text" : "password"} autoComplete="new-password" dir="ltr" fill />
      <button type="button" aria-pressed={shown} aria-label={t("login.show-password")} onClick={() => setShown(!shown)}>
        <Icon name="eye" />
      </button>
    </div>
  );
}

/** A text of several lines: Enter makes a new one. */
export function LinesControl(props: ControlProps) {
  const { value, readOnly, placeholder, takeRef, onWrite } = props;
  return (
    <TextArea
      {...saidOf(props)}
      value={value}
      readOnly={readOnly}
      placeholder={placeholder}
      inputRef={takeRef}
      rows={2}
      fill
      dir="auto"
      autoComplete="off"
      spellCheck={false}
      onChange={(event) => onWrite(event.target.value)}
    />
  );
}

/** JSON, written left to right; where it stops being that is said by its line when it is saved. Tab leaves it. */
export function JsonControl(props: ControlProps) {
  const { value, readOnly, takeRef, onWrite } = props;
  return (
    <TextArea
      {...saidOf(props)}
      className="mono"
      value={value}
      readOnly={readOnly}
      inputRef={takeRef}
      rows={6}
      fill
      dir="ltr"
      autoComplete="off"
      spellCheck={false}
      onChange={(event) => onWrite(event.target.value)}
    />
  );
}
