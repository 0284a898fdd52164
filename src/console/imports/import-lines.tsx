import type { ReactNode } from "react";
import { useStore } from "zustand";
import { formatCount } from "../../values/counts.ts";
import { useText } from "../kit/texts/texts.ts";
import type { ImportFile, ImportLine, ImportWork } from "./import-work.ts";

export interface LinesShown<Line extends ImportLine> {
  /** In their order on screen. */
  readonly states: readonly Line["state"][];
  /** Whose lines are left out, because something is wrong with them. */
  readonly wrong: Line["state"];
  stateName(state: Line["state"]): string;
  /** Headers of the columns after the line's number; none: the table has no header. */
  readonly columns?: readonly string[];
  cells(line: Line): ReactNode;
}

interface ImportLinesProps<File extends ImportFile, Line extends ImportLine> {
  readonly work: ImportWork<File, Line>;
  readonly file: File;
  readonly shown: LinesShown<Line>;
}

/** What becomes of each line of the file: chosen by state, the first few hundred of it. */
export function ImportLines<File extends ImportFile, Line extends ImportLine>({ work, file, shown: of }: ImportLinesProps<File, Line>) {
  const t = useText();
  const { shown, lines } = useStore(work.store);
  const count = (state: Line["state"]): number => file.counts[state] ?? 0;
  return (
    <section className="import-lines" aria-label={t("import.lines")}>
      <div role="group" className="states">
        {of.states.map((state) => (
          <button
            key={state}
            type="button"
            className="btn bare"
            aria-pressed={state === shown}
            disabled={count(state) === 0}
            onClick={() => void work.show(state)}
          >
            <span className={state === of.wrong && count(state) > 0 ? "fail" : undefined}>
              {of.stateName(state)} <bdi className="strong">{formatCount(count(state))}</bdi>
            </span>
          </button>
        ))}
      </div>
      {lines === null && <p className="t3">{t("import.reading")}</p>}
      {lines !== null && lines.length === 0 && <p className="t3">{t("import.no-lines")}</p>}
      {lines !== null && lines.length > 0 && (
        <table className="tbl" aria-label={t("import.lines")}>
          {of.columns && (
            <thead>
              <tr>
                <th scope="col">{t("import.line")}</th>
                {of.columns.map((name) => (
                  <th key={name} scope="col">
                    {name}
                  </th>
                ))}
              </tr>
            </thead>
          )}
          <tbody>
            {lines.map((line) => (
              <tr key={line.n}>
                <th scope="row" className="t3">
                  <bdi>{line.n}</bdi>
                </th>
                {of.cells(line)}
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {lines !== null && lines.length > 0 && lines.length < count(shown) && (
        <p className="t3">{t("import.first-lines", { n: formatCount(lines.length), of: formatCount(count(shown)) })}</p>
      )}
    </section>
  );
}
