import type { Ref } from "react";
import { NewPassword } from "../../contract/session.ts";
import { useText } from "../kit/texts/texts.ts";
import { SecretField } from "./field.tsx";
import type { Wrong } from "./step.ts";

interface NewSecrets {
  readonly password: string;
  readonly password_confirmation: string;
}

/** What can be said before the server is asked, which judges by all of its rules; null: nothing. */
export function passwordFaults({ password, password_confirmation }: NewSecrets, t: ReturnType<typeof useText>): Wrong | null {
  if (password.length < shortest) return { password: t("password.too-short", { count: shortest }) };
  if (password !== password_confirmation) return { password_confirmation: t("password.not-equal") };
  return null;
}

/** Letters a password has at least. */
const shortest = NewPassword.minLength ?? 0;

/** The new password, twice. */
export function NewPasswordFields({
  secrets,
  wrong,
  firstRef,
  onChange,
}: {
  secrets: NewSecrets;
  wrong: Wrong;
  firstRef?: Ref<HTMLInputElement>;
  onChange(name: keyof NewSecrets, value: string): void;
}) {
  const t = useText();
  return (
    <>
      <SecretField
        label={t("password.new")}
        autoComplete="new-password"
        value={secrets.password}
        error={wrong["password"]}
        hint={t("password.rule", { count: shortest })}
        {...(firstRef !== undefined && { fieldRef: firstRef })}
        onChange={(value) => onChange("password", value)}
      />
      <SecretField
        label={t("password.again")}
        autoComplete="new-password"
        value={secrets.password_confirmation}
        error={wrong["password_confirmation"]}
        onChange={(value) => onChange("password_confirmation", value)}
      />
    </>
  );
}
