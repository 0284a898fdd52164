import { useEffect, useLayoutEffect, useMemo, useRef } from "react";
import { isOpen } from "../../../contract/transactions.ts";
import type { Withdrawal, WithdrawalDetail } from "../../../contract/withdrawals.ts";
import { spanText } from "../../api/formats.ts";
import { instantTitle } from "../../api/instant.tsx";
import { useApi, useFormats, useSignedIn } from "../../api/use-api.ts";
import { useSecond } from "../../api/use-second.ts";
import { groupedNumber } from "../../kit/look/account-number.ts";
import { Amount } from "../../kit/look/amount.tsx";
import { CommandButton, CommandKey } from "../../kit/look/command-button.tsx";
import { KeyCap } from "../../kit/keys/key-cap.tsx";
import { Status } from "../../kit/look/status.tsx";
import { StrongEnd } from "../../kit/look/strong-end.tsx";
import { useText } from "../../kit/texts/texts.ts";
import { DetailFrame } from "../../lists/detail-frame.tsx";
import type { ShownRecord } from "../../lists/use-shown-record.ts";
import { ageClass, ageOf } from "../../transactions/age.ts";
import { Money } from "../../transactions/money.tsx";
import { Facts, History } from "../../transactions/record-sections.tsx";
import { Related } from "../../transactions/related.tsx";
import { inHand } from "./in-hand.ts";
import { Checks, PaysFrom } from "./detail-sections.tsx";

type Shown = ShownRecord<Withdrawal, WithdrawalDetail>;

/** Everything one decision needs, in one glance. */
export function Detail(shown: Shown) {
  const { row, marked } = shown;
  return (
    <DetailFrame {...shown} words="withdrawal" head={row && <Decide row={row} />} acts={<Acts row={row} marked={marked} />}>
      {row && <Sections {...shown} row={row} />}
    </DetailFrame>
  );
}

function Sections({ row, detail, wholeHistory, historyRef, onShown }: Shown & { row: Withdrawal }) {
  usePainted(row, detail, onShown);
  if (detail === null) return null;
  return (
    <>
      {isOpen(row) && <Checks checks={detail.checks} />}
      {isOpen(row) && <PaysFrom accounts={detail.accounts} />}
      <Money row={row} lines={detail.money} />
      <Facts row={row} />
      <Related title="transaction.detail.customer" rows={detail.customer_last} total={detail.customer_total} />
      {detail.payee_open.length > 0 && <Related title="withdrawal.detail.payee" rows={detail.payee_open} total={null} />}
      <History row={row} detail={detail} whole={wholeHistory} innerRef={historyRef} />
    </>
  );
}

/** Tells from when on the record with its checks has been on the screen; the same content under a new version keeps its time. */
function usePainted(row: Withdrawal, detail: WithdrawalDetail | null, onShown: Shown["onShown"]): void {
  const painted = useRef<{ content: string; at: number } | null>(null);
  const content = useMemo(
    () => (detail === null ? null : JSON.stringify([row.uuid, row.amount, row.holder, row.account_number, detail.checks])),
    [row.uuid, row.amount, row.holder, row.account_number, detail],
  );
  const version = detail?.row.version ?? 0;
  useLayoutEffect(() => {
    if (content === null) {
      onShown({ uuid: row.uuid, version: 0, paintedAt: null });
      return undefined;
    }
    if (painted.current?.content === content) {
      onShown({ uuid: row.uuid, version, paintedAt: painted.current.at });
      return undefined;
    }
    onShown({ uuid: row.uuid, version, paintedAt: null });
    const frame = requestAnimationFrame((at) => {
      painted.current = { content, at };
      onShown({ uuid: row.uuid, version, paintedAt: at });
    });
    return () => cancelAnimationFrame(frame);
  }, [content, row.uuid, version, onShown]);
  useEffect(() => () => onShown(null), [onShown]);
}

function Decide({ row }: { row: Withdrawal }) {
  const t = useText();
  const formats = useFormats();
  const { time } = useApi();
  const { user, config } = useSignedIn();
  useSecond();
  const now = time.now();
  const held = inHand(row, now, formats);
  const left = row.claim === null ? 0 : Math.max(0, Math.ceil((Date.parse(row.claim.until) - now) / 1000));
  return (
    <div className="decide">
      <div className="top">
        <Status status={row.status} />
        <bdi className={ageClass(row, now, config.withdrawals.sla)} title={instantTitle(formats, row.created_at, "part")}>
          {spanText(ageOf(row, now))}
        </bdi>
        {row.claim !== null && (
          <span className={row.claim.user === user.uuid ? "tag acc" : "tag"}>
            {row.claim.user === user.uuid ? t("withdrawal.you") : <bdi>{row.claim.name}</bdi>} ·{" "}
            <bdi>{t("withdrawal.seconds", { count: left })}</bdi>
          </span>
        )}
        {(held?.whole ?? null) !== null && <span className="tag said">{held?.whole}</span>}
        <span className="end">
          <StrongEnd id={row.txn_no} />
        </span>
      </div>
      <div className="amt">
        <Amount text={row.amount} />
        <small>{row.currency}</small>
        {isOpen(row) && row.tier > 1 && (
          <span className="tag warn end">
            {t(
              row.tier === 2
                ? "withdrawal.tier.confirm"
                : row.first_approved_by === null
                  ? "withdrawal.tier.second"
                  : "withdrawal.tier.awaits",
            )}
            <KeyCap chord="$mod+Enter" />
          </span>
        )}
      </div>
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
      <div className="acct small t3">
        <bdi className="t2 cut">{row.merchant.name}</bdi>
        <span>·</span>
        <span className="cut">
          {t("withdrawal.member")} <bdi className="mono">{row.member}</bdi>
        </span>
        {row.customer_name.toLowerCase() !== row.holder.toLowerCase() && (
          <>
            <span>·</span>
            <bdi className="cut">{row.customer_name}</bdi>
          </>
        )}
      </div>
    </div>
  );
}

/** The acts with their keys in fixed places. */
function Acts({ row, marked }: { row: Withdrawal | null; marked: number }) {
  const t = useText();
  const decided = row !== null && !isOpen(row) && marked === 0;
  return (
    <>
      {decided ? (
        <>
          <CommandButton id="withdrawal.recall" look="no" className="grow" />
          <CommandButton id="withdrawal.send-callback" />
        </>
      ) : (
        <>
          <CommandButton id="withdrawal.approve" look="go">
            {marked > 1 ? t("withdrawal.acts.approve-many", { count: marked }) : t("withdrawal.acts.approve")}
          </CommandButton>
          <CommandButton id="withdrawal.reject" look="no">
            {t("withdrawal.acts.reject")}
          </CommandButton>
          {row !== null && marked === 0 && row.first_approved_by !== null ? (
            <CommandButton id="withdrawal.hand-back">{t("withdrawal.acts.hand-back")}</CommandButton>
          ) : (
            <CommandButton id="withdrawal.defer">{t("withdrawal.acts.defer")}</CommandButton>
          )}
        </>
      )}
      <CommandButton id="withdrawal.take-next">{t("withdrawal.acts.next")}</CommandButton>
    </>
  );
}
