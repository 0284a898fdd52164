import { Icon } from "../look/icon.tsx";
import { useText } from "../texts/texts.ts";
import { GraveSheet } from "./grave-sheet.tsx";
import type { SheetProps } from "./sheet-props.ts";

/** Asks to confirm amount and payee. */
export function MoneySheet({ asked, answer }: SheetProps<"money">) {
  const t = useText();
  return (
    <GraveSheet name="money" asked={asked} answer={answer}>
      <dl className="sheet-money">
        <dt className="sr">{t("sheet.money.amount")}</dt>
        <dd className="amt">
          <bdi>{asked.amount}</bdi> <small>{asked.currency}</small>
        </dd>
        <dt className="sr">{t(asked.labels?.payee ?? "sheet.money.payee")}</dt>
        <dd className="payee">
          <bdi>{asked.payee}</bdi>
        </dd>
        <dt className="sr">{t(asked.labels?.account ?? "sheet.money.account")}</dt>
        <dd className="t2">
          <bdi>{asked.account}</bdi>
        </dd>
        {asked.from !== null && (
          <>
            <dt className="sr">{t("sheet.money.from")}</dt>
            <dd className="t2">{asked.from}</dd>
          </>
        )}
      </dl>
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
    </GraveSheet>
  );
}
