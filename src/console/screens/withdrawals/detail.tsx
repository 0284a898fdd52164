import { useEffect, useLayoutEffect, useMemo, useRef } from "react";
import type { RefObject } from "react";
import type { Check, HistoryEvent, PayingAccount, RelatedTransaction } from "../../../contract/transactions.ts";
import { isOpen } from "../../../contract/transactions.ts";
import type { Withdrawal, WithdrawalDetail } from "../../../contract/withdrawals.ts";
import type { z } from "zod";
import { describeFailure } from "../../api/failure.ts";
import type { CallFailure } from "../../api/failure.ts";
import { spanText } from "../../api/formats.ts";
import { useApi, useFormats, useSignedIn } from "../../api/use-api.ts";
import { useSecond } from "../../api/use-second.ts";
import { problemText } from "../../i18n.ts";
import { CommandButton } from "../../kit/command-button.tsx";
import type { ShownDetail } from "../../kit/context.ts";
import { Icon } from "../../kit/icon.tsx";
import type { IconName } from "../../kit/icon.tsx";
import { KeyCap } from "../../kit/key-cap.tsx";
import type { MessageKey } from "../../kit/messages.ts";
import { Status } from "../../kit/status.tsx";
import { StrongEnd } from "../../kit/strong-end.tsx";
import { hasText, text, useText } from "../../kit/texts.ts";
import { checkLine, signed, unfitLine } from "./check-lines.ts";
import { ageClass, ageOf, roomClass, usedShare } from "./columns.ts";

export interface DetailProps {
  readonly row: Withdrawal | null;
  readonly detail: WithdrawalDetail | null;
  readonly failure: CallFailure | null;
  readonly marked: number;
  readonly historyRef: RefObject<HTMLElement | null>;
  readonly wholeHistory: boolean;
  onRetry(): void;
  /** Since when the record and its checks have been on screen. */
  onShown(shown: ShownDetail | null): void;
}

/** Everything one decision needs, in one glance (keyboard.md 3). */
export function Detail(props: DetailProps) {
  const { row, detail, failure, marked } = props;
  const t = useText();
  return (
    <div className="detail">
      {row === null ? (
        <p className="instead">{t("withdrawal.detail.none")}</p>
      ) : (
        <Record {...props} row={row} detail={detail?.row.uuid === row.uuid ? detail : null} failure={failure} />
      )}
      <Acts row={row} marked={marked} />
    </div>
  );
}

function Record({ row, detail, failure, historyRef, wholeHistory, onRetry, onShown }: DetailProps & { row: Withdrawal }) {
  usePainted(row, detail, onShown);
  return (
    <div className="body" data-pane-focus tabIndex={-1}>
      <Decide row={row} />
      {detail !== null && (
        <>
          {isOpen(row) && <Checks checks={detail.checks} />}
          {isOpen(row) && <PaysFrom accounts={detail.accounts} />}
          <Money row={row} lines={detail.money} />
          <Related title="withdrawal.detail.customer" rows={detail.customer_last} total={detail.customer_total} />
          {detail.payee_open.length > 0 && <Related title="withdrawal.detail.payee" rows={detail.payee_open} total={null} />}
          <History row={row} detail={detail} whole={wholeHistory} innerRef={historyRef} />
        </>
      )}
      {detail === null && failure === null && <Waiting />}
      {failure !== null && <Failed failure={failure} onRetry={onRetry} />}
    </div>
  );
}

