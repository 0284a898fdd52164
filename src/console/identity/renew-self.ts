import type { Profile } from "../../contract/session.ts";
import { useApi, useSignedIn } from "../api/use-api.ts";

/** What one changed of oneself, taken over: as the server now tells it, or, where it does not answer, as far as it is known here. */
export function useRenewSelf(): (known: Partial<Profile>) => Promise<void> {
  const { session } = useApi();
  const { user } = useSignedIn();
  return (known) => session.reloadProfile().catch(() => session.setUser({ ...user, ...known }));
}
