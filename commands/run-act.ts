import type { SubjectName } from "../src/contract/index.ts";
import type { Services } from "../src/console/kit/commands/services.ts";

/** Runs an act on a record; after a refusal the row is refetched, because somebody else may have changed or deleted it. */
export async function runAct(
  subject: SubjectName,
  { uuid }: { readonly uuid: string },
  services: Services,
  act: () => Promise<void>,
): Promise<void> {
  try {
    await act();
  } catch (error) {
    services.changed(subject, [{ uuid }]);
    throw error;
  }
}
