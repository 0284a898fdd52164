import { useEffect, useRef } from "react";
import type { FormEvent } from "react";
import { Link } from "react-router-dom";
import { Email, sessionRoutes } from "../../../contract/session.ts";
import { FormAlert } from "../../kit/form/form-alert.tsx";
import { Icon } from "../../kit/look/icon.tsx";
import { useText } from "../../kit/texts/texts.ts";
import { StepField } from "../../identity/step-field.tsx";
import { stepField } from "../../identity/step-session.ts";
import { useStep } from "../../identity/step.ts";

const { shape } = sessionRoutes.login.body;
const email = stepField("email", shape.email);
const password = stepField("password", shape.password);
const fields = [email, password];

/** E-mail and password. `accepted`: the server asks for a second factor, so the step stands as done. */
export function CredentialsStep({ accepted, onSubmit }: { accepted: boolean; onSubmit(email: string, password: string): Promise<void> }) {
  const t = useText();
  const { form, ...step } = useStep({
    fields,
    check: (values) => ({
      ...(!Email.safeParse(values["email"]).success && { email: [t("login.invalid-email")] }),
      ...(values["password"] === "" && { password: [t("login.password-missing")] }),
    }),
    send: (values) => onSubmit(values["email"] ?? "", values["password"] ?? ""),
  });
  const emailField = useRef<HTMLElement>(null);
  const passwordField = useRef<HTMLElement>(null);

  useEffect(() => {
    if (!accepted) emailField.current?.focus();
  }, [accepted]);

  async function submit(event: FormEvent) {
    event.preventDefault();
    if (accepted) return;
    const outcome = await step.submit();
    // whoever comes back to take another account types another password
    if (outcome === "done") step.clear(password);
    else if (outcome === "refused" && passwordField.current instanceof HTMLInputElement) passwordField.current.select();
  }

  return (
    <form ref={form} className={accepted ? "step done" : "step"} noValidate aria-busy={step.busy} onSubmit={(event) => void submit(event)}>
      <h1>
        {accepted && (
          <span className="step-number ok" aria-hidden="true">
            <Icon name="tick" size="xs" />
          </span>
        )}
        {t("login.title")}
      </h1>
      <FormAlert wrong={0} others={step.others} />
      <StepField
        {...step.propsOf(email)}
        label={t("login.email")}
        readOnly={accepted}
        takeRef={(element) => void (emailField.current = element)}
      />
      {!accepted && (
        <>
          <StepField
            {...step.propsOf(password)}
            label={t("login.password")}
            takeRef={(element) => void (passwordField.current = element)}
            aside={
              <Link to="/forgot-password" state={{ email: step.values["email"] }}>
                {t("login.forgot")}
              </Link>
            }
          />
          <button className="btn go wide" type="submit" aria-disabled={step.busy}>
            {step.busy ? t("login.busy") : t("login.submit")}
            <kbd>↵</kbd>
          </button>
        </>
      )}
    </form>
  );
}
