import { capsOf } from "../chord.ts";
import { Icon } from "../icon.tsx";
import { SheetButtons, SheetFrame } from "../sheet-frame.tsx";
import { useText } from "../texts.ts";
import type { SheetProps } from "./sheet-props.ts";

export const onlyKeys = capsOf("$mod+Enter").flat().join(" ");

/** Repeats amount and payee; only Mod+Enter, or a click, confirms. */
export function MoneySheet({ asked, answer }: SheetProps<"money">) {
  const t = useText();
  const confirm = (): void => answer(true);
  const cancel = (): void => answer(null);
  return (
    <SheetFrame
      urgent
      dialog={{ name: "money", acts: { confirm, close: cancel, toggle: () => undefined }, deafToEnter: true }}
      title={t(asked.title, asked.words)}
      foot={
        <>
          <span className="label grow">{t("sheet.only-mod-enter", { keys: onlyKeys })}</span>
          <SheetButtons label={t("sheet.confirm")} chord="$mod+Enter" onConfirm={confirm} onCancel={cancel} />
        </>
      }
    >
      <dl className="sheet-money">
        <dt className="sr">{t("sheet.money.amount")}</dt>
        <dd className="amt">
          <bdi>{asked.amount}</bdi> <small>{asked.currency}</small>
        </dd>
        <dt className="sr">{t("sheet.money.payee")}</dt>
        <dd className="payee">
          <bdi>{asked.payee}</bdi>
        </dd>
        <dt className="sr">{t("sheet.money.account")}</dt>
        <dd className="t2">
          <bdi>{asked.account}</bdi>
        </dd>
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
    </SheetFrame>
  );
}
