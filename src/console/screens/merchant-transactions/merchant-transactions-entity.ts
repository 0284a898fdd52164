import { merchantTransactionColumns, merchantTransactionRoutes as routes } from "../../../contract/statements.ts";
import { statementOf } from "../../statements/statement.ts";

/** A merchant's statement: what moved its wallet. */
export const merchantTransactions = statementOf({
  screen: "merchant-transactions",
  subject: "merchant-transaction",
  list: routes.listMerchantStatementLines,
  read: routes.readMerchantStatementLine,
  columnMap: merchantTransactionColumns,
  own: "merchant_code",
  counterpart: "account_code",
});
