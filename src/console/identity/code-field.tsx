import { useId } from "react";
import type { Ref } from "react";
import { useText } from "../kit/texts/texts.ts";

const digits = [0, 1, 2, 3, 4, 5] as const;

interface CodeFieldProps {
  readonly value: string;
  onChange(code: string): void;
  readonly invalid: boolean;
  readonly describedBy?: string | undefined;
  readonly fieldRef?: Ref<HTMLInputElement>;
}

/** Six digits in six boxes over one real field, so that pasting, the phone's suggestion and screen readers work as ever. */
export function CodeField({ value, onChange, invalid, describedBy, fieldRef }: CodeFieldProps) {
  const t = useText();
  const id = useId();
  return (
    <div className="code" data-invalid={invalid || undefined}>
      <label className="sr" htmlFor={id}>
        {t("login.code")}
      </label>
      <input
        ref={fieldRef}
        id={id}
        inputMode="numeric"
        autoComplete="one-time-code"
        value={value}
        aria-invalid={invalid}
        aria-describedby={describedBy}
        // what is pasted may hold blanks, or digits of another script
        onChange={(event) => onChange(latinDigits(event.target.value).replace(/\D/g, "").slice(0, 6))}
      />
      {digits.map((at) => (
        <b key={at} aria-hidden="true" className={at === Math.min(value.length, 5) ? "on" : undefined}>
          {value[at] ?? ""}
        </b>
      ))}
    </div>
  );
}

/** Arabic-Indic and Persian digits as Latin ones. */
function latinDigits(text: string): string {
  return text.replace(/[\u0660-\u0669\u06f0-\u06f9]/g, (digit) => String(digit.charCodeAt(0) & 0xf));
}
