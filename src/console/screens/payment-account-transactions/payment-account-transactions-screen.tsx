import { accountTransactionRoutes as routes } from "../../../contract/statements.ts";
import { StatementScreen } from "../../statements/statement-screen.tsx";
import { paymentAccountTransactions } from "./payment-account-transactions-entity.ts";

/** What moved the payment accounts' balances. */
export function Component() {
  return (
    <StatementScreen
      entity={paymentAccountTransactions}
      balances={routes.readAccountBalances}
      whole={routes.readAccountStatement}
      own="account_code"
    />
  );
}
