import { useFormats, useRead } from "../api/use-api.ts";
import { Instant } from "../api/instant.tsx";
import { tellsDifference } from "../../contract/reports.ts";
import { formatCount } from "../../values/counts.ts";
import { money } from "../../values/money.ts";
import { choiceKey, labelKey } from "../entity/entity.ts";
import { RecordLinks } from "../entity/record-links.tsx";
import { useCursorColumn } from "../lists/cursor-column.ts";
import { transactionScreens } from "../lists/counterpart.ts";
import { Amount } from "../kit/look/amount.tsx";
import { CommandButton } from "../kit/look/command-button.tsx";
import { text, useText } from "../kit/texts/texts.ts";
import { ReadFailed } from "../kit/look/read-failed.tsx";
import { daysOfRow, figureOf } from "./report.ts";
import type { Report, ReportRow } from "./report.ts";
import { useShownReport } from "./shown-report.ts";
import { useMoneyMoved } from "./use-money-moved.ts";

/** Entries listed at once; the statement has them all. */
const shown = 20;
/** Parts listed at most. */
const mostParts = 6;

/** The entries that make the figure under the cursor, the largest first. */
export function Entries({ detail }: { readonly detail: { readonly row: ReportRow } }) {
  const t = useText();
  const formats = useFormats();
  const { report } = useShownReport();
  const { row } = detail;
  const column = useCursorColumn();
  const figure = figureOf(column);
  const query = { ...daysOfRow(row), figure: figure ?? "deposits", ...(row.code && { code: row.code }) } as const;
  const { data, isError, refetch } = useRead(
    report.entries,
    { query },
    { enabled: figure !== null && !tellsDifference(row.state), keep: true },
  );
  useMoneyMoved(report.entries);
  const told = data?.data;
  if (figure === null || tellsDifference(row.state))
    return (
      <section className="sec report-entries">
        <h2>{t("report.entries.title")}</h2>
        <p className="t3">{t("report.entries.move")}</p>
      </section>
    );
  const title = t(labelKey(report.entity, figure));
  const most = told?.parts.reduce((high, { sum }) => (money(sum) > high ? money(sum) : high), 1n) ?? 1n;
  return (
    <section className="sec report-entries" data-figure={figure}>
      <h2>
        {title}
        <span className="end">
          <CommandButton id="list.open-linked" look="bare">
            {t("report.entries.open")}
          </CommandButton>
        </span>
      </h2>
      {isError && <ReadFailed retry={refetch}>{t("report.entries.failed")}</ReadFailed>}
      {told !== undefined && (
        <>
          <p className="report-sum">
            <Amount text={told.sum} /> <span className="t3">{t("report.entries.count", { shown: formatCount(told.count) })}</span>
          </p>
          {told.parts.length > 1 && (
            <table className="tbl report-parts" aria-label={t("report.entries.parts")}>
              <tbody>
                {told.parts.slice(0, mostParts).map(({ code, name, count, sum }) => (
                  <tr key={code}>
                    <th scope="row">
                      <bdi title={name}>{code}</bdi>
                    </th>
                    <td className="figure t3">{formatCount(count)}</td>
                    <td className="bar-cell" aria-hidden="true">
                      <i style={{ inlineSize: `${Math.max(0, Number((money(sum) * 1000n) / most) / 10)}%` }} />
                    </td>
                    <td className="figure">
                      <Amount text={sum} />
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          )}
          {told.entries.length > 0 && (
            <table className="tbl" aria-label={t("report.entries.title")}>
              <thead>
                <tr>
                  <th scope="col">{t("report.entries.at")}</th>
                  <th scope="col">{t("report.entries.txn")}</th>
                  <th scope="col">{t("report.entries.customer")}</th>
                  <th scope="col" className="figure">
                    {t("report.entries.amount")}
                  </th>
                </tr>
              </thead>
              <tbody>
                {told.entries.slice(0, shown).map((entry) => (
                  <tr key={`${entry.uuid} ${entry.at}`}>
                    <td>
                      {row.days === 1 ? (
                        <bdi title={formats.time(entry.at)}>{formats.clock(entry.at)}</bdi>
                      ) : (
                        <Instant at={entry.at} as="day" />
                      )}
                    </td>
                    <td className="mono">
                      {entry.transaction === null ? (
                        <span>{kindText(report, entry.kind)}</span>
                      ) : (
                        <RecordLinks
                          links={[
                            {
                              screen: transactionScreens[entry.transaction.kind],
                              search: { view: "all" },
                              record: entry.transaction.uuid,
                              text: entry.txn_no ?? "",
                            },
                          ]}
                        />
                      )}
                    </td>
                    <td>
                      <bdi title={entry.customer_name ?? ""}>{entry.customer_name ?? entry.merchant_code ?? entry.account_code ?? ""}</bdi>
                    </td>
                    <td className="figure">
                      <Amount text={entry.amount} />
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          )}
          {told.count > shown && <p className="t3">{t("report.entries.more", { shown: formatCount(told.count - shown) })}</p>}
        </>
      )}
    </section>
  );
}

/** What the ledger calls a posting that belongs to no transaction. */
function kindText(report: Report, kind: string): string {
  const key = choiceKey({ ...report.entity, words: "statement" }, "kind", kind);
  return key === null ? kind : text(key);
}
