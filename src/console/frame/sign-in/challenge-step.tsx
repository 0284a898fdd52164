import { useEffect, useEffectEvent, useId, useRef, useState } from "react";
import type { FormEvent } from "react";
import { useApi } from "../../api/use-api.ts";
import { useSecond } from "../../api/use-second.ts";
import { useKit } from "../../kit/use-kit.ts";
import { useText } from "../../kit/texts/texts.ts";
import { sessionRoutes } from "../../../contract/session.ts";
import { FormAlert } from "../../kit/form/form-alert.tsx";
import { StepField } from "../../identity/step-field.tsx";
import { stepField } from "../../identity/step-session.ts";
import { useStep } from "../../identity/step.ts";

const { shape } = sessionRoutes.signInTwoFactor.body;
const code = stepField("code", shape.code);
const recoveryCode = stepField("recovery_code", shape.recovery_code);

/** A code's life in seconds (RFC 6238). */
const period = 30;

/** The second factor: a code of the app, or one of the recovery codes. Esc goes back to another account. */
export function ChallengeStep({
  onCode,
  onRecovery,
  onBack,
}: {
  onCode(code: string): Promise<void>;
  onRecovery(code: string): Promise<void>;
  onBack(): void;
}) {
  const t = useText();
  const { time } = useApi();
  const { keys } = useKit();
  const [recovery, setRecovery] = useState(false);
  const asked = recovery ? recoveryCode : code;
  const { form, ...step } = useStep({
    fields: [code, recoveryCode],
    send: (values) => (recovery ? onRecovery((values["recovery_code"] ?? "").trim()) : onCode(values["code"] ?? "")),
  });
  const { value } = step.propsOf(asked);
  const field = useRef<HTMLElement>(null);
  const take = (element: HTMLElement | null): void => void (field.current = element);
  const note = useId();
  useSecond();
  useEffect(() => field.current?.focus(), [recovery]);
  const leave = useEffectEvent(onBack);
  // the page's own Esc is for those who are signed in
  useEffect(() => (form.current === null ? undefined : keys.claim(form.current, { Escape: () => leave() })), [keys, form]);
  const left = period - (Math.floor(time.now() / 1000) % period);

  const use = (instead: boolean) => {
    setRecovery(instead);
    for (const each of [code, recoveryCode]) step.type(each, "");
  };

  async function go(text: string) {
    if (recovery ? text.trim() === "" : text.length < 6) return field.current?.focus();
    if ((await step.submit()) !== "refused") return;
    // a code is for one try; what was typed of a recovery code stays to be mended
    if (!recovery) step.clear(code);
    field.current?.focus();
  }

  function submit(event: FormEvent) {
    event.preventDefault();
    void go(value);
  }

  return (
    <form ref={form} className="step" noValidate aria-busy={step.busy} onSubmit={submit}>
      <h2>
        <span className="step-number" aria-hidden="true">
          2
        </span>
        {t(recovery ? "login.recovery.title" : "login.code.title")}
      </h2>
      <FormAlert wrong={0} others={step.others} />
      {recovery ? (
        <StepField {...step.propsOf(recoveryCode)} label={t("login.recovery.label")} hint={t("login.recovery.hint")} takeRef={take} />
      ) : (
        <>
          <StepField
            {...step.propsOf(code)}
            label={t("login.code")}
            invalid={step.others.length > 0}
            describedBy={note}
            takeRef={take}
            onWrite={(text) => {
              step.type(code, text);
              if (text.length === 6) void go(text);
            }}
          />
          <p className="tick" id={note}>
            <span className="room" aria-hidden="true">
              <i style={{ "--v": `${(left / period) * 100}%` }} />
            </span>
            {t("login.code.left", { seconds: left })}
          </p>
        </>
      )}
      <button className="btn go wide" type="submit" aria-disabled={step.busy}>
        {t(step.busy ? "login.busy" : "login.continue")}
        <kbd>↵</kbd>
      </button>
      <p className="alt">
        <button type="button" className="link" onClick={() => use(!recovery)}>
          {t(recovery ? "login.code.instead" : "login.recovery.instead")}
        </button>
        <button type="button" className="link end" onClick={onBack}>
          {t("login.other-account")} <kbd>Esc</kbd>
        </button>
      </p>
    </form>
  );
}
