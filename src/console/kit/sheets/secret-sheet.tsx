import { useId, useRef } from "react";
import { useHeldPage } from "../form/leaving.ts";
import { KeyCap } from "../keys/key-cap.tsx";
import { Icon } from "../look/icon.tsx";
import { useText } from "../texts/texts.ts";
import { useKit } from "../use-kit.ts";
import { SheetButtons, SheetFrame } from "./sheet-frame.tsx";
import type { SheetProps } from "./sheet-props.ts";

const warning = { title: "secret.leave", text: "secret.leave.text", words: {} } as const;

/** Shows a secret: Enter copies it. Of one that is shown only once Mod+Enter confirms that it is kept; leaving otherwise asks first. */
export function SecretSheet({ asked, answer }: SheetProps<"secret">) {
  const t = useText();
  const { services, leaving } = useKit();
  const id = useId();
  const field = useRef<HTMLInputElement>(null);
  useHeldPage(asked.again ? null : warning);
  const copy = (): void => void services.copy(asked.secret, "secret");
  const kept = (): void => answer(true);
  const leave = (): void =>
    void leaving.may().then((left) => {
      if (left) answer(null);
    });
  return (
    <SheetFrame
      dialog={{ name: "secret", acts: { accept: copy, confirm: kept, close: leave, toggle: () => undefined } }}
      title={t(asked.title, asked.words)}
      first={field}
      foot={
        <>
          <button type="button" className="btn" onClick={copy}>
            {t("secret.copy")}
            <KeyCap chord="Enter" />
          </button>
          {!asked.again && (
            <SheetButtons label={t("secret.kept")} cancel={t("sheet.close")} chord="$mod+Enter" onConfirm={kept} onCancel={leave} />
          )}
        </>
      }
    >
      <div className="field">
        <label htmlFor={id}>{t("secret.label")}</label>
        <input
          ref={field}
          id={id}
          type="text"
          className="bp6-input mono"
          dir="ltr"
          readOnly
          value={asked.secret}
          aria-describedby={`${id}-text`}
          autoComplete="off"
          spellCheck={false}
          onFocus={({ currentTarget }) => currentTarget.select()}
        />
      </div>
      <p id={`${id}-text`}>{t(asked.text, asked.words)}</p>
      {!asked.again && (
        <p className="sheet-notes warn">
          <Icon name="warn" size="s" />
          {t("secret.once")}
        </p>
      )}
    </SheetFrame>
  );
}
