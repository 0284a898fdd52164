import { EntityScreen } from "../../entity/entity-screen.tsx";
import { merchantTransactions } from "./merchant-transactions-entity.ts";

/** What moved the merchants' wallets. */
export function Component() {
  return <EntityScreen entity={merchantTransactions} />;
}