/** Tells from when on the record with its checks has been on the screen; the same content under a new version keeps its time. */
function usePainted(row: Withdrawal, detail: WithdrawalDetail | null, onShown: DetailProps["onShown"]): void {
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
  const left = row.claim === null ? 0 : Math.max(0, Math.ceil((Date.parse(row.claim.until) - now) / 1000));
  return (
    <div className="decide">
      <div className="top">
        <Status status={row.status} />
        <bdi className={ageClass(row, now, config.withdrawals.sla)}>{spanText(ageOf(row, now))}</bdi>
        {row.claim !== null && (
          <span className={row.claim.user === user.uuid ? "tag acc" : "tag"}>
            {row.claim.user === user.uuid ? t("withdrawal.you") : <bdi>{row.claim.name}</bdi>} ·{" "}
            <bdi>{t("withdrawal.seconds", { count: left })}</bdi>
          </span>
        )}
        <span className="end">
          <StrongEnd id={row.txn_no} />
        </span>
      </div>
      <div className="amt">
        <bdi>{formats.amount(row.amount)}</bdi>
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
        <span className="t2 cut">{row.bank}</span>
        <bdi className="mono pan">
          {grouped(row.account_number.slice(0, -4))} <b>{row.account_number.slice(-4)}</b>
        </bdi>
        <span className="end keys-end">
          <span className="label">{t("withdrawal.copy")}</span>
          <KeyCap chord="y a" />
        </span>
      </div>
      <div className="acct small t3">
        <span className="t2 cut">{row.merchant.name}</span>
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

/** Digits in fours from their end. */
const grouped = (digits: string): string => digits.replace(/\B(?=(?:.{4})+$)/g, " ");

const glyphs = { pass: "tick", warn: "warn", fail: "cross", unknown: "unknown" } as const satisfies Record<Check["result"], IconName>;
const tones = { pass: "pass", warn: "warn", fail: "fail", unknown: "t3" } as const;
const order = { fail: 0, warn: 1, unknown: 2, pass: 3 } as const;

function Checks({ checks }: { checks: readonly Check[] }) {
  const t = useText();
  const count = (result: Check["result"]) => checks.filter((check) => check.result === result).length;
  const sorted = checks.toSorted((a, b) => order[a.result] - order[b.result]);
  return (
    <section className="sec">
      <h2>
        {t("withdrawal.detail.checks")}
        <span className="end">
          {(["pass", "warn", "fail", "unknown"] as const).map((result) => (
            <span key={result} className={count(result) > 0 ? tones[result] : ""}>
              <Icon name={glyphs[result]} />
              {count(result)}
              <span className="sr">{t(`check.result.${result}`)}</span>
            </span>
          ))}
        </span>
      </h2>
      {sorted.map((check) => {
        const { title, value } = checkLine(check, t);
        const tinted = check.result === "warn" || check.result === "fail" ? ` is-${check.result}` : "";
        return (
          <div key={check.name} className={`ck${tinted}`}>
            <Icon name={glyphs[check.result]} className={tones[check.result]} />
            <span>
              <span className="sr">{t(`check.result.${check.result}`)}: </span>
              {title}
            </span>
            <b title={value}>
              <bdi>{value}</bdi>
            </b>
          </div>
        );
      })}
    </section>
  );
}

/** Accounts that may not pay shown at most, with why. */
const unfitShown = 2;

function PaysFrom({ accounts }: { accounts: readonly PayingAccount[] }) {
  const t = useText();
  const fit = accounts.filter((account) => account.unfit === null);
  const unfit = accounts.filter((account) => account.unfit !== null && account.unfit.code !== "purpose" && account.unfit.code !== "method");
  return (
    <section className="sec">
      <h2>
        {t("withdrawal.detail.pays-from")}
        <span className="end">
          {t("withdrawal.detail.other-account")} <KeyCap chord="Shift+a" />
        </span>
      </h2>
      {fit.length === 0 && (
        <div className="ck is-fail">
          <Icon name="cross" className="fail" />
          <span>{t("withdrawal.detail.no-fit")}</span>
        </div>
      )}
      {fit.slice(0, 3).map((account) => {
        const share = account.daily_limit === null ? null : usedShare(account.daily_used, account.daily_limit);
        return (
          <div key={account.uuid} className="ln">
            <bdi className="mono strong">{account.code}</bdi>
            <span className="t2 cut">{account.holder}</span>
            {account.suggested && <span className="tag end">{t("withdrawal.detail.suggested")}</span>}
            {share !== null && (
              <span
                className={`${roomClass(share)} wide${account.suggested ? "" : " end"}`}
                title={t("withdrawal.used-share", { percent: Math.round(share) })}
              >
                <i style={{ "--v": `${share}%` }} />
              </span>
            )}
          </div>
        );
      })}
      {unfit.slice(0, unfitShown).map((account) => (
        <div key={account.uuid} className="ck">
          <Icon name="cross" className="t3" />
          <span>
            <bdi className="mono">{account.code}</bdi>
          </span>
          <b title={unfitLine(account, t)}>
            <bdi>{unfitLine(account, t)}</bdi>
          </b>
        </div>
      ))}
    </section>
  );
}

function Money({ row, lines }: { row: Withdrawal; lines: WithdrawalDetail["money"] }) {
  const t = useText();
  const formats = useFormats();
  if (lines.length === 0) return null;
  // what the bank will take is known of the account that would pay, before the row itself is charged
  const charges = isOpen(row) ? (lines.find(({ account }) => account === "bank-charges")?.change ?? row.charges) : row.charges;
  return (
    <section className="sec">
      <h2>
        {t("withdrawal.detail.money")}
        <span className="end">
          {t("withdrawal.detail.fee", {
            fee: formats.amount(row.fee),
            charges: formats.amount(charges),
            by: t(`withdrawal.borne.${row.charges_borne_by}`),
          })}
        </span>
      </h2>
      <table className="tbl">
        <thead>
          <tr>
            <th>
              <span className="sr">{t("withdrawal.detail.money")}</span>
            </th>
            <th>{t("withdrawal.detail.before")}</th>
            <th>{t("withdrawal.detail.change")}</th>
            <th>{t("withdrawal.detail.after")}</th>
          </tr>
        </thead>
        <tbody>
          {lines.map((line) => (
            <tr key={line.account}>
              <td>
                {line.account === "payment-account" ? <bdi className="mono">{line.label}</bdi> : t(`withdrawal.money.${line.account}`)}
              </td>
              <td className="t2">
                <bdi>{formats.amount(line.before)}</bdi>
              </td>
              <td>
                <bdi>{signed(line.change)}</bdi>
              </td>
              <td>
                <bdi className="strong">{formats.amount(line.after)}</bdi>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function Related({
  title,
  rows,
  total,
}: {
  title: MessageKey;
  rows: readonly z.infer<typeof RelatedTransaction>[];
  total: WithdrawalDetail["customer_total"] | null;
}) {
  const t = useText();
  const formats = useFormats();
  const { time } = useApi();
  const today = formats.day(time.now());
  return (
    <section className="sec">
      <h2>
        {t(title)}
        <span className="end">
          <bdi>{total === null ? rows.length : `${total.count} · ${formats.amount(total.amount)}`}</bdi>
        </span>
      </h2>
      {rows.length === 0 && <p className="ln t3">{t("withdrawal.detail.first-of-customer")}</p>}
      {rows.map((row) => (
        <div key={row.uuid} className="ln">
          <span className="of-status">
            <Status status={row.status} />
          </span>
          <bdi className="id">
            …<b>{row.txn_no.slice(-6)}</b>
          </bdi>
          <bdi className="t3">{formats.day(row.created_at) === today ? formats.clock(row.created_at) : formats.day(row.created_at)}</bdi>
          <bdi className="num">{formats.amount(row.amount)}</bdi>
        </div>
      ))}
    </section>
  );
}

/** Events shown before `i` asks for all. */
const eventsShown = 4;

function History({
  row,
  detail,
  whole,
  innerRef,
}: {
  row: Withdrawal;
  detail: WithdrawalDetail;
  whole: boolean;
  innerRef: RefObject<HTMLElement | null>;
}) {
  const t = useText();
  const formats = useFormats();
  const newestFirst = detail.history.toSorted((a, b) => b.n - a.n);
  const shown = whole ? newestFirst : newestFirst.slice(0, eventsShown);
  const { callback } = detail;
  return (
    <section className="sec last" ref={innerRef} tabIndex={-1}>
      <h2>
        {t("withdrawal.detail.history")}
        {!whole && newestFirst.length > shown.length && (
          <span className="end">
            {t("withdrawal.detail.all", { count: newestFirst.length })} <KeyCap chord="i" />
          </span>
        )}
      </h2>
      {callback !== null && (
        <div className="ln">
          <time>{t("withdrawal.detail.callback")}</time>
          <span className={callback.state === "failed" ? "fail cut" : "cut"}>
            {t(`withdrawal.callback.${callback.state}`, { count: callback.attempts })}
            {callback.state !== "delivered" && callback.last_error !== null && <span className="t3"> {callback.last_error}</span>}
          </span>
        </div>
      )}
      {row.remark !== null && (
        <div className="ln">
          <time>{t("withdrawal.detail.remark")}</time>
          <span className="cut t2" title={row.remark}>
            {row.remark}
          </span>
        </div>
      )}
      {shown.map((event) => (
        <div key={event.n} className="ln" title={formats.time(event.at)}>
          <time>
            <bdi>{formats.clock(event.at)}</bdi>
          </time>
          <span className="cut">
            {told(event)}
            {event.reason !== null && event.reason !== "" && <span className="t3"> · {reasonName(event.reason)}</span>}
          </span>
        </div>
      ))}
    </section>
  );
}

function told(event: z.infer<typeof HistoryEvent>): string {
  const key = `withdrawal.event.${event.act}`;
  return hasText(key) ? text(key, { name: event.by }) : `${event.act} · ${event.by}`;
}

/** A preset's text, else the reason as it was written. */
function reasonName(reason: string): string {
  const key = `reason.${reason}`;
  return hasText(key) ? text(key) : reason;
}

function Waiting() {
  const t = useText();
  return (
    <div className="sec late" role="status" aria-label={t("withdrawal.detail.loading")}>
      {Array.from({ length: 8 }, (_, line) => (
        <div key={line} className="ck">
          <span className="bone" />
        </div>
      ))}
    </div>
  );
}

function Failed({ failure, onRetry }: { failure: CallFailure; onRetry: () => void }) {
  const t = useText();
  const { title, text: why } = describeFailure(failure, { text: t, problem: problemText });
  return (
    <div className="sec" role="alert">
      <p className="fail">
        {title} {why}
      </p>
      {failure.requestId !== null && (
        <p className="label">
          {t("withdrawal.request-id")} <bdi className="mono">{failure.requestId}</bdi>
        </p>
      )}
      <button type="button" className="btn" onClick={onRetry}>
        {t("page.retry")}
        <KeyCap chord="Shift+r" />
      </button>
    </div>
  );
}

/** What the next key acts on, and the acts with their keys in fixed places. */
function Acts({ row, marked }: { row: Withdrawal | null; marked: number }) {
  const t = useText();
  const decided = row !== null && !isOpen(row) && marked === 0;
  return (
    <div className="acts">
      {marked > 0 && (
        <div className="aim">
          <Icon name="tick" size="xs" />
          <span className="strong">{t("withdrawal.acts.marked", { count: marked })}</span>
          <span className="end keys-end">
            <KeyCap chord="Escape" /> {t("withdrawal.acts.clears")}
          </span>
        </div>
      )}
      <div className="bar">
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
            <CommandButton id="withdrawal.defer">{t("withdrawal.acts.defer")}</CommandButton>
          </>
        )}
        <CommandButton id="withdrawal.take-next">{t("withdrawal.acts.next")}</CommandButton>
      </div>
    </div>
  );
}
