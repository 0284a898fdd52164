import type { GameImport, GameImportLine } from "../../../contract/game-imports.ts";
import { gameLineStates, toChangeGames } from "../../../contract/game-imports.ts";
import { isAllowed } from "../../../contract/permissions.ts";
import { useSignedIn } from "../../api/use-api.ts";
import { formatCount } from "../../../values/counts.ts";
import { ImportProgress, ImportSheet } from "../../imports/import-sheet.tsx";
import type { ImportWork } from "../../imports/import-work.ts";
import { useText } from "../../kit/texts/texts.ts";
import { GameLineCells } from "./import-lines.tsx";

interface GamesSheetProps {
  readonly work: ImportWork<GameImport, GameImportLine>;
  onClose(): void;
}

/** Games on their way in: pasted lines or a file, what becomes of each line, and then how far the writing is. */
export function GamesSheet({ work, onClose }: GamesSheetProps) {
  const t = useText();
  const { context } = useSignedIn();
  const mayChange = isAllowed(context.permissions, toChangeGames);
  const toWrite = ({ counts }: GameImport): number => counts.new + (mayChange ? counts.changed : 0);
  return (
    <ImportSheet
      work={work}
      title={t("game-import.title")}
      orPaste={t("game-import.or-paste")}
      below={<p className="t2">{t("game-import.columns")}</p>}
      lines={{
        states: gameLineStates,
        wrong: "wrong",
        stateName: (state) => t(`game-import.count.${state}`),
        columns: [t("provider-game.field.code"), t("provider-game.field.name"), t("provider-game.field.type"), t("game-import.note")],
        cells: (line) => <GameLineCells line={line} />,
      }}
      head={({ state, counts, done, total, pictures_failed: failed }) =>
        state === "staged" ? (
          !mayChange && counts.changed > 0 && <p className="warn">{t("refuse.no-right", { permission: toChangeGames })}</p>
        ) : (
          <ImportProgress done={done} of={total}>
            {t(`game-import.state.${state}`, { done: formatCount(done), of: formatCount(total) })}
            {failed > 0 && <span className="warn"> {t("game-import.pictures-failed", { count: failed })}</span>}
          </ImportProgress>
        )
      }
      whyNot={(file) => (file.state === "staged" && toWrite(file) === 0 ? t("game-import.nothing-new") : null)}
      startLabel={(file) => t("game-import.start", { count: toWrite(file) })}
      onClose={onClose}
    />
  );
}
