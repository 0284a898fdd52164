import { EntityScreen } from "../../entity/entity-screen.tsx";
import { useTransfers } from "../../transfers/use-transfers.tsx";
import { paymentAccounts } from "./payment-accounts-entity.ts";

/** The payment accounts of a tenant in one currency. */
export function Component() {
  const { lends, sheet } = useTransfers();
  return (
    <>
      <EntityScreen entity={paymentAccounts} lends={lends} />
      {sheet}
    </>
  );
}
