import { useEffect, useRef, useState } from "react";
import type { FormEvent } from "react";
import { Link, useLocation } from "react-router-dom";
import { Email, sessionRoutes } from "../../../contract/session.ts";
import { useApi } from "../../api/use-api.ts";
import { useText } from "../../kit/texts/texts.ts";
import { Field, StepError } from "../../identity/field.tsx";
import { SignInFrame } from "./sign-in-frame.tsx";
import { useStep } from "../../identity/step.ts";

/** Asks for the mail that leads to a new password. The answer is the same whoever asks. */
export function ForgotPage() {
  const t = useText();
  const { call } = useApi();
  const { state } = useLocation() as { state: unknown }; // the router does not know what links put there
  const [email, setEmail] = useState(() => typedBefore(state));
  const [sentTo, setSentTo] = useState<string | null>(null);
  const { form, busy, wrong, refuse, mend, send } = useStep([]);
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.focus(), []);

  async function submit(event: FormEvent) {
    event.preventDefault();
    if (!Email.safeParse(email).success) return refuse({ email: t("login.invalid-email") });
    const done = await send(async () => void (await call(sessionRoutes.forgotPassword, { body: { email } })));
    if (done) setSentTo(email);
  }

  return (
    <SignInFrame title={t("forgot.title")}>
      <form ref={form} className="step" noValidate aria-busy={busy} onSubmit={(event) => void submit(event)}>
        <h1>{t("forgot.title")}</h1>
        {sentTo === null ? (
          <>
            <p className="say">{t("forgot.text")}</p>
            <StepError>{wrong["all"]}</StepError>
            <Field
              label={t("login.email")}
              type="email"
              autoComplete="username"
              value={email}
              error={wrong["email"]}
              fieldRef={field}
              onChange={(value) => {
                setEmail(value);
                mend("email");
              }}
            />
            <button className="btn go wide" type="submit" aria-disabled={busy}>
              {t(busy ? "forgot.busy" : "forgot.submit")}
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
