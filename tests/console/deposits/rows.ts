import { Deposit } from "../../../src/contract/deposits.ts";
import { aWithdrawal, dewi } from "../withdrawals/rows.ts";

/** A deposit of tier 1 that was paid and that I hold. */
export const aDeposit = (more: Partial<Deposit> = {}): Deposit => ({
  ...Deposit.parse({
    ...aWithdrawal(),
    type: "deposit",
    txn_no: "D2611210007193",
    amount: "1000.00",
    fee: "15.00",
    final_amount: "1000.00",
    payment_account: { uuid: dewi.uuid, code: "MBB-07" },
    merchant_receive: "985.00",
    asked_amount: null,
    amount_reason: null,
    expires_at: null,
  }),
  ...more,
});
