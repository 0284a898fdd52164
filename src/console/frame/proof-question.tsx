import { useRef, useState } from "react";
import type { Profile } from "../../contract/session.ts";
import { SheetButtons, SheetFrame } from "../kit/sheets/sheet-frame.tsx";
import { useText } from "../kit/texts/texts.ts";
import type { Proof } from "./proof.ts";
import { CodeField } from "../identity/code-field.tsx";
import { SecretField, StepError } from "../identity/field.tsx";
import { useStep } from "../identity/step.ts";

/** Password, or a code where two-factor is on. The act that asked for it goes on by itself. */
export function ProofQuestion({ proof, user }: { proof: Proof; user: Profile }) {
  const t = useText();
  const [byCode, setByCode] = useState(user.two_factor.enabled);
  const [text, setText] = useState("");
  const { busy, wrong, clear, send } = useStep(["password"], { "password.wrong": "password" });
  const field = useRef<HTMLInputElement>(null);

  async function confirm(given = text): Promise<void> {
    if (byCode ? given.length < 6 : given === "") return field.current?.focus();
    const done = await send(() => proof.give(byCode ? { code: given } : { password: given }));
    if (done) return;
    if (byCode) setText("");
    field.current?.select();
  }
  const change = (given: string): void => {
    setText(given);
    clear();
    if (byCode && given.length === 6 && !busy) void confirm(given);
  };
  const accept = (): void => void confirm();

  return (
    <SheetFrame
      dialog={{ name: "proof", acts: { accept, confirm: accept, close: proof.dismiss } }}
      title={t("proof.title")}
      first={field}
      foot={
        <SheetButtons
          label={t("login.continue")}
          chord="Enter"
          onConfirm={accept}
          onCancel={proof.dismiss}
          refused={busy ? t("login.busy") : null}
        />
      }
    >
      <div className="step">
        <p className="say">{t("proof.text")}</p>
        <StepError>{wrong["all"]}</StepError>
        {byCode ? (
          <CodeField value={text} invalid={wrong["all"] !== undefined} fieldRef={field} onChange={change} />
        ) : (
          <SecretField
            label={t("login.password")}
            autoComplete="current-password"
            value={text}
            error={wrong["password"]}
            fieldRef={field}
            onChange={change}
          />
        )}
        {user.two_factor.enabled && (
          <p className="alt">
            <button
              type="button"
              className="link"
              onClick={() => {
                setByCode(!byCode);
                setText("");
                clear();
              }}
            >
              {t(byCode ? "proof.by-password" : "proof.by-code")}
            </button>
          </p>
        )}
      </div>
    </SheetFrame>
  );
}
