import { CommandButton } from "../../kit/look/command-button.tsx";

/** What can be done with an invitation that nobody has accepted. */
export function InvitationSection() {
  return (
    <p className="section-acts">
      <CommandButton id="user.resend-invitation" />
      <CommandButton id="user.withdraw-invitation" look="no" />
    </p>
  );
}
