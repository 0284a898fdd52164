import { useEffect, useRef, useState } from "react";
import type { FormEvent } from "react";
import { Link } from "react-router-dom";
import { Email } from "../../../contract/session.ts";
import { Icon } from "../../kit/look/icon.tsx";
import { useText } from "../../kit/texts/texts.ts";
import { Field, SecretField, StepError } from "../../identity/field.tsx";
import { useStep } from "../../identity/step.ts";

/** E-mail and password. `accepted`: the server asks for a second factor, so the step stands as done. */
export function CredentialsStep({ accepted, onSubmit }: { accepted: boolean; onSubmit(email: string, password: string): Promise<void> }) {
  const t = useText();
  const [email, setEmail] = useState("");
  const [password, setPassword] = useState("");
  const { form, busy, wrong, refuse, mend, send } = useStep([]);
  const emailField = useRef<HTMLInputElement>(null);
  const passwordField = useRef<HTMLInputElement>(null);

  useEffect(() => {
    if (!accepted) emailField.current?.focus();
  }, [accepted]);

  async function submit(event: FormEvent) {
    event.preventDefault();
    if (accepted) return;
    const found = {
      ...(!Email.safeParse(email).success && { email: t("login.invalid-email") }),
      ...(password === "" && { password: t("login.password-missing") }),
    };
    if (Object.keys(found).length > 0) return refuse(found);
    // whoever comes back to take another account types another password
    if (await send(() => onSubmit(email, password))) setPassword("");
    else passwordField.current?.select();
  }

  return (
    <form ref={form} className={accepted ? "step done" : "step"} noValidate aria-busy={busy} onSubmit={(event) => void submit(event)}>
      <h1>
        {accepted && (
          <span className="step-number ok" aria-hidden="true">
            <Icon name="tick" size="xs" />
          </span>
        )}
        {t("login.title")}
      </h1>
      <StepError>{wrong["all"]}</StepError>
      <Field
        label={t("login.email")}
        type="email"
        autoComplete="username"
        value={email}
        error={wrong["email"]}
        readOnly={accepted}
        fieldRef={emailField}
        onChange={(value) => {
          setEmail(value);
          mend("email");
        }}
      />
      {!accepted && (
        <>
          <SecretField
            label={t("login.password")}
            autoComplete="current-password"
            value={password}
            error={wrong["password"]}
            fieldRef={passwordField}
            aside={
              <Link to="/forgot-password" state={{ email }}>
                {t("login.forgot")}
              </Link>
            }
            onChange={(value) => {
              setPassword(value);
              mend("password");
            }}
          />
          <button className="btn go wide" type="submit" aria-disabled={busy}>
            {busy ? t("login.busy") : t("login.submit")}
            <kbd>↵</kbd>
          </button>
        </>
      )}
    </form>
  );
}
