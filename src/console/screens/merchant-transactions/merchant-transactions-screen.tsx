import { merchantTransactionRoutes as routes } from "../../../contract/statements.ts";
import { StatementScreen } from "../../statements/statement-screen.tsx";
import { merchantTransactions } from "./merchant-transactions-entity.ts";

/** What moved the merchants' wallets. */
export function Component() {
  return (
    <StatementScreen
      entity={merchantTransactions}
      balances={routes.readWalletBalances}
      whole={routes.readWalletStatement}
      own="merchant_code"
    />
  );
}
