import { CommandButton } from "../../kit/look/command-button.tsx";

/** What can be done about how somebody signs in. */
export function SignInActs() {
  return (
    <p className="section-acts">
      <CommandButton id="user.force-password-reset" />
      <CommandButton id="user.reset-two-factor" />
    </p>
  );
}
