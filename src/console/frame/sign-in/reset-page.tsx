import { useEffect, useRef, useState } from "react";
import type { FormEvent } from "react";
import { Link, useNavigate, useSearchParams } from "react-router-dom";
import { sessionRoutes } from "../../../contract/session.ts";
import { useApi } from "../../api/use-api.ts";
import { useKit } from "../../kit/use-kit.ts";
import { useText } from "../../kit/texts/texts.ts";
import { Field, StepError } from "../../identity/field.tsx";
import { NewPasswordFields, passwordFaults } from "../../identity/new-password.tsx";
import { SignInFrame } from "./sign-in-frame.tsx";
import { useStep } from "../../identity/step.ts";

/** Where the mail's link leads: a new password, sent with the link's token and address. */
export function ResetPage() {
  const t = useText();
  const { call } = useApi();
  const { toast } = useKit();
  const navigate = useNavigate();
  const [search] = useSearchParams();
  const token = search.get("token") ?? "";
  const email = search.get("email") ?? "";
  const [secrets, setSecrets] = useState({ password: "", password_confirmation: "" });
  const { form, busy, wrong, refuse, mend, send } = useStep(["password", "password_confirmation"]);
  const field = useRef<HTMLInputElement>(null);
  const whole = token !== "" && email !== "";
  useEffect(() => field.current?.focus(), []);

  async function submit(event: FormEvent) {
    event.preventDefault();
    const faults = passwordFaults(secrets, t);
    if (faults !== null) return refuse(faults);
    const done = await send(async () => void (await call(sessionRoutes.resetPassword, { body: { token, email, ...secrets } })));
    if (!done) return;
    toast({ title: t("reset.done.title"), text: t("reset.done.text"), tone: "done" });
    await navigate("/login", { replace: true });
  }

  return (
    <SignInFrame title={t("reset.title")}>
      <form ref={form} className="step" noValidate aria-busy={busy} onSubmit={(event) => void submit(event)}>
        <h1>{t("reset.title")}</h1>
        {whole ? (
          <>
            <StepError>{wrong["all"]}</StepError>
            <Field label={t("login.email")} type="email" autoComplete="username" value={email} readOnly onChange={() => undefined} />
            <NewPasswordFields
              secrets={secrets}
              wrong={wrong}
              firstRef={field}
              onChange={(name, value) => {
                setSecrets({ ...secrets, [name]: value });
                mend(name);
              }}
            />
            <button className="btn go wide" type="submit" aria-disabled={busy}>
              {t(busy ? "reset.busy" : "reset.submit")}
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
