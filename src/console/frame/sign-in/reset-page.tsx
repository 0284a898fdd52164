import { useEffect, useRef } from "react";
import type { FormEvent } from "react";
import { Link, useNavigate, useSearchParams } from "react-router-dom";
import { sessionRoutes } from "../../../contract/session.ts";
import { useApi } from "../../api/use-api.ts";
import { useKit } from "../../kit/use-kit.ts";
import { useText } from "../../kit/texts/texts.ts";
import { FormAlert } from "../../kit/form/form-alert.tsx";
import { NewPasswordFields, newPasswordFields, passwordFaults } from "../../identity/new-password.tsx";
import { StepField } from "../../identity/step-field.tsx";
import { stepField } from "../../identity/step-session.ts";
import { useStep } from "../../identity/step.ts";
import { SignInFrame } from "./sign-in-frame.tsx";

const emailField = stepField("email", sessionRoutes.resetPassword.body.shape.email);

/** Where the mail's link leads: a new password, sent with the link's token and address. */
export function ResetPage() {
  const t = useText();
  const { call } = useApi();
  const { toast } = useKit();
  const navigate = useNavigate();
  const [search] = useSearchParams();
  const token = search.get("token") ?? "";
  const email = search.get("email") ?? "";
  const { form, ...step } = useStep({
    fields: newPasswordFields,
    check: (values) => passwordFaults(values, t),
    async send(values) {
      const secrets = values as { password: string; password_confirmation: string }; // the names of its fields
      await call(sessionRoutes.resetPassword, { body: { token, email, ...secrets } });
    },
  });
  const field = useRef<HTMLElement>(null);
  const whole = token !== "" && email !== "";
  useEffect(() => field.current?.focus(), []);

  async function submit(event: FormEvent) {
    event.preventDefault();
    if ((await step.submit()) !== "done") return;
    toast({ title: t("reset.done.title"), text: t("reset.done.text"), tone: "done" });
    await navigate("/login", { replace: true });
  }

  return (
    <SignInFrame title={t("reset.title")}>
      <form ref={form} className="step" noValidate aria-busy={step.busy} onSubmit={(event) => void submit(event)}>
        <h1>{t("reset.title")}</h1>
        {whole ? (
          <>
            <FormAlert wrong={0} others={step.others} />
            <StepField field={emailField} value={email} label={t("login.email")} readOnly />
            <NewPasswordFields step={step} takeFirst={(element) => void (field.current = element)} />
            <button className="btn go wide" type="submit" aria-disabled={step.busy}>
              {t(step.busy ? "reset.busy" : "reset.submit")}
              <kbd>↵</kbd>
            </button>
          </>
        ) : (
          <p className="say" role="alert">
            {t("reset.broken-link")}
          </p>
        )}
        <p className="alt">
          <Link to="/login">{t("forgot.back")}</Link>
          <Link className="end" to="/forgot-password">
            {t("reset.another-link")}
          </Link>
        </p>
      </form>
    </SignInFrame>
  );
}
