import { useState } from "react";
import { Link } from "react-router-dom";
import type { Profile } from "../../../contract/session.ts";
import { ChangePassword } from "../../identity/change-password.tsx";
import { RecoveryCodes } from "../../identity/recovery-codes.tsx";
import { useRenewSelf } from "../../identity/renew-self.ts";
import { TwoFactorSetUp } from "../../identity/two-factor-set-up.tsx";
import { useText } from "../../kit/texts/texts.ts";
import { SignInFrame } from "./sign-in-frame.tsx";

/** Signed in, but first: a password of one's own, then the second factor the tenant asks for. The address stays. */
export function UnreadyPage({ user }: { user: Profile }) {
  const t = useText();
  const renewSelf = useRenewSelf();
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  const title = t(user.force_reset_password ? "unready.password.title" : "unready.two-factor.title");
  return (
    <SignInFrame title={title}>
      <h1 className="unready">{title}</h1>
      <p className="say">{t(user.force_reset_password ? "unready.password.text" : "unready.two-factor.text")}</p>
      {user.force_reset_password ? (
        <ChangePassword eager />
      ) : codes === null ? (
        <TwoFactorSetUp eager onCodes={setCodes} />
      ) : (
        // what is closed without two-factor opens only when the codes were seen
        <RecoveryCodes
          codes={codes}
          onKept={() => void renewSelf({ two_factor: { ...user.two_factor, enabled: true, recovery_left: codes.length } })}
        />
      )}
      <p className="alt">
        <Link to="/logout">{t("shell.sign-out")}</Link>
      </p>
    </SignInFrame>
  );
}
