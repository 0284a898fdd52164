import type { MasterAccountDetail } from "../../contract/master-accounts.ts";
import { text } from "../kit/texts/texts.ts";

interface Failed {
  readonly row: Pick<MasterAccountDetail["row"], "failure">;
  readonly checks: MasterAccountDetail["checks"];
}

/** Why the last check of an account failed and what about it, as the list of checks says it; null where it did not. */
export function whyFailed({ row: { failure }, checks }: Failed): string | null {
  if (failure === null) return null;
  const about = checks.find((check) => check.failure === failure)?.about;
  const words = text(`master-account.failure.${failure}`);
  return about ? `${words} \u2068${about}\u2069` : words;
}
