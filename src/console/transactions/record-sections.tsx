import type { ReactNode, RefObject } from "react";
import type { z } from "zod";
import type { CallbackState, HistoryEvent, Transaction } from "../../contract/transactions.ts";
import { Instant } from "../api/instant.tsx";
import { Amount } from "../kit/look/amount.tsx";
import { CommandKey } from "../kit/look/command-button.tsx";
import { hasText, text, useText } from "../kit/texts/texts.ts";
import { AuditLink } from "../lists/audit-link.tsx";
import { reasonName } from "./reason-name.ts";

/** What a detail tells of what became of a transaction. */
export interface Recorded {
  readonly history: readonly z.infer<typeof HistoryEvent>[];
  readonly callback: z.infer<typeof CallbackState> | null;
}
type Try = z.infer<typeof CallbackState>["tries"][number];

/** Where the transaction is from, when it came to what, by whom, the numbers others know it by, and what it comes to. */
export function Facts({ row, history, receives }: { row: Transaction; history: Recorded["history"]; receives?: string }) {
  const t = useText();
  const authorOf = (event: Recorded["history"][number] | undefined) => (event === undefined ? null : { name: event.by });
  const acts = [
    { act: "created", at: row.created_at, by: authorOf(history.find(({ n }) => n === 1)) },
    { act: "payment-date", at: row.payment_date, by: null },
    { act: "processed", at: row.processed_at, by: row.processed_by },
    { act: "approved", at: row.approved_at, by: row.approved_by },
    { act: "rejected", at: row.rejected_at, by: row.rejected_by },
    { act: "expired", at: row.expired_at, by: authorOf(history.findLast(({ to_status }) => to_status === "expired")) },
    { act: "completed", at: row.completed_at, by: null },
    { act: "last-action", at: row.last_action_at, by: row.last_action_by },
  ] as const;
  const amounts = [
    { name: "final", amount: row.final_amount },
    { name: "receive", amount: receives ?? null },
    { name: "previous", amount: row.previous_balance },
  ] as const;
  return (
    <section className="sec">
      <h2>{t("transaction.detail.record")}</h2>
      <Fact name={t("transaction.column.source")}>{t(`transaction.source.${row.source}`)}</Fact>
      {acts.map(
        ({ act, at, by }) =>
          at !== null && (
            <Fact key={act} name={t(`transaction.column.${act}`)}>
              <Instant at={at} />
              {by !== null && <bdi className="cut t2">{by.name}</bdi>}
            </Fact>
          ),
      )}
      {row.reject_reason !== null && (
        <Fact name={t("transaction.column.reason")}>
          <bdi className="cut" title={reasonName(row.reject_reason)}>
            {reasonName(row.reject_reason)}
          </bdi>
        </Fact>
      )}
      {row.merchant_txn_no !== null && (
        <Fact name={t("transaction.column.merchant-number")}>
          <bdi className="mono">{row.merchant_txn_no}</bdi>
        </Fact>
      )}
      {row.reference_no !== null && (
        <Fact name={t("transaction.column.reference")}>
          <bdi className="mono">{row.reference_no}</bdi>
        </Fact>
      )}
      <Fact name={t("transaction.column.charges-type")}>{t(`transaction.charges-type.${row.charges_type}`)}</Fact>
      {amounts.map(
        ({ name, amount }) =>
          amount !== null && (
            <Fact key={name} name={t(`transaction.column.${name}`)}>
              <Amount text={amount} />
            </Fact>
          ),
      )}
    </section>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="ln">
      <span className="name t3">{name}</span>
      {children}
    </div>
  );
}

/** Lines shown before `i` asks for all. */
const linesShown = 4;

export function History({
  row,
  detail,
  whole,
  innerRef,
}: {
  row: Transaction;
  detail: Recorded;
  whole: boolean;
  innerRef: RefObject<HTMLElement | null>;
}) {
  const t = useText();
  const { callback } = detail;
  const lines = [
    ...detail.history.map((event) => ({ id: String(event.n), at: event.at, line: <Event event={event} /> })),
    ...(callback?.tries ?? []).map((one) => ({ id: `${one.callback} ${one.n}`, at: one.at, line: <CallbackTry one={one} /> })),
  ];
  // as the server sent them where two are of one moment
  const newestFirst = lines.toReversed().toSorted((a, b) => Date.parse(b.at) - Date.parse(a.at));
  const shown = whole ? newestFirst : newestFirst.slice(0, linesShown);
  return (
    <section className="sec last" ref={innerRef} tabIndex={-1}>
      <h2>
        {t("transaction.detail.history")}
        {!whole && newestFirst.length > shown.length && (
          <span className="end">
            {t("transaction.detail.all", { count: newestFirst.length })} <CommandKey id="list.history" />
          </span>
        )}
      </h2>
      {callback !== null && (
        <Fact name={t("transaction.detail.callback")}>
          <span className={callback.state === "failed" ? "fail cut" : "cut"}>
            {t(`transaction.callback.${callback.state}`, { count: callback.attempts })}
            {callback.state !== "delivered" && callback.last_error !== null && <span className="t3"> {callback.last_error}</span>}
          </span>
        </Fact>
      )}
      {callback?.state === "pending" && callback.next_attempt_at !== null && (
        <Fact name={t("transaction.callback.next")}>
          <Instant at={callback.next_attempt_at} />
        </Fact>
      )}
      {row.remark !== null && (
        <Fact name={t("transaction.detail.remark")}>
          <span className="cut t2" title={row.remark}>
            {row.remark}
          </span>
        </Fact>
      )}
      <AuditLink of={row.uuid} />
      {shown.map(({ id, at, line }) => (
        <div key={id} className="ln">
          <Instant at={at} />
          {line}
        </div>
      ))}
    </section>
  );
}

function Event({ event }: { event: z.infer<typeof HistoryEvent> }) {
  const key = `transaction.event.${event.act}`;
  const told = hasText(key) ? text(key, { name: event.by }) : `${event.act} · ${event.by}`;
  const reason = event.reason === null || event.reason === "" ? null : reasonName(event.reason);
  return (
    <span className="cut" title={reason === null ? told : `${told} · ${reason}`}>
      {told}
      {reason !== null && <span className="t3"> · {reason}</span>}
    </span>
  );
}

/** An attempt with what came of it; its hover title has all of the answer that is kept. */
function CallbackTry({ one }: { one: Try }) {
  const t = useText();
  const told =
    one.status === null ? t("transaction.try.unanswered", { n: one.n }) : t("transaction.try.answered", { n: one.n, status: one.status });
  const asked = one.by === null ? null : t("transaction.try.asked-by", { name: one.by });
  const rest = [one.error, one.answer, asked].filter((part) => part !== null && part !== "");
  const went = one.status !== null && one.status >= 200 && one.status < 300;
  return (
    <span className={went ? "cut" : "cut warn"} title={[told, ...rest].join(" · ")}>
      {told}
      {rest.length > 0 && <span className="t3"> · {rest.join(" · ")}</span>}
    </span>
  );
}
