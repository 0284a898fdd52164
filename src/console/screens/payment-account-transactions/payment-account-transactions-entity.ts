import { accountTransactionColumns, accountTransactionRoutes as routes } from "../../../contract/statements.ts";
import { statementOf } from "../../statements/statement.ts";

/** A payment account's statement: what moved its balance. */
export const paymentAccountTransactions = statementOf({
  screen: "payment-account-transactions",
  subject: "payment-account-transaction",
  list: routes.listAccountStatementLines,
  read: routes.readAccountStatementLine,
  columnMap: accountTransactionColumns,
  own: "account_code",
  counterpart: "merchant_code",
});
