import { useId, useRef, useState } from "react";
import { z } from "zod";
import { control } from "../../../contract/controls.ts";
import { fitsMinorUnit, money, moneyText, parseMoney, readAmount } from "../../../values/money.ts";
import { FieldFrame } from "../form/field-frame.tsx";
import { formField } from "../form/fields.ts";
import { DecimalControl } from "../form/text-controls.tsx";
import { amountDecimals, notAmountLine, shownAmount, tooFineLine } from "../look/amounts.ts";
import { Icon } from "../look/icon.tsx";
import { useText } from "../texts/texts.ts";
import { useKit } from "../use-kit.ts";
import { FreeText } from "./free-text.tsx";
import { onlyKeys } from "./grave-sheet.tsx";
import { SheetButtons, SheetFrame } from "./sheet-frame.tsx";
import type { SheetProps } from "./sheet-props.ts";

const longest = 500;
const amountField = formField("amount", z.string().meta(control("amount")));

/** Another amount than was expected, with its reason. Both stand beside each other with their difference before only Mod+Enter confirms. */
export function AmountSheet({ asked, answer }: SheetProps<"amount">) {
  const t = useText();
  const { messages } = useKit();
  const id = useId();
  const [typed, setTyped] = useState("");
  const [reason, setReason] = useState("");
  const [tried, setTried] = useState(false);
  const amountRef = useRef<HTMLElement>(null);
  const reasonRef = useRef<HTMLElement>(null);
  const digits = amountDecimals();
  const read = readAmount(typed);
  const value = read === null ? null : parseMoney(read);

  const wrongAmount = (): string | null => {
    if (value === null || value <= 0n) return notAmountLine(t, digits);
    if (!fitsMinorUnit(value, digits)) return tooFineLine(t, digits);
    return value === money(asked.expected) ? t("sheet.amount.same") : null;
  };
  const wrongReason = (): string | null => (reason.trim() === "" ? t("sheet.reason.needed") : null);

  const cancel = (): void => answer(null);
  const confirm = (): void => {
    const [first, second] = [wrongAmount(), wrongReason()];
    if (first === null && second === null && value !== null) return answer({ amount: moneyText(value), reason: reason.trim() });
    setTried(true);
    messages.say(first ?? second ?? "", "warn");
    (first === null ? reasonRef : amountRef).current?.focus();
  };
  const wrong = tried ? wrongAmount() : null;
  const difference = value === null ? null : value - money(asked.expected);

  return (
    <SheetFrame
      urgent
      dialog={{ name: "money", acts: { confirm, close: cancel, toggle: () => undefined }, deafToEnter: true }}
      title={t(asked.title, asked.words)}
      first={amountRef}
      foot={
        <>
          <span className="label grow">{t("sheet.only-mod-enter", { keys: onlyKeys() })}</span>
          <SheetButtons label={t("sheet.confirm")} chord="$mod+Enter" onConfirm={confirm} onCancel={cancel} />
        </>
      }
    >
      <dl className="sheet-amounts">
        <div>
          <dt>{t(asked.labels.expected)}</dt>
          <dd>
            <bdi>{shownAmount(asked.expected)}</bdi> <small>{asked.currency}</small>
          </dd>
        </div>
        <div>
          <dt>{t(asked.labels.amount)}</dt>
          <dd className="strong">
            <bdi>{value === null ? "–" : shownAmount(moneyText(value))}</bdi> <small>{asked.currency}</small>
          </dd>
        </div>
        <div>
          <dt>{t("sheet.amount.difference")}</dt>
          <dd className={difference === null || difference === 0n ? "t2" : "warn"}>
            <bdi>{difference === null ? "–" : `${difference > 0n ? "+" : ""}${shownAmount(moneyText(difference))}`}</bdi>
          </dd>
        </div>
      </dl>
      <FieldFrame id={id} label={t(asked.labels.amount)} required unit={asked.currency} line={wrong ?? ""}>
        {(described) => (
          <DecimalControl
            id={id}
            field={amountField}
            value={typed}
            lines={wrong === null ? {} : { amount: [wrong] }}
            described={described}
            readOnly={false}
            takeRef={(element) => void (amountRef.current = element)}
            onWrite={setTyped}
          />
        )}
      </FieldFrame>
      <FreeText
        label={t("sheet.text.reason")}
        maximum={longest}
        rows={2}
        value={reason}
        wrong={tried ? wrongReason() : null}
        takeRef={(element) => void (reasonRef.current = element)}
        onWrite={setReason}
      />
      {asked.notes.length > 0 && (
        <ul className="sheet-notes">
          {asked.notes.map((note) => (
            <li key={note}>
              <Icon name="warn" size="s" className="warn" />
              {note}
            </li>
          ))}
        </ul>
      )}
    </SheetFrame>
  );
}
