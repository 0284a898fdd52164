import { useStore } from "zustand";
import type { BankImport, BankImportLine } from "../../../contract/bank-imports.ts";
import { importLineStates } from "../../../contract/bank-imports.ts";
import { formatCount } from "../../../values/counts.ts";
import { Instant } from "../../api/instant.tsx";
import { Amount } from "../../kit/look/amount.tsx";
import { useText } from "../../kit/texts/texts.ts";
import type { ImportWork } from "./import-work.ts";

/** What becomes of each line of the file: chosen by state, the first two hundred of it. */
export function ImportLines({ work, file }: { work: ImportWork; file: BankImport }) {
  const t = useText();
  const { shown, lines } = useStore(work.store);
  return (
    <section className="import-lines" aria-label={t("bank-line.import.lines")}>
      <div role="group" className="states">
        {importLineStates.map((state) => (
          <button
            key={state}
            type="button"
            className="btn bare"
            aria-pressed={state === shown}
            disabled={file.counts[state] === 0}
            onClick={() => void work.show(state)}
          >
            <span className={state === "unreadable" && file.counts.unreadable > 0 ? "fail" : undefined}>
              {t(`bank-line.import.count.${state}`)} <bdi className="strong">{formatCount(file.counts[state])}</bdi>
            </span>
          </button>
        ))}
      </div>
      {lines === null && <p className="t3">{t("bank-line.import.reading")}</p>}
      {lines !== null && lines.length === 0 && <p className="t3">{t("bank-line.import.no-lines")}</p>}
      {lines !== null && lines.length > 0 && (
        <table className="tbl">
          <tbody>
            {lines.map((line) => (
              <tr key={line.n}>
                <th scope="row" className="t3">
                  <bdi>{line.n}</bdi>
                </th>
                <Told line={line} />
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {lines !== null && lines.length < file.counts[shown] && (
        <p className="t3">{t("bank-line.import.first-lines", { n: lines.length, of: file.counts[shown] })}</p>
      )}
    </section>
  );
}

function Told({ line }: { line: BankImportLine }) {
  const t = useText();
  if (line.state === "unreadable" || line.state === "passed") {
    const why = line.state === "unreadable" ? t(`bank-line.fault.${line.why}`, line.values) : t(`bank-line.passed.${line.why}`);
    return (
      <>
        <td colSpan={2} className={line.state === "unreadable" ? "why fail" : "why t2"}>
          {why}
        </td>
        <td className="mono cut" title={line.text}>
          <bdi>{line.text}</bdi>
        </td>
      </>
    );
  }
  const { time, direction, amount, counterparty, reference, description } = line.line;
  return (
    <>
      <td>
        <Instant at={time} />
      </td>
      <td className="figure">
        {direction === "debit" && "−"}
        <Amount text={amount} />
      </td>
      <td className="cut">
        <bdi>{[counterparty, reference, description].filter(Boolean).join(" · ")}</bdi>
      </td>
    </>
  );
}
