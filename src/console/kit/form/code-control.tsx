import type { TextControlProps } from "./control-props.ts";
import { isWrong, saidOf } from "./control-props.ts";
import "./code-control.css";

const digits = [0, 1, 2, 3, 4, 5] as const;

/** Six digits in six boxes over one real field, so that pasting, the phone's suggestion and screen readers work as ever. */
export function CodeControl(props: TextControlProps) {
  const { value, readOnly, takeRef, onWrite } = props;
  return (
    <div className="code-boxes" data-invalid={isWrong(props) || undefined}>
      <input
        {...saidOf(props)}
        ref={takeRef}
        inputMode="numeric"
        autoComplete="one-time-code"
        value={value}
        readOnly={readOnly}
        // what is pasted may hold blanks, or digits of another script
        onChange={(event) => onWrite(latinDigits(event.target.value).replace(/\D/g, "").slice(0, digits.length))}
      />
      {digits.map((at) => (
        <b key={at} aria-hidden="true" className={at === Math.min(value.length, digits.length - 1) ? "on" : undefined}>
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
