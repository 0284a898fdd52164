import { useMemo, useState } from "react";
import { usePlace } from "../api/place.ts";
import type { Entity } from "../entity/entity.ts";
import { EntityScreen } from "../entity/entity-screen.tsx";
import { CommandButton } from "../kit/look/command-button.tsx";
import type { BalancesRoute } from "./as-of-sheet.tsx";
import { AsOfSheet } from "./as-of-sheet.tsx";
import "./statements.css";

interface StatementScreenProps {
  readonly entity: Entity;
  readonly balances: BalancesRoute;
  /** The filter that names whose statement it is. */
  readonly own: "merchant_code" | "account_code";
}

/** A statement, and the balances at any moment beside it. */
export function StatementScreen({ entity, balances, own }: StatementScreenProps) {
  const place = usePlace();
  const [open, setOpen] = useState(false);
  const lends = useMemo(() => ({ statement: { view: balances.permission, showBalances: () => setOpen(true) } }), [balances]);
  const close = () => setOpen(false);
  return (
    <>
      <EntityScreen entity={entity} lends={lends} acts={<CommandButton id="statement.balances" className="create" />} />
      {open && (
        <AsOfSheet
          route={balances}
          onClose={close}
          onOpen={(code, moment) => {
            close();
            place.set({ [own]: code, created_at: `..${moment}`, record: null }, true);
          }}
        />
      )}
    </>
  );
}
