import "./identity.css";
import { useId, useState } from "react";
import type { ReactNode, Ref } from "react";
import { Icon } from "../kit/look/icon.tsx";
import { useText } from "../kit/texts/texts.ts";

interface FieldProps {
  readonly label: string;
  readonly value: string;
  onChange(value: string): void;
  readonly autoComplete: string;
  /** Under the field; undefined where nothing is wrong. */
  readonly error?: string | undefined;
  /** Under the field while nothing is wrong. */
  readonly hint?: string;
  /** Seen at the end of the label's line; Tab comes to it after the field. */
  readonly aside?: ReactNode;
  readonly fieldRef?: Ref<HTMLInputElement>;
  readonly readOnly?: boolean;
}

/** One labelled line of a step, with its error spoken and shown beneath. */
export function Field(field: FieldProps & { type?: "text" | "email" | "password"; after?: ReactNode }) {
  const { label, value, autoComplete, error, hint, aside, fieldRef, readOnly, type = "text", after, onChange } = field;
  const id = useId();
  const note = error ?? hint;
  const input = (
    <input
      ref={fieldRef}
      id={id}
      type={type}
      // addresses and passwords run left to right in every script
      dir={type === "email" || after !== undefined ? "ltr" : undefined}
      autoComplete={autoComplete}
      inputMode={type === "email" ? "email" : undefined}
      spellCheck={false}
      autoCapitalize="none"
      readOnly={readOnly}
      value={value}
      aria-invalid={error !== undefined}
      aria-describedby={note === undefined ? undefined : `${id}n`}
      onChange={(event) => onChange(event.target.value)}
    />
  );
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      {after === undefined ? (
        input
      ) : (
        <div className="secret">
          {input}
          {after}
        </div>
      )}
      {aside !== undefined && <span className="aside">{aside}</span>}
      {error !== undefined ? (
        <p className="err" id={`${id}n`} role="alert">
          <Icon name="warn" size="xs" />
          {error}
        </p>
      ) : (
        note !== undefined && (
          <p className="hint" id={`${id}n`}>
            {note}
          </p>
        )
      )}
    </div>
  );
}

/** A password, shown only while asked for. */
export function SecretField(field: FieldProps) {
  const t = useText();
  const [shown, setShown] = useState(false);
  return (
    <Field
      {...field}
      type={shown ? "text" : "password"}
      after={
        <button type="button" aria-pressed={shown} aria-label={t("login.show-password")} onClick={() => setShown(!shown)}>
          <Icon name="eye" />
        </button>
      }
    />
  );
}

/** What is wrong with the step as a whole. */
export function StepError({ children }: { children: string | undefined }) {
  if (children === undefined) return null;
  return (
    <p className="err all" role="alert">
      <Icon name="warn" size="xs" />
      {children}
    </p>
  );
}
