import { isOpen } from "../../../contract/transactions.ts";
import type { Withdrawal, WithdrawalDetail } from "../../../contract/withdrawals.ts";
import { useSignedIn } from "../../api/use-api.ts";
import { groupedNumber } from "../../kit/look/account-number.ts";
import { CommandKey } from "../../kit/look/command-button.tsx";
import { useText } from "../../kit/texts/texts.ts";
import { DetailFrame } from "../../lists/detail-frame.tsx";
import type { ShownRecord } from "../../lists/use-shown-record.ts";
import { Checks } from "../../transactions/checks.tsx";
import { DecisionActs } from "../../transactions/decision-acts.tsx";
import { DecisionHead } from "../../transactions/decision-head.tsx";
import { Money } from "../../transactions/money.tsx";
import { Facts, History } from "../../transactions/record-sections.tsx";
import { Receipts } from "../../transactions/receipts/receipts.tsx";
import { Related } from "../../transactions/related.tsx";
import { usePainted } from "../../transactions/use-painted.ts";
import { BankFields } from "./bank-page/bank-fields.tsx";
import { PayoutFiles } from "./payout-files.tsx";
import { PaysFrom } from "./pays-from.tsx";

type Shown = ShownRecord<Withdrawal, WithdrawalDetail>;

/** Everything one decision needs, in one glance. */
export function Detail(shown: Shown) {
  const { row, marked } = shown;
  return (
    <DetailFrame
      {...shown}
      words="withdrawal"
      head={row && <Decide row={row} />}
      acts={<DecisionActs subject="withdrawal" row={row} marked={marked} />}
    >
      {row && <Sections {...shown} row={row} />}
    </DetailFrame>
  );
}

function Sections({ row, detail, wholeHistory, historyRef, onShown }: Shown & { row: Withdrawal }) {
  usePainted(row, detail, [row.amount, row.holder, row.account_number, detail?.checks], onShown);
  if (detail === null) return null;
  return (
    <>
      {isOpen(row) && <Checks checks={detail.checks} />}
      {isOpen(row) && <PaysFrom accounts={detail.accounts} />}
      <Money row={row} lines={detail.money} />
      <Facts row={row} history={detail.history} />
      <Related title="transaction.detail.customer" rows={detail.customer_last} total={detail.customer_total} />
      {detail.payee_open.length > 0 && <Related title="withdrawal.detail.payee" rows={detail.payee_open} total={null} />}
      <Receipts row={row} />
      {detail.payout_files.length > 0 && <PayoutFiles files={detail.payout_files} />}
      <History row={row} detail={detail} whole={wholeHistory} innerRef={historyRef} />
    </>
  );
}

function Decide({ row }: { row: Withdrawal }) {
  const t = useText();
  const { config } = useSignedIn();
  return (
    <DecisionHead row={row} sla={config.withdrawals.sla}>
      <div className="payee cut">
        <bdi>{row.holder}</bdi>
      </div>
      <div className="acct">
        <bdi className="t2 cut">{row.bank}</bdi>
        <bdi className="mono pan">
          {groupedNumber(row.account_number).slice(0, -4)}
          <b>{row.account_number.slice(-4)}</b>
        </bdi>
        <span className="end keys-end">
          <span className="label">{t("withdrawal.copy")}</span>
          <CommandKey id="copy.account-number" />
        </span>
      </div>
      {row.status !== "rejected" && row.status !== "expired" && <BankFields row={row} />}
      <div className="acct small t3">
        <bdi className="t2 cut">{row.merchant.name}</bdi>
        <span>·</span>
        <span className="cut">
          {t("transaction.member")} <bdi className="mono">{row.member}</bdi>
        </span>
        {row.customer_name.toLowerCase() !== row.holder.toLowerCase() && (
          <>
            <span>·</span>
            <bdi className="cut">{row.customer_name}</bdi>
          </>
        )}
      </div>
    </DecisionHead>
  );
}
