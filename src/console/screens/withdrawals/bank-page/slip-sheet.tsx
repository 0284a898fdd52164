import type { ClipboardEvent } from "react";
import { useEffect, useRef, useState } from "react";
import type { Withdrawal } from "../../../../contract/withdrawals.ts";
import type { Compared, SlipReading } from "../../../../values/slips.ts";
import { readSlip } from "../../../../values/slips.ts";
import { amountDecimals, shownAmount } from "../../../kit/look/amounts.ts";
import { Icon } from "../../../kit/look/icon.tsx";
import { FreeText } from "../../../kit/sheets/free-text.tsx";
import { onlyKeys } from "../../../kit/sheets/grave-sheet.tsx";
import { SheetButtons, SheetFrame } from "../../../kit/sheets/sheet-frame.tsx";
import { useText } from "../../../kit/texts/texts.ts";
import { useKit } from "../../../kit/use-kit.ts";

const longestSlip = 20_000;
const longestReference = 100;

interface SlipSheetProps {
  readonly row: Withdrawal;
  /** As it was pasted; empty: it is yet to be pasted. */
  readonly pasted: string;
  onTake(reference: string): void;
  onLeave(): void;
}

const reading = (slip: string, { txn_no, reference_no, amount, currency, holder, account_number }: Withdrawal): SlipReading =>
  readSlip(slip, { txn_no, reference_no, amount, currency, holder, account_number, minorDigits: amountDecimals() });

/**
 * A bank's slip beside the withdrawal it should be of, part by part. What is equal is taken by Enter; a slip that differs anywhere only by
 * Mod+Enter, after it has said where.
 */
export function SlipSheet({ row, pasted, onTake, onLeave }: SlipSheetProps) {
  const t = useText();
  const { messages } = useKit();
  const [slip, setSlip] = useState(pasted);
  const [draft, setDraft] = useState("");
  const [typed, setTyped] = useState<string | null>(null);
  const [tried, setTried] = useState(false);
  const first = useRef<HTMLElement>(null);
  const read = slip.trim() === "" ? null : reading(slip, row);
  const reference = (typed ?? read?.reference ?? "").trim();
  const differs = read !== null && differing(read).length > 0;
  const missing = reference === "" ? t("withdrawal.slip.no-reference") : null;

  const compare = (text: string): void => {
    setSlip(text);
    setTyped(null);
    setTried(false);
  };
  // the field that was there before has gone, and took the focus with it
  useEffect(() => first.current?.focus(), [slip]);

  const confirm = (): void => {
    if (read === null && draft.trim() !== "") return compare(draft);
    if (missing === null && read !== null) return onTake(reference);
    setTried(true);
    messages.say(read === null ? t("withdrawal.slip.paste-first") : (missing ?? ""), "warn");
  };
  const onPaste = (event: ClipboardEvent): void => {
    const text = event.clipboardData.getData("text/plain");
    // what is pasted into the field of the reference is the field's
    if (text.trim() === "" || event.target instanceof HTMLInputElement) return;
    event.preventDefault();
    compare(text);
  };
  const words = { id: `…${row.txn_no.slice(-6)}`, amount: `${shownAmount(row.amount)} ${row.currency}` };

  return (
    <SheetFrame
      wide
      urgent={differs}
      first={first}
      dialog={{
        name: differs ? "money" : "form",
        acts: { confirm, ...(!differs && read !== null && { accept: confirm }), close: onLeave, toggle: () => undefined },
        ...(differs && { deafToEnter: true }),
      }}
      title={t("withdrawal.slip.title", words)}
      foot={
        <>
          {differs && <span className="label grow">{t("sheet.only-mod-enter", { keys: onlyKeys() })}</span>}
          <SheetButtons
            label={t(read === null ? "withdrawal.slip.compare" : differs ? "withdrawal.slip.take-different" : "withdrawal.slip.take")}
            chord={differs || read === null ? "$mod+Enter" : "Enter"}
            onConfirm={confirm}
            onCancel={onLeave}
          />
        </>
      }
    >
      <div className="slip" onPaste={onPaste}>
        {read === null && (
          <FreeText
            label={t("withdrawal.slip.text")}
            hint={t("withdrawal.slip.hint")}
            maximum={longestSlip}
            rows={8}
            value={draft}
            wrong={tried ? t("withdrawal.slip.paste-first") : null}
            takeRef={(element) => void (first.current = element)}
            onWrite={setDraft}
          />
        )}
        {read !== null && (
          <>
            {differs && (
              <p className="sheet-notes warn" role="alert">
                <Icon name="warn" size="s" />
                {t("withdrawal.slip.differs", {
                  parts: differing(read)
                    .map((part) => t(`withdrawal.slip.part.${part}`))
                    .join(", "),
                })}
              </p>
            )}
            <Comparison parts={read.parts} />
            <FreeText
              label={t("withdrawal.slip.reference")}
              maximum={longestReference}
              rows={1}
              value={typed ?? read.reference ?? ""}
              wrong={tried ? missing : null}
              takeRef={(element) => void (first.current = element)}
              onWrite={setTyped}
            />
          </>
        )}
      </div>
    </SheetFrame>
  );
}

/** What speaks against the slip; one without an amount has shown nothing. */
const differing = ({ parts }: SlipReading): Compared["part"][] =>
  parts.flatMap(({ part, result }) => (result === "different" || (part === "amount" && result === "absent") ? [part] : []));

const marks = {
  equal: { icon: "tick", tone: "pass" },
  different: { icon: "cross", tone: "fail" },
  absent: { icon: "unknown", tone: "t3" },
} as const;

/** Ours above the slip's column by column would part what belongs together, so each part has a line: ours, the slip's, and the verdict. */
function Comparison({ parts }: { parts: readonly Compared[] }) {
  const t = useText();
  const shown = (part: Compared["part"], value: string) => (part === "amount" ? shownAmount(value) : value);
  return (
    <table>
      <caption className="sr">{t("withdrawal.slip.compared")}</caption>
      <thead>
        <tr>
          <th scope="col">
            <span className="sr">{t("withdrawal.slip.part")}</span>
          </th>
          <th scope="col">{t("withdrawal.slip.ours")}</th>
          <th scope="col">{t("withdrawal.slip.theirs")}</th>
          <th scope="col">
            <span className="sr">{t("withdrawal.slip.verdict")}</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {parts.map(({ part, ours, theirs, result }) => (
          <tr key={part} className={`is-${result}`}>
            <th scope="row">{t(`withdrawal.slip.part.${part}`)}</th>
            <td>
              <bdi className="mono">{shown(part, ours)}</bdi>
            </td>
            <td>
              <bdi className="mono">{theirs === null ? "–" : shown(part, theirs)}</bdi>
            </td>
            <td>
              <span className={`verdict ${marks[result].tone}`}>
                <Icon name={marks[result].icon} size="s" />
                {t(`withdrawal.slip.result.${result}`)}
              </span>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
