import { useState } from "react";
import { useApi } from "../../api/use-api.ts";
import { useText } from "../../kit/texts/texts.ts";
import { ChallengeStep } from "./challenge-step.tsx";
import { CredentialsStep } from "./credentials-step.tsx";
import { SignInFrame } from "./sign-in-frame.tsx";

/** Sign-in: credentials, and where the account has a second factor its code in the same column. */
export function LoginPage({ onSignedIn }: { onSignedIn(): void }) {
  const t = useText();
  const { session } = useApi();
  /** What the server gave for the password: it must come back with the code. */
  const [challenge, setChallenge] = useState<string | null>(null);

  async function enter(email: string, password: string) {
    const asked = await session.signIn(email, password);
    if (asked === null) onSignedIn();
    else setChallenge(asked);
  }

  async function prove(proof: { code: string } | { recovery_code: string }) {
    if (challenge === null) return;
    await session.prove(challenge, proof);
    onSignedIn();
  }

  return (
    <SignInFrame title={t("login.title")}>
      <CredentialsStep accepted={challenge !== null} onSubmit={enter} />
      {challenge !== null && (
        <ChallengeStep
          onCode={(code) => prove({ code })}
          onRecovery={(recovery_code) => prove({ recovery_code })}
          onBack={() => setChallenge(null)}
        />
      )}
    </SignInFrame>
  );
}
