import { useMemo, useState } from "react";
import { EntityScreen } from "../../entity/entity-screen.tsx";
import { CommandButton } from "../../kit/look/command-button.tsx";
import { auditLog } from "./audit-log-entity.ts";
import { ChainSheet } from "./chain-sheet.tsx";

/** Who did what, and the proof that nothing of it was changed since. */
export function Component() {
  const [checking, setChecking] = useState(false);
  const lends = useMemo(() => ({ chain: { check: () => setChecking(true) } }), []);
  return (
    <>
      <EntityScreen entity={auditLog} lends={lends} acts={<CommandButton id="audit-entry.check-chain" />} />
      {checking && <ChainSheet onClose={() => setChecking(false)} />}
    </>
  );
}
