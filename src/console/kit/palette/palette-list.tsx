import { memo } from "react";
import type { IconName } from "../look/icon.tsx";
import { screenIcons } from "../look/icon.tsx";
import { KeyCap } from "../keys/key-cap.tsx";
import type { PaletteMode } from "./palette-modes.ts";
import { modes, prefixes, readMode } from "./palette-modes.ts";
import { synonymFor } from "./palette-ranking.ts";
import type { GroupName, Result } from "./palette-results.ts";
import { FootKeys } from "./palette-frame.tsx";
import { PaletteRow } from "./palette-row.tsx";
import { reasonText, useText } from "../texts/texts.ts";
import { useKit } from "../use-kit.ts";

const icons: Readonly<Record<GroupName, IconName>> = {
  recent: "clock",
  row: "right",
  list: "right",
  commands: "right",
  screens: "right",
  tenants: "store",
  currencies: "account",
  languages: "info",
  keys: "keys",
};

interface ResultRowProps {
  readonly t: ReturnType<typeof useText>;
  readonly result: Result;
  readonly text: string;
  onSelect(id: string): void;
}

/** A command, or an entry of the shell. */
export const ResultRow = memo(function ResultRow({ t, result, text, onSelect }: ResultRowProps) {
  const { command, verdict, entry } = result;
  const icon = command?.leadsTo !== undefined ? screenIcons[command.leadsTo] : (entry?.icon ?? icons[result.group]);
  const reason = verdict === undefined || verdict.state === "ready" ? undefined : verdict.reason;
  const keys = command?.keys !== undefined && <KeyCap chord={command.keys[0]} />;
  const end =
    reason !== undefined ? (
      <>
        {t("palette.not-now")}
        {keys}
      </>
    ) : entry !== undefined ? (
      <>
        {entry.end}
        {entry.current === true && <span className="tag">{t("palette.current")}</span>}
      </>
    ) : (
      keys
    );
  return (
    <PaletteRow
      id={result.id}
      name={result.name}
      text={text}
      icon={icon}
      note={reason === undefined ? (entry?.note ?? synonymFor(text, result)) : reasonText(t, reason)}
      end={end}
      refused={reason !== undefined}
      onSelect={onSelect}
    />
  );
});

interface ModesProps {
  readonly mode: PaletteMode;
  readonly offered: ReadonlySet<PaletteMode>;
  /** Whether the key switches them now. */
  readonly turns: boolean;
}

/** The available modes, and the key that switches them. */
export const Modes = memo(function Modes({ mode, offered, turns }: ModesProps) {
  const t = useText();
  const { palette } = useKit();
  const turnTo = (name: PaletteMode) => palette.setText(prefixes[name] + readMode(palette.getState().text, offered).text);
  return (
    <div className="modes" role="group" aria-label={t("palette.modes")}>
      {modes
        .filter((name) => offered.has(name))
        .map((name) => (
          <button
            key={name}
            type="button"
            tabIndex={-1}
            className={name === mode ? "on" : undefined}
            aria-pressed={name === mode}
            onClick={() => turnTo(name)}
          >
            {prefixes[name] !== "" && <kbd>{prefixes[name]}</kbd>}
            {t(`palette.mode.${name}`)}
          </button>
        ))}
      {turns && (
        <span className="end">
          <KeyCap chord="Tab" />
          {t("hint.next-mode")}
        </span>
      )}
    </div>
  );
});

interface FootProps {
  /** Whether it lists one kind, after a command that asks for one. */
  readonly isPage: boolean;
  readonly goesBack: boolean;
  readonly currency: string | null;
}

/** The palette's own keys, and what its commands are judged by. */
export const Foot = memo(function Foot({ isPage, goesBack, currency }: FootProps) {
  const t = useText();
  return (
    <>
      <FootKeys chords={["ArrowUp", "ArrowDown"]}>{t("hint.move")}</FootKeys>
      <FootKeys chords={["Enter"]}>{t("hint.run")}</FootKeys>
      {isPage ? (
        goesBack && <FootKeys chords={["Backspace"]}>{t("hint.back")}</FootKeys>
      ) : (
        <FootKeys chords={["$mod+Enter"]}>{t("hint.beside")}</FootKeys>
      )}
      <span className="end t3">
        {t("palette.rights")}
        {currency !== null && (
          <>
            {" · "}
            <bdi>{currency}</bdi>
          </>
        )}
      </span>
    </>
  );
});
