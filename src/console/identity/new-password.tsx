import { profileRoutes } from "../../contract/profile.ts";
import { NewPassword } from "../../contract/session.ts";
import type { FieldLines } from "../../contract/problems.ts";
import type { Values } from "../kit/form/conflict.ts";
import { useText } from "../kit/texts/texts.ts";
import { StepField } from "./step-field.tsx";
import { stepField } from "./step-session.ts";
import type { useStep } from "./step.ts";

const { shape } = profileRoutes.changePassword.body;
const once = stepField("password", shape.password);
const again = stepField("password_confirmation", shape.password_confirmation);
export const newPasswordFields = [once, again] as const;

/** What can be said before the server is asked, which judges by all of its rules. */
export function passwordFaults({ password = "", password_confirmation }: Values, t: ReturnType<typeof useText>): FieldLines {
  if (password.length < shortest) return { password: [t("password.too-short", { count: shortest })] };
  if (password !== password_confirmation) return { password_confirmation: [t("password.not-equal")] };
  return {};
}

/** Letters a password has at least. */
const shortest = NewPassword.minLength ?? 0;

interface NewPasswordFieldsProps {
  readonly step: Pick<ReturnType<typeof useStep>, "propsOf">;
  /** Takes the first of them, which gets the focus. */
  takeFirst?(element: HTMLElement | null): void;
}

/** The new password, twice. */
export function NewPasswordFields({ step, takeFirst }: NewPasswordFieldsProps) {
  const t = useText();
  return (
    <>
      <StepField
        {...step.propsOf(once)}
        label={t("password.new")}
        hint={t("password.rule", { count: shortest })}
        {...(takeFirst !== undefined && { takeRef: takeFirst })}
      />
      <StepField {...step.propsOf(again)} label={t("password.again")} />
    </>
  );
}
