import { useState } from "react";
import { Icon } from "../look/icon.tsx";
import { useText } from "../texts/texts.ts";
import type { ControlProps } from "./control-props.ts";
import { Line } from "./line.tsx";

/**
 * A secret: hidden, and shown only while asked for. One that is kept is not sent to the console before `reveal` has asked for the right
 * and for a proof of who one is; left empty it stays what it is.
 */
export function SecretControl(props: ControlProps & { reveal?: ((name: string) => Promise<string | null>) | undefined }) {
  const { field, value, reveal } = props;
  const t = useText();
  const [shown, setShown] = useState(false);
  const [kept, setKept] = useState<string | null>(null);

  async function toggle(): Promise<void> {
    if (!shown && value === "" && kept === null && reveal !== undefined) {
      const secret = await reveal(field.name);
      if (secret === null) return;
      setKept(secret);
    }
    setShown(!shown);
  }

  return (
    <div className="with-button">
      <Line
        {...props}
        value={value === "" && shown ? (kept ?? "") : value}
        placeholder={reveal === undefined ? undefined : t("form.secret.kept")}
        more={{ type: shown ? "text" : "password", className: "mono", dir: "ltr" }}
      />
      <button type="button" aria-pressed={shown} aria-label={t("form.secret.show")} onClick={() => void toggle()}>
        <Icon name="eye" />
      </button>
    </div>
  );
}
