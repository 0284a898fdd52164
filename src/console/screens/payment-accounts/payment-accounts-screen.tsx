import { EntityScreen } from "../../entity/entity-screen.tsx";
import { paymentAccounts } from "./payment-accounts-entity.ts";

/** The payment accounts of a tenant in one currency. */
export function Component() {
  return <EntityScreen entity={paymentAccounts} />;
}
