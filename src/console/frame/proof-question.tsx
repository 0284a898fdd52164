import { useRef, useState } from "react";
import { Proof as ProofBody } from "../../contract/session.ts";
import type { Profile } from "../../contract/session.ts";
import { FormAlert } from "../kit/form/form-alert.tsx";
import { SheetButtons, SheetFrame } from "../kit/sheets/sheet-frame.tsx";
import { useText } from "../kit/texts/texts.ts";
import type { Proof } from "./proof.ts";
import { StepField } from "../identity/step-field.tsx";
import { stepField } from "../identity/step-session.ts";
import { useStep } from "../identity/step.ts";

const password = stepField("password", ProofBody.shape.password);
const code = stepField("code", ProofBody.shape.code);

/** Password, or a code where two-factor is on. The act that asked for it goes on by itself. */
export function ProofQuestion({ proof, user }: { proof: Proof; user: Profile }) {
  const t = useText();
  const [byCode, setByCode] = useState(user.two_factor.enabled);
  const asked = byCode ? code : password;
  const step = useStep({
    fields: [password, code],
    blames: { "password.wrong": password.name },
    send: ({ code: given = "", password: known = "" }) => proof.give(byCode ? { code: given } : { password: known }),
  });
  const { value } = step.propsOf(asked);
  const field = useRef<HTMLElement>(null);

  async function confirm(given = value): Promise<void> {
    if (byCode ? given.length < 6 : given === "") return field.current?.focus();
    if ((await step.submit()) !== "refused") return;
    if (byCode) step.clear(code);
    if (field.current instanceof HTMLInputElement) field.current.select();
  }
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
          refused={step.busy ? t("login.busy") : null}
        />
      }
    >
      <div className="step">
        <p className="say">{t("proof.text")}</p>
        <FormAlert wrong={0} others={step.others} />
        <StepField
          // another control, not the same one with another text
          key={asked.name}
          {...step.propsOf(asked)}
          label={t(byCode ? "login.code" : "login.password")}
          invalid={byCode && step.others.length > 0}
          takeRef={(element) => void (field.current = element)}
          onWrite={(given) => {
            step.type(asked, given);
            if (byCode && given.length === 6) void confirm(given);
          }}
        />
        {user.two_factor.enabled && (
          <p className="alt">
            <button
              type="button"
              className="link"
              onClick={() => {
                setByCode(!byCode);
                for (const each of [password, code]) step.type(each, "");
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
