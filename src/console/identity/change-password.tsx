import { useEffect, useRef, useState } from "react";
import type { FormEvent } from "react";
import { profileRoutes } from "../../contract/profile.ts";
import { useApi, useSignedIn } from "../api/use-api.ts";
import { useKit } from "../kit/use-kit.ts";
import { useText } from "../kit/texts/texts.ts";
import { SecretField, StepError } from "./field.tsx";
import { NewPasswordFields, passwordFaults } from "./new-password.tsx";
import { useRenewSelf } from "./renew-self.ts";
import { useStep } from "./step.ts";

const empty = { current_password: "", password: "", password_confirmation: "" };

/** The own password, by the current one. `eager`: takes the focus at once. */
export function ChangePassword({ eager }: { eager?: boolean }) {
  const t = useText();
  const { call } = useApi();
  const { user } = useSignedIn();
  const { toast } = useKit();
  const [secrets, setSecrets] = useState(empty);
  const renewSelf = useRenewSelf();
  const { form, busy, wrong, refuse, mend, send } = useStep(Object.keys(empty), { "password.wrong": "current_password" });
  const currentField = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (eager === true) currentField.current?.focus();
  }, [eager]);

  async function submit(event: FormEvent) {
    event.preventDefault();
    if (secrets.current_password === "") return refuse({ current_password: t("login.password-missing") });
    const faults = passwordFaults(secrets, t);
    if (faults !== null) return refuse(faults);
    if (!(await send(async () => void (await call(profileRoutes.changePassword, { body: secrets }, { quiet: true }))))) return;
    setSecrets(empty);
    toast({ title: t("reset.done.title"), text: t("password.others-ended"), tone: "done" });
    await renewSelf({ force_reset_password: false });
  }

  const change = (name: keyof typeof empty) => (value: string) => {
    setSecrets({ ...secrets, [name]: value });
    mend(name);
  };
  return (
    <form ref={form} className="step" noValidate aria-busy={busy} onSubmit={(event) => void submit(event)}>
      {/* for the browser's own keeper of passwords */}
      <input type="text" autoComplete="username" value={user.email} readOnly hidden />
      <StepError>{wrong["all"]}</StepError>
      <SecretField
        label={t("password.current")}
        autoComplete="current-password"
        value={secrets.current_password}
        error={wrong["current_password"]}
        fieldRef={currentField}
        onChange={change("current_password")}
      />
      <NewPasswordFields secrets={secrets} wrong={wrong} onChange={(name, value) => change(name)(value)} />
      <button className="btn go wide" type="submit" aria-disabled={busy}>
        {t(busy ? "reset.busy" : "reset.submit")}
        <kbd>↵</kbd>
      </button>
    </form>
  );
}
