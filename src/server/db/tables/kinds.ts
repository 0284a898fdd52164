export type TransactionKind = "deposit" | "withdrawal";
export type ChargeBearer = "merchant" | "house";
export type LedgerAccountKind =
  | "wallet"
  | "hold"
  | "payment-account"
  | "fee-income"
  | "bank-charges"
  | "adjustment"
  | "settlement"
  | "suspense";
