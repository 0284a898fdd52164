import { useState } from "react";
import { Icon } from "../look/icon.tsx";
import { useText } from "../texts/texts.ts";
import type { TextControlProps } from "./control-props.ts";
import { Line } from "./line.tsx";

/** One line of text. */
export const TextControl = (props: TextControlProps) => <Line {...props} more={{ dir: "auto" }} />;

/** Addresses run left to right in every script. */
export const UrlControl = (props: TextControlProps) => <Line {...props} more={{ inputMode: "url", dir: "ltr" }} />;
export const EmailControl = (props: TextControlProps) => (
  <Line
    {...props}
    more={{
      type: "email",
      inputMode: "email",
      autoCapitalize: "none",
      autoComplete: props.field.autoComplete ?? "email",
      dir: "ltr",
    }}
  />
);

/**
 * An amount or a percentage: decimal text, grouped or not. Not Blueprint's NumericInput, which counts in binary fractions: 0.1 + 0.2, and
 * of 14 digits with 4 decimals the last are lost.
 */
export const DecimalControl = (props: TextControlProps) => (
  <Line {...props} more={{ className: "num", inputMode: "decimal", dir: "ltr" }} />
);

/** A password, shown only while asked for. */
export function PasswordControl(props: TextControlProps) {
  const t = useText();
  const [shown, setShown] = useState(false);
  return (
    <div className="with-button">
      <Line
        {...props}
        more={{
          type: shown ? "text" : "password",
          autoCapitalize: "none",
          autoComplete: props.field.autoComplete ?? "new-password",
          dir: "ltr",
        }}
      />
      <button type="button" aria-pressed={shown} aria-label={t("form.password.show")} onClick={() => setShown(!shown)}>
        <Icon name="eye" />
      </button>
    </div>
  );
}
