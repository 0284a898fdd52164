import type { TransferDetail } from "../../../contract/transfers.ts";
import { MoneyTable } from "../../transactions/money.tsx";
import { Receipts } from "../../transactions/receipts/receipts.tsx";

/** What each account of the ledger has before and after; of a posted one, as it was. */
export const MoneyOf = ({ detail }: { readonly detail: TransferDetail }) => <MoneyTable lines={detail.money} />;

export const ReceiptsOf = ({ detail }: { readonly detail: TransferDetail }) => <Receipts row={detail.row} />;
