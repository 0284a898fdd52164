import { useMemo } from "react";
import { transferRoutes } from "../../../contract/transfers.ts";
import { EntityScreen } from "../../entity/entity-screen.tsx";
import { CommandButton } from "../../kit/look/command-button.tsx";
import { ReceiptContext, ReceiptViewer } from "../../transactions/receipts/receipts.tsx";
import { useReceipts } from "../../transactions/receipts/use-receipts.ts";
import { useTransfers } from "../../transfers/use-transfers.tsx";
import { transfers } from "./transfers-entity.ts";

/** Transfers, adjustments and settlements of a tenant in one currency: made, approved, proved and taken back here. */
export function Component() {
  const making = useTransfers();
  const receipts = useReceipts("transfer", transferRoutes.readTransfer);
  const lends = useMemo(() => ({ ...making.lends, transfers: making.lends.moving, receipts }), [making.lends, receipts]);
  return (
    <ReceiptContext value={receipts}>
      <EntityScreen entity={transfers} lends={lends} acts={<CommandButton id="transfer.create" icon="plus" className="create" />} />
      {making.sheet}
      {receipts !== null && <ReceiptViewer work={receipts} />}
    </ReceiptContext>
  );
}
