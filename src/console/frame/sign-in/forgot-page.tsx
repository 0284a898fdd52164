import { useEffect, useRef, useState } from "react";
import type { FormEvent } from "react";
import { Link, useLocation } from "react-router-dom";
import { Email, sessionRoutes } from "../../../contract/session.ts";
import { useApi } from "../../api/use-api.ts";
import { useText } from "../../kit/texts/texts.ts";
import { FormAlert } from "../../kit/form/form-alert.tsx";
import { StepField } from "../../identity/step-field.tsx";
import { stepField } from "../../identity/step-session.ts";
import { useStep } from "../../identity/step.ts";
import { SignInFrame } from "./sign-in-frame.tsx";

const email = stepField("email", sessionRoutes.forgotPassword.body.shape.email);

/** Asks for the mail that leads to a new password. The answer is the same whoever asks. */
export function ForgotPage() {
  const t = useText();
  const { call } = useApi();
  const { state } = useLocation() as { state: unknown }; // the router does not know what links put there
  const [sentTo, setSentTo] = useState<string | null>(null);
  const { form, ...step } = useStep({
    fields: [email],
    begun: { email: typedBefore(state) },
    check: (values) => ({ ...(!Email.safeParse(values["email"]).success && { email: [t("login.invalid-email")] }) }),
    async send(values) {
      const body = values as { email: string }; // its one field
      await call(sessionRoutes.forgotPassword, { body });
      setSentTo(body.email);
    },
  });
  const field = useRef<HTMLElement>(null);
  useEffect(() => field.current?.focus(), []);

  function submit(event: FormEvent) {
    event.preventDefault();
    void step.submit();
  }

  return (
    <SignInFrame title={t("forgot.title")}>
      <form ref={form} className="step" noValidate aria-busy={step.busy} onSubmit={submit}>
        <h1>{t("forgot.title")}</h1>
        {sentTo === null ? (
          <>
            <p className="say">{t("forgot.text")}</p>
            <FormAlert wrong={0} others={step.others} />
            <StepField {...step.propsOf(email)} label={t("login.email")} takeRef={(element) => void (field.current = element)} />
            <button className="btn go wide" type="submit" aria-disabled={step.busy}>
              {t(step.busy ? "forgot.busy" : "forgot.submit")}
              <kbd>↵</kbd>
            </button>
          </>
        ) : (
          <p className="say" role="status" tabIndex={-1} ref={focusIt}>
            {t("forgot.sent", { email: sentTo })}
          </p>
        )}
        <p className="alt">
          <Link to="/login">{t("forgot.back")}</Link>
        </p>
      </form>
    </SignInFrame>
  );
}

/** The field that had the focus is gone. */
const focusIt = (element: HTMLElement | null) => element?.focus();

/** The address typed on the page that led here. */
const typedBefore = (state: unknown): string =>
  typeof state === "object" && state !== null && "email" in state && typeof state.email === "string" ? state.email : "";
