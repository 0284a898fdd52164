import { useId, useRef, useState } from "react";
import type { accountTransactionRoutes, merchantTransactionRoutes } from "../../contract/statements.ts";
import { plainMoment, readMoment, spokenMoment } from "../../values/moments.ts";
import { Instant } from "../api/instant.tsx";
import { useApi, useFormats, useRead } from "../api/use-api.ts";
import { FieldFrame } from "../kit/form/field-frame.tsx";
import { Amount } from "../kit/look/amount.tsx";
import { SheetFrame } from "../kit/sheets/sheet-frame.tsx";
import { useText } from "../kit/texts/texts.ts";
import { ReadFailed } from "../kit/look/read-failed.tsx";
import { momentWord } from "../lists/filters.ts";

export type BalancesRoute = typeof merchantTransactionRoutes.readWalletBalances | typeof accountTransactionRoutes.readAccountBalances;

interface AsOfSheetProps {
  readonly route: BalancesRoute;
  /** Opens the statement of one of them up to that moment, as it was typed. */
  onOpen(code: string, moment: string): void;
  onClose(): void;
}

/** The balance of each wallet or account at the moment typed: at the end of a day or minute, which may lie in the future. */
export function AsOfSheet({ route, onOpen, onClose }: AsOfSheetProps) {
  const t = useText();
  const id = useId();
  const { time } = useApi();
  const formats = useFormats();
  const field = useRef<HTMLInputElement>(null);
  const [opened] = useState(() => time.now());
  const [typed, setTyped] = useState(() => spokenMoment("now", momentWord));
  const plain = plainMoment(typed, momentWord).trim();
  const moment = readMoment(plain, opened, formats.zone);
  const at = new Date(moment?.to ?? opened).toISOString();
  const { data, isError, refetch } = useRead(route, { query: { at } }, { enabled: moment !== null, keep: true });
  const told = data?.data;
  return (
    <SheetFrame
      wide
      first={field}
      dialog={{ name: "form", aimless: true, acts: { close: onClose, toggle: () => undefined } }}
      title={t("statement.as-of.title")}
    >
      <div className="balances-at">
        <FieldFrame
          id={id}
          label={t("statement.as-of.moment")}
          hint={t("form.moment.type")}
          line={moment === null ? t("list.said.filter-unreadable", { text: typed }) : ""}
          note={moment === null ? undefined : <bdi>{formats.time(at)}</bdi>}
        >
          {(described) => (
            <input
              ref={field}
              id={id}
              type="text"
              className="bp6-input"
              dir="ltr"
              value={typed}
              aria-describedby={described}
              aria-invalid={moment === null}
              autoComplete="off"
              spellCheck={false}
              onFocus={({ currentTarget }) => currentTarget.select()}
              onChange={({ currentTarget }) => setTyped(currentTarget.value)}
            />
          )}
        </FieldFrame>
        {isError && <ReadFailed retry={refetch}>{t("statement.as-of.failed")}</ReadFailed>}
        {told?.balances.length === 0 && <p className="t3">{t("statement.as-of.none")}</p>}
        {told !== undefined && told.balances.length > 0 && (
          <table className={moment === null ? "tbl past" : "tbl"}>
            <thead>
              <tr>
                <th scope="col">{t("statement.as-of.whose")}</th>
                <th scope="col">{t("statement.as-of.moved")}</th>
                <th scope="col" className="figure">
                  {t("statement.field.balance")}
                </th>
              </tr>
            </thead>
            <tbody>
              {told.balances.map(({ uuid, code, name, balance, moved_at }) => (
                <tr key={uuid}>
                  <th scope="row" aria-label={code}>
                    <button type="button" className="btn bare" disabled={moment === null} onClick={() => onOpen(code, plain)}>
                      <bdi className="mono strong">{code}</bdi> <bdi className="t2">{name}</bdi>
                    </button>
                  </th>
                  <td>{moved_at === null ? <span className="t3">{t("statement.as-of.unmoved")}</span> : <Instant at={moved_at} />}</td>
                  <td className="figure">
                    <Amount text={balance} />
                  </td>
                </tr>
              ))}
            </tbody>
            <tfoot>
              <tr>
                <th scope="row" colSpan={2}>
                  {t("grid.totals")}
                </th>
                <td className="figure">
                  <Amount text={told.total} />
                </td>
              </tr>
            </tfoot>
          </table>
        )}
      </div>
    </SheetFrame>
  );
}
