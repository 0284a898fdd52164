import "./shifts.css";
import { useEffect, useRef, useState } from "react";
import type { HandOver, Shift } from "../../contract/shifts.ts";
import { longestNote, shiftRoutes as routes } from "../../contract/shifts.ts";
import { formatCount } from "../../values/counts.ts";
import { newUuid } from "../../values/uuid.ts";
import { Instant } from "../api/instant.tsx";
import { useApi, useRead, useSignedIn } from "../api/use-api.ts";
import { Amount } from "../kit/look/amount.tsx";
import { SheetFrame } from "../kit/sheets/sheet-frame.tsx";
import { useText } from "../kit/texts/texts.ts";
import { useKit } from "../kit/use-kit.ts";
import { ReadFailed } from "../kit/look/read-failed.tsx";

interface ShiftsProps {
  readonly which: "shift" | "hand-overs";
  onClose(): void;
}

/** One's own shift, to be handed over, or what others have left. */
export function Shifts({ which, onClose }: ShiftsProps) {
  return which === "shift" ? <OwnShift onClose={onClose} /> : <HandOvers onClose={onClose} />;
}

function OwnShift({ onClose }: { onClose(): void }) {
  const t = useText();
  const { services, context } = useKit();
  const { call } = useApi();
  const { data, isError, refetch } = useRead(routes.readShift, {});
  const shift = data?.data;
  const field = useRef<HTMLTextAreaElement>(null);
  const [note, setNote] = useState("");
  const [sending, setSending] = useState(false);
  // an unanswered try is repeated under its key; another note is another request
  const keyed = useRef({ note: "", key: newUuid() });
  const handOver = async () => {
    if (shift === undefined || sending) return;
    setSending(true);
    if (keyed.current.note !== note) keyed.current = { note, key: newUuid() };
    const { key } = keyed.current;
    let give: () => Promise<unknown> = () => call(routes.handOver, { body: { note } }, { idempotencyKey: key });
    // a queue that runs takes the next one when the present one is let go, and what it gives back itself may be missing in the note
    for (const { queue } of context.getState().panes.values()) if (queue?.active === true) give = queue.endBy.bind(queue, give);
    try {
      await give();
      services.changed(
        "withdrawal",
        shift.held.filter(({ kind }) => kind === "withdrawal"),
      );
      services.changed(
        "deposit",
        shift.held.filter(({ kind }) => kind === "deposit"),
      );
      services.say("shift.said.handed-over", { shown: formatCount(shift.held.length) }, "done");
      onClose();
    } catch {
      // what went wrong was told, and the note stays
      setSending(false);
    }
  };
  const leave = async () => {
    if (sending) return;
    const sure =
      note.trim() === "" ||
      (await services.ask("confirm", {
        title: "shift.ask.leave",
        text: "shift.ask.leave-text",
        words: {},
        buttons: { yes: "shift.ask.leave-yes", no: "shift.ask.leave-no" },
      }));
    if (sure === true) onClose();
  };
  return (
    <SheetFrame
      wide
      first={field}
      dialog={{ name: "form", aimless: true, acts: { close: () => void leave(), confirm: () => void handOver(), toggle: () => undefined } }}
      title={t("shift.title")}
      foot={
        <button type="button" className="btn go" disabled={shift === undefined || sending} onClick={() => void handOver()}>
          {t("shift.act")}
        </button>
      }
    >
      <div className="shift">
        <label>
          <span className="t2">{t("shift.note")}</span>
          <textarea
            ref={field}
            className="bp6-input"
            rows={4}
            maxLength={longestNote}
            value={note}
            onChange={({ target }) => setNote(target.value)}
          />
        </label>
        {isError && <ReadFailed retry={refetch}>{t("shift.failed")}</ReadFailed>}
        {shift === undefined && !isError && <p role="status">{t("record.detail.loading")}</p>}
        {shift !== undefined && <Told shift={shift} />}
        {shift !== undefined && shift.held.length > 0 && (
          <p className="t2">{t("shift.releases", { shown: formatCount(shift.held.length) })}</p>
        )}
      </div>
    </SheetFrame>
  );
}

