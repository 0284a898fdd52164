import type { Ref } from "react";
import { useEffect, useId, useRef } from "react";
import { KeyCap } from "../../kit/keys/key-cap.tsx";
import { useText } from "../../kit/texts/texts.ts";
import { ComposerAccount } from "./composer-accounts.tsx";
import { ComposerProgress, ComposerSums, progressOf } from "./composer-foot.tsx";
import { accountAt } from "./composer-rows.ts";
import type { ComposerRow } from "./composer-rows.ts";
import { keyOf, whyWords } from "./composer-words.ts";
import type { Wording } from "./composer-words.ts";
import type { ComposerState } from "./composer-work.ts";

interface PaneProps {
  readonly state: ComposerState;
  readonly cursor: ComposerRow | null;
  /** The account the keys act on; null while they act on the list. */
  readonly aimed: string | null;
  readonly accountsRef: Ref<HTMLDivElement>;
  readonly wording: Wording;
  readonly currency: string;
  /** Why nothing can be confirmed. */
  readonly refused: string | null;
  /** Payouts without an answer can be sent again. */
  readonly canResend: boolean;
  onConfirm(): void;
  onRecompute(): void;
  onLeave(): void;
}

/** The accounts before and after, what leaves them, and the one confirmation. */
export function ComposerPane({ state, cursor, aimed, accountsRef, wording, currency, ...acts }: PaneProps) {
  const t = useText();
  const id = useId();
  const { plan, order, stage } = state;
  const here = accountAt(cursor);
  const accounts = order.flatMap((uuid) => plan?.accounts.find((account) => account.uuid === uuid) ?? []);
  const scroller = useRef<HTMLDivElement>(null);
  // the account that is meant is in view, whichever side the keys act on
  const meant = aimed ?? here;
  useEffect(() => {
    const element = meant === null ? null : document.getElementById(`${id} ${meant}`);
    const place = scroller.current;
    if (element === null || place === null) return;
    // by hand, because scrollIntoView may move the page behind as well
    const [top, bottom] = [element.offsetTop, element.offsetTop + element.offsetHeight];
    if (top < place.scrollTop) place.scrollTop = top;
    else if (bottom > place.scrollTop + place.clientHeight) place.scrollTop = bottom - place.clientHeight;
  }, [id, meant]);
  return (
    <section className="composer-pane" aria-label={t("payout.accounts")}>
      <div className="composer-legend">
        <b className="strong">{t("payout.accounts")}</b>
        <span className="end composer-key" aria-hidden="true">
          {(["is-reserve", "is-left", "is-paid", "is-here", "is-held"] as const).map((part) => (
            <span key={part}>
              <i className={`composer-part ${part}`} />
              {t(`payout.part.${part}`)}
            </span>
          ))}
        </span>
      </div>
      <div ref={scroller} className="composer-scroll">
        <div
          ref={accountsRef}
          className="composer-accounts"
          role="listbox"
          tabIndex={0}
          aria-label={t("payout.accounts")}
          aria-activedescendant={aimed === null ? undefined : `${id} ${aimed}`}
        >
          {accounts.map((account) => (
            <ComposerAccount
              key={account.uuid}
              id={`${id} ${account.uuid}`}
              account={account}
              keyCap={keyOf(state, account.uuid)}
              isHere={account.uuid === here}
              isAimed={account.uuid === aimed}
            />
          ))}
        </div>
        {plan !== null && accounts.length === 0 && <p className="composer-none t2">{t("payout.cannot.no-account")}</p>}
      </div>
      <div className="composer-foot">
        <Reasons state={state} cursor={cursor} wording={wording} />
        {plan !== null && <ComposerSums plan={plan} currency={currency} />}
        {stage === "running" || stage === "over" ? (
          <>
            <progress max={progressOf(state).of} value={progressOf(state).settled} aria-label={t("sheet.bulk.progress")} />
            <ComposerProgress state={state} />
          </>
        ) : (
          <Keys />
        )}
        <Buttons state={state} {...acts} />
      </div>
    </section>
  );
}

/** Every reason of the line under the cursor, which its cell has no room for. */
function Reasons({ state, cursor, wording }: Pick<PaneProps, "state" | "cursor" | "wording">) {
  if (cursor?.kind !== "payout" || (cursor.place !== "cannot" && cursor.place !== "failed")) return null;
  return (
    <p className="composer-reasons">
      <bdi className="mono">…{cursor.row.txn_no.slice(-6)}</bdi> <span className="fail">{whyWords(state, cursor.row, wording, true)}</span>
    </p>
  );
}

const keys = [
  [["1", "9"], "payout.key.move"],
  [["x"], "payout.key.leave-out"],
  [["p"], "payout.key.pin"],
  [["m"], "payout.key.other"],
  [["z"], "payout.key.take-back"],
  [["F6"], "payout.key.side"],
] as const;

function Keys() {
  const t = useText();
  return (
    <p className="composer-keys">
      {keys.map(([chords, name]) => (
        <span key={name}>
          <bdi>
            {chords.map((chord, at) => (
              <span key={chord}>
                {at > 0 && "–"}
                <KeyCap chord={chord} />
              </span>
            ))}
          </bdi>
          {t(name)}
        </span>
      ))}
    </p>
  );
}

type ButtonProps = Pick<PaneProps, "state" | "refused" | "canResend" | "onConfirm" | "onRecompute" | "onLeave">;

function Buttons({ state: { plan, stage }, refused, canResend, onConfirm, onRecompute, onLeave }: ButtonProps) {
  const t = useText();
  const count = plan?.placed.count ?? 0;
  const isSecond = plan !== null && (plan.tier === 3 || (count > 0 && plan.second === count));
  if (stage === "running")
    return (
      <div className="composer-go">
        <span className="grow" />
        <button type="button" className="btn" onClick={onLeave}>
          {t("sheet.bulk.stop")}
          <KeyCap chord="Escape" />
        </button>
      </div>
    );
  if (stage === "over")
    return (
      <div className="composer-go">
        <button type="button" className={canResend ? "btn go grow" : "btn grow"} onClick={canResend ? onConfirm : onLeave}>
          {t(canResend ? "payout.resend" : "sheet.close")}
          <KeyCap chord="$mod+Enter" />
        </button>
        {canResend && (
          <button type="button" className="btn" onClick={onLeave}>
            {t("sheet.close")}
            <KeyCap chord="Escape" />
          </button>
        )}
      </div>
    );
  return (
    <div className="composer-go">
      <button
        type="button"
        className="btn go grow"
        aria-disabled={refused === null ? undefined : true}
        title={refused ?? undefined}
        onClick={onConfirm}
      >
        <span className="cut">{t(isSecond ? "payout.confirm-second" : "withdrawal.ask.approve-many", { count })}</span>
        <KeyCap chord="$mod+Enter" />
      </button>
      <button type="button" className="btn" onClick={onRecompute}>
        {t("payout.recompute")}
        <KeyCap chord="e" />
      </button>
      <button type="button" className="btn bare" onClick={onLeave}>
        {t("payout.leave")}
        <KeyCap chord="Escape" />
      </button>
    </div>
  );
}
