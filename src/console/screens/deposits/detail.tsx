import type { ReactNode } from "react";
import type { Deposit, DepositDetail } from "../../../contract/deposits.ts";
import { isOpen } from "../../../contract/transactions.ts";
import { Instant } from "../../api/instant.tsx";
import { useSignedIn } from "../../api/use-api.ts";
import { shownAmount } from "../../kit/look/amounts.ts";
import { CommandButton, CommandKey } from "../../kit/look/command-button.tsx";
import { useText } from "../../kit/texts/texts.ts";
import { DetailFrame } from "../../lists/detail-frame.tsx";
import type { ShownRecord } from "../../lists/use-shown-record.ts";
import { Checks } from "../../transactions/checks.tsx";
import { DecisionActs } from "../../transactions/decision-acts.tsx";
import { DecisionHead } from "../../transactions/decision-head.tsx";
import { Money } from "../../transactions/money.tsx";
import { Receipts } from "../../transactions/receipts/receipts.tsx";
import { Facts, History } from "../../transactions/record-sections.tsx";
import { Related } from "../../transactions/related.tsx";
import { usePainted } from "../../transactions/use-painted.ts";
import { Credited } from "./credited.tsx";
import { Proof } from "./proof.tsx";
import { waitsForUs } from "./waits-for-us.ts";

type Shown = ShownRecord<Deposit, DepositDetail>;

/** Everything one decision needs, in one glance. */
export function Detail(shown: Shown) {
  const { row, marked } = shown;
  return (
    <DetailFrame
      {...shown}
      words="deposit"
      head={row && <Decide row={row} />}
      acts={<DecisionActs subject="deposit" row={row} marked={marked} others={row && otherActs(row)} />}
    >
      {row && <Sections {...shown} row={row} />}
    </DetailFrame>
  );
}

/** Until it is paid it can be marked as paid, and once it has expired it can be reopened. */
function otherActs({ status }: Deposit): ReactNode {
  if (status === "pending")
    return (
      <>
        <CommandButton id="deposit.process" look="go" />
        <CommandButton id="deposit.reject" look="no" />
      </>
    );
  return status === "expired" ? <CommandButton id="deposit.reopen" look="go" /> : null;
}

function Sections({ row, detail, wholeHistory, historyRef, onShown }: Shown & { row: Deposit }) {
  const open = isOpen(row);
  usePainted(row, detail, [row.amount, row.customer_name, detail?.account?.code ?? "", detail?.checks], onShown);
  if (detail === null) return null;
  return (
    <>
      {open && <Checks checks={detail.checks} />}
      {detail.account !== null && <Credited account={detail.account} open={open} />}
      <Proof row={row} lines={detail.lines} />
      <Receipts row={row} />
      <Money row={row} lines={detail.money} />
      <Facts row={row} history={detail.history} receives={row.merchant_receive} />
      <Related title="transaction.detail.customer" rows={detail.customer_last} total={detail.customer_total} />
      <History row={row} detail={detail} whole={wholeHistory} innerRef={historyRef} />
    </>
  );
}

function Decide({ row }: { row: Deposit }) {
  const t = useText();
  const { config } = useSignedIn();
  const { asked_amount: asked, amount_reason: why } = row;
  return (
    <DecisionHead
      row={row}
      sla={config.deposits.sla}
      waits={waitsForUs}
      beside={
        asked !== null && (
          <span className="tag warn">
            {t("deposit.asked")} <bdi>{shownAmount(asked)}</bdi>
          </span>
        )
      }
    >
      {why !== null && (
        <p className="why small t2 cut" title={why}>
          <bdi>{why}</bdi>
        </p>
      )}
      <div className="payee cut">
        <bdi>{row.customer_name}</bdi>
      </div>
      <div className="acct">
        <span className="t3">{t("transaction.column.reference")}</span>
        <bdi className="mono cut">{row.reference_no ?? "–"}</bdi>
        {waitsForUs(row) && (
          <span className="end keys-end">
            <span className="label">{t("deposit.detail.other-amount")}</span>
            <CommandKey id="deposit.approve-with" />
          </span>
        )}
        {row.status === "pending" && row.expires_at !== null && (
          <span className="end small t2">
            {t("deposit.detail.expires")} <Instant at={row.expires_at} as="clock" />
          </span>
        )}
      </div>
      <div className="acct small t3">
        <bdi className="t2 cut">{row.merchant.name}</bdi>
        <span>·</span>
        <span className="cut">
          {t("transaction.member")} <bdi className="mono">{row.member}</bdi>
        </span>
        {row.source === "manual" && (
          <>
            <span>·</span>
            <span className="tag">{t("deposit.manual")}</span>
          </>
        )}
      </div>
    </DecisionHead>
  );
}