function HandOvers({ onClose }: { onClose(): void }) {
  const t = useText();
  const { call, counters } = useApi();
  const body = useRef<HTMLDivElement>(null);
  const { data, isError, refetch } = useRead(routes.listHandOvers, {});
  const list = data?.data;
  const unread = list?.filter(({ read }) => !read).map(({ uuid }) => uuid) ?? [];
  const key = unread.join(",");
  // whoever has seen them is told of them no more
  useEffect(() => {
    if (key === "") return;
    void call(routes.readHandOvers, { body: { uuids: key.split(",") } }, { background: true }).then(
      () => counters.refresh(),
      () => undefined,
    );
  }, [key, call, counters]);
  return (
    <SheetFrame
      wide
      first={body}
      dialog={{ name: "form", aimless: true, acts: { close: onClose, confirm: onClose, toggle: () => undefined } }}
      title={t("shift.others.title")}
    >
      <div className="shift" ref={body} tabIndex={-1}>
        {isError && <ReadFailed retry={refetch}>{t("shift.failed")}</ReadFailed>}
        {list === undefined && !isError && <p role="status">{t("record.detail.loading")}</p>}
        {list?.length === 0 && <p className="t2">{t("shift.others.none")}</p>}
        {list?.map((one) => (
          <Left key={one.uuid} handOver={one} />
        ))}
      </div>
    </SheetFrame>
  );
}

function Left({ handOver: { by, at, note, shift } }: { handOver: HandOver }) {
  const t = useText();
  return (
    <section className="left">
      <h3>
        <bdi>{by.name}</bdi>{" "}
        <span className="t3">
          <Instant at={at} />
        </span>
      </h3>
      <p className={note === "" ? "t3" : "note"}>{note === "" ? t("shift.no-note") : <bdi>{note}</bdi>}</p>
      <Told shift={shift} />
    </section>
  );
}

/** Decimals of a currency of the tenant: a shift is of all of them, whichever is selected. */
function useDecimals(): (currency: string) => number | undefined {
  const { config } = useSignedIn();
  return (currency) => config.currencies.find(({ code }) => code === currency)?.minor_digits;
}

function Told({ shift: { since, decided, held, deferred } }: { shift: Shift }) {
  const t = useText();
  const decimalsOf = useDecimals();
  return (
    <>
      <p className="t2">
        {t("shift.since")} <Instant at={since} />
      </p>
      {decided.length === 0 ? (
        <p className="t3">{t("shift.decided-none")}</p>
      ) : (
        <table className="tbl">
          <caption>{t("shift.decided")}</caption>
          <tbody>
            {decided.map(({ kind, outcome, currency, count, amount }) => (
              <tr key={`${kind} ${outcome} ${currency}`}>
                <th scope="row">
                  {t(`shift.kind.${kind}`)} · {t(`status.${outcome}`)}
                </th>
                <td className="figure">{formatCount(count)}</td>
                <td className="figure">
                  <Amount text={amount} decimals={decimalsOf(currency)} />
                </td>
                <td>
                  <bdi>{currency}</bdi>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      <InHand title={t("shift.held")} items={held} />
      <InHand title={t("shift.deferred")} items={deferred} />
    </>
  );
}

function InHand({ title, items }: { readonly title: string; readonly items: Shift["held"] }) {
  const decimalsOf = useDecimals();
  if (items.length === 0) return null;
  return (
    <table className="tbl">
      <caption>{title}</caption>
      <tbody>
        {items.map(({ uuid, txn_no, customer_name, amount, currency, at, remark, reason }) => (
          <tr key={uuid}>
            <th scope="row" className="mono">
              <bdi>{txn_no}</bdi>
            </th>
            <td>
              <bdi>{customer_name}</bdi>
            </td>
            <td className="figure">
              <Amount text={amount} decimals={decimalsOf(currency)} /> <bdi>{currency}</bdi>
            </td>
            <td>
              <Instant at={at} as="clock" />
            </td>
            <td className="t2">
              <bdi>{[reason, remark].filter(Boolean).join(" · ")}</bdi>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
