import { useMemo, useState } from "react";
import { usePlace } from "../api/place.ts";
import type { Entity } from "../entity/entity.ts";
import { EntityScreen } from "../entity/entity-screen.tsx";
import type { StatementWindow } from "../kit/commands/statement-desk.ts";
import { CommandButton } from "../kit/look/command-button.tsx";
import type { BalancesRoute } from "./as-of-sheet.tsx";
import { AsOfSheet } from "./as-of-sheet.tsx";
import type { WholeRoute } from "./whole-sheet.tsx";
import { WholeSheet } from "./whole-sheet.tsx";
import "./statements.css";
import "./whole.css";

interface StatementScreenProps {
  readonly entity: Entity;
  readonly balances: BalancesRoute;
  readonly whole: WholeRoute;
  /** The filter that names whose statement it is. */
  readonly own: "merchant_code" | "account_code";
}

/** A statement, with the balances at any moment and the whole of one as it is printed. */
export function StatementScreen({ entity, balances, whole, own }: StatementScreenProps) {
  const place = usePlace();
  const [open, setOpen] = useState(false);
  const [printed, setPrinted] = useState<StatementWindow | null>(null);
  const lends = useMemo(
    () => ({ statement: { view: balances.permission, own, showBalances: () => setOpen(true), showWhole: setPrinted } }),
    [balances, own],
  );
  const close = () => setOpen(false);
  const acts = (
    <>
      <CommandButton id="statement.file" />
      <CommandButton id="statement.print" />
      <CommandButton id="statement.balances" className="create" />
    </>
  );
  return (
    <>
      <EntityScreen entity={entity} lends={lends} acts={acts} />
      {printed !== null && <WholeSheet route={whole} entity={entity} window={printed} onClose={() => setPrinted(null)} />}
      {open && (
        <AsOfSheet
          route={balances}
          onClose={close}
          onOpen={(code, moment) => {
            close();
            place.set({ [own]: code, created_at: `..${moment}`, hold: null, record: null }, true);
          }}
        />
      )}
    </>
  );
}
