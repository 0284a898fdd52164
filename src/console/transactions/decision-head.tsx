import type { ReactNode } from "react";
import type { DecisionRow } from "../../contract/decisions.ts";
import { ageOf } from "../../contract/decisions.ts";
import { isOpen } from "../../contract/transactions.ts";
import type { Transaction } from "../../contract/transactions.ts";
import { spanText } from "../api/formats.ts";
import { instantTitle } from "../api/instant.tsx";
import { useApi, useFormats, useSignedIn } from "../api/use-api.ts";
import { useSecond } from "../api/use-second.ts";
import { KeyCap } from "../kit/keys/key-cap.tsx";
import { Amount } from "../kit/look/amount.tsx";
import { Status } from "../kit/look/status.tsx";
import { StrongEnd } from "../kit/look/strong-end.tsx";
import { useText } from "../kit/texts/texts.ts";
import { ageClass } from "./age.ts";
import type { Sla } from "./age.ts";
import { inHand } from "./in-hand.ts";

interface DecisionHeadProps {
  readonly row: DecisionRow;
  readonly sla: Sla;
  /** Whether a row waits for us; left out: every open one does. */
  readonly waits?: (row: Transaction) => boolean;
  /** Beside the amount: another that it stands against. */
  readonly beside?: ReactNode;
  readonly children: ReactNode;
}

/** Status, age, who has it in hand, and the amount with what its tier asks; beneath, whose money it is. */
export function DecisionHead({ row, sla, waits, beside, children }: DecisionHeadProps) {
  const t = useText();
  const formats = useFormats();
  const { time } = useApi();
  const { user } = useSignedIn();
  useSecond();
  const now = time.now();
  const held = inHand(row, now, formats);
  return (
    <div className="decide">
      <div className="top">
        <Status status={row.status} />
        <bdi className={ageClass(row, now, sla, waits)} title={instantTitle(formats, row.created_at, "part")}>
          {spanText(ageOf(row, now))}
        </bdi>
        {row.claim !== null && (
          <span className={row.claim.user === user.uuid ? "tag acc" : "tag"}>
            {row.claim.user === user.uuid ? t("transaction.you") : <bdi>{row.claim.name}</bdi>} ·{" "}
            <bdi>{spanText(now - Date.parse(row.claim.since))}</bdi>
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
        {beside}
        {isOpen(row) && row.tier > 1 && (
          <span className="tag warn end">
            {t(
              row.tier === 2
                ? "transaction.tier.confirm"
                : row.first_approved_by === null
                  ? "transaction.tier.second"
                  : "transaction.tier.awaits",
            )}
            <KeyCap chord="$mod+Enter" />
          </span>
        )}
      </div>
      {children}
    </div>
  );
}
