/** What is written of a deposit made by hand, in the order of its form. */
export const newDepositSections = [
  { name: "what", fields: ["merchant", "member", "customer_name", "amount", "merchant_txn_no"] },
  { name: "proof", fields: ["payment_account", "reference_no", "payment_date", "remark"] },
] as const;
