import { useStore } from "zustand";
import type { GameImport, GameImportLine } from "../../../contract/game-imports.ts";
import { gameLineStates } from "../../../contract/game-imports.ts";
import type { gameTypes } from "../../../contract/provider-games.ts";
import { formatCount } from "../../../values/counts.ts";
import { hasText, text, useText } from "../../kit/texts/texts.ts";
import type { GameImportWork } from "./import-work.ts";

/** What becomes of each line: chosen by state, the first five hundred of it. */
export function ImportLines({ work, file }: { readonly work: GameImportWork; readonly file: GameImport }) {
  const t = useText();
  const { shown, lines } = useStore(work.store);
  return (
    <section className="import-lines" aria-label={t("game-import.lines")}>
      <div role="group" className="states">
        {gameLineStates.map((state) => (
          <button
            key={state}
            type="button"
            className="btn bare"
            aria-pressed={state === shown}
            disabled={file.counts[state] === 0}
            onClick={() => void work.show(state)}
          >
            <span className={state === "wrong" && file.counts.wrong > 0 ? "fail" : undefined}>
              {t(`game-import.count.${state}`)} <bdi className="strong">{formatCount(file.counts[state])}</bdi>
            </span>
          </button>
        ))}
      </div>
      {lines === null && <p className="t3">{t("game-import.reading")}</p>}
      {lines !== null && lines.length > 0 && (
        <table className="tbl" aria-label={t("game-import.lines")}>
          <thead>
            <tr>
              <th scope="col">{t("game-import.line")}</th>
              <th scope="col">{t("provider-game.field.code")}</th>
              <th scope="col">{t("provider-game.field.name")}</th>
              <th scope="col">{t("provider-game.field.type")}</th>
              <th scope="col">{t("game-import.note")}</th>
            </tr>
          </thead>
          <tbody>
            {lines.map((line) => (
              <tr key={line.n}>
                <th scope="row" className="t3">
                  <bdi>{line.n}</bdi>
                </th>
                <td className="mono cut">
                  <bdi>{line.code}</bdi>
                </td>
                <td className="cut">
                  <bdi>{line.name}</bdi>
                </td>
                <td className="cut">{typeWord(line.type)}</td>
                <Note line={line} />
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {lines !== null && lines.length < file.counts[shown] && (
        <p className="t3">{t("game-import.first-lines", { n: formatCount(lines.length), of: formatCount(file.counts[shown]) })}</p>
      )}
    </section>
  );
}

/** The type in the operator's words; what is none, as it was written. */
function typeWord(type: string): string {
  const key = `provider-game.type.${type as (typeof gameTypes)[number]}` as const; // what is none has no text
  return hasText(key) ? text(key) : type;
}

function Note({ line: { fault, picture_fault, image } }: { readonly line: GameImportLine }) {
  const t = useText();
  if (fault !== null) {
    return (
      <td className="why fail">
        {t(`provider-game.field.${fault.field}`)}: {fault.line}
      </td>
    );
  }
  if (picture_fault !== null) return <td className="why warn">{picture_fault}</td>;
  return (
    <td className="cut t3" dir="ltr">
      {image}
    </td>
  );
}
