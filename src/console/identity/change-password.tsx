import { useEffect, useRef } from "react";
import type { FormEvent } from "react";
import { profileRoutes } from "../../contract/profile.ts";
import { useApi, useSignedIn } from "../api/use-api.ts";
import { FormAlert } from "../kit/form/form-alert.tsx";
import { useKit } from "../kit/use-kit.ts";
import { useText } from "../kit/texts/texts.ts";
import { NewPasswordFields, newPasswordFields, passwordFaults } from "./new-password.tsx";
import { useRenewSelf } from "./renew-self.ts";
import { StepField } from "./step-field.tsx";
import { stepField } from "./step-session.ts";
import { useStep } from "./step.ts";

const current = stepField("current_password", profileRoutes.changePassword.body.shape.current_password);
const fields = [current, ...newPasswordFields];

/** The own password, by the current one. `eager`: takes the focus at once. */
export function ChangePassword({ eager }: { eager?: boolean }) {
  const t = useText();
  const { call } = useApi();
  const { user } = useSignedIn();
  const { toast } = useKit();
  const renewSelf = useRenewSelf();
  const { form, ...step } = useStep({
    fields,
    blames: { "password.wrong": current.name },
    check: (values) => (values[current.name] === "" ? { [current.name]: [t("login.password-missing")] } : passwordFaults(values, t)),
    async send(values) {
      const body = values as { current_password: string; password: string; password_confirmation: string }; // the names of `fields`
      await call(profileRoutes.changePassword, { body }, { quiet: true });
    },
  });
  const currentField = useRef<HTMLElement>(null);
  useEffect(() => {
    if (eager === true) currentField.current?.focus();
  }, [eager]);

  async function submit(event: FormEvent) {
    event.preventDefault();
    if ((await step.submit()) !== "done") return;
    for (const field of fields) step.clear(field);
    toast({ title: t("reset.done.title"), text: t("password.others-ended"), tone: "done" });
    await renewSelf({ force_reset_password: false });
  }

  return (
    <form ref={form} className="step" noValidate aria-busy={step.busy} onSubmit={(event) => void submit(event)}>
      {/* for the browser's own keeper of passwords */}
      <input type="text" autoComplete="username" value={user.email} readOnly hidden />
      <FormAlert wrong={0} others={step.others} />
      <StepField {...step.propsOf(current)} label={t("password.current")} takeRef={(element) => void (currentField.current = element)} />
      <NewPasswordFields step={step} />
      <button className="btn go wide" type="submit" aria-disabled={step.busy}>
        {t(step.busy ? "reset.busy" : "reset.submit")}
        <kbd>↵</kbd>
      </button>
    </form>
  );
}
