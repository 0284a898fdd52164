import { useEffect, useEffectEvent, useId, useRef, useState } from "react";
import type { FormEvent } from "react";
import { useApi } from "../../api/use-api.ts";
import { useSecond } from "../../api/use-second.ts";
import { useKit } from "../../kit/use-kit.ts";
import { useText } from "../../kit/texts/texts.ts";
import { CodeField } from "../../identity/code-field.tsx";
import { Field, StepError } from "../../identity/field.tsx";
import { useStep } from "../../identity/step.ts";

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
  const [code, setCode] = useState("");
  const { form, busy, wrong, clear, send } = useStep([]);
  const field = useRef<HTMLInputElement>(null);
  const note = useId();
  useSecond();
  useEffect(() => field.current?.focus(), [recovery]);
  const leave = useEffectEvent(onBack);
  // the page's own Esc is for those who are signed in
  useEffect(() => (form.current === null ? undefined : keys.claim(form.current, { Escape: () => leave() })), [keys, form]);
  const left = period - (Math.floor(time.now() / 1000) % period);

  const use = (instead: boolean) => {
    setRecovery(instead);
    setCode("");
    clear();
  };

  async function go(text: string) {
    if (recovery ? text.trim() === "" : text.length < 6) return field.current?.focus();
    const done = await send(() => (recovery ? onRecovery(text.trim()) : onCode(text)));
    if (done) return;
    // a code is for one try; what was typed of a recovery code stays to be mended
    if (!recovery) setCode("");
    field.current?.focus();
  }

  function submit(event: FormEvent) {
    event.preventDefault();
    void go(code);
  }

  return (
    <form ref={form} className="step" noValidate aria-busy={busy} onSubmit={submit}>
      <h2>
        <span className="step-number" aria-hidden="true">
          2
        </span>
        {t(recovery ? "login.recovery.title" : "login.code.title")}
      </h2>
      <StepError>{wrong["all"]}</StepError>
      {recovery ? (
        <Field
          label={t("login.recovery.label")}
          autoComplete="off"
          value={code}
          hint={t("login.recovery.hint")}
          fieldRef={field}
          onChange={(text) => {
            setCode(text);
            clear();
          }}
        />
      ) : (
        <>
          <CodeField
            value={code}
            invalid={wrong["all"] !== undefined}
            describedBy={note}
            fieldRef={field}
            onChange={(text) => {
              setCode(text);
              clear();
              if (text.length === 6 && !busy) void go(text);
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
      <button className="btn go wide" type="submit" aria-disabled={busy}>
        {t(busy ? "login.busy" : "login.continue")}
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
