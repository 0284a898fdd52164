import { useEffect, useRef } from "react";
import type { Chord } from "../kit/commands/command.ts";
import { Icon } from "../kit/look/icon.tsx";
import { KeyCap } from "../kit/keys/key-cap.tsx";
import { commandName, useText } from "../kit/texts/texts.ts";
import { chordText } from "../kit/keys/chord-text.ts";
import type { Conflict } from "./key-store.ts";

/** Conflicts listed at most, because a letter that begins chords has many. */
const mostNamed = 5;

interface ConflictPanelProps {
  readonly name: string;
  readonly chord: Chord;
  readonly conflicts: readonly Conflict[];
  /** Both may keep the key, because they never apply in the same place. */
  readonly both: boolean;
  onSettle(how: "replace" | "both" | "cancel"): void;
}

/** Lists the commands that have the key already, and asks what to do. */
export function ConflictPanel({ name, chord, conflicts, both, onSettle }: ConflictPanelProps) {
  const t = useText();
  const first = useRef<HTMLButtonElement>(null);
  useEffect(() => first.current?.focus(), []);
  const named = conflicts.slice(0, mostNamed);
  return (
    <div className="key-conflict" role="alert">
      <p className="strong">
        <Icon name="warn" size="s" className="warn" />
        {t("keys.conflict.title", { keys: chordText(chord), name })}
      </p>
      <ul>
        {named.map((conflict) => (
          <li key={`${conflict.command.id} ${conflict.chord}`}>
            {t(`keys.conflict.${conflict.kind}`, {
              keys: chordText(chord),
              theirs: chordText(conflict.chord),
              name: commandName(t, conflict.command.id),
              place: t(`help.scope.${conflict.command.scope}`),
            })}
          </li>
        ))}
        {conflicts.length > named.length && <li>{t("keys.conflict.more", { count: conflicts.length - named.length })}</li>}
      </ul>
      <div className="key-choices">
        <button ref={first} type="button" className="btn" onClick={() => onSettle("replace")}>
          <KeyCap chord="1" />
          {t("keys.conflict.replace")}
        </button>
        <button
          type="button"
          className="btn"
          aria-disabled={!both || undefined}
          title={both ? undefined : t("keys.conflict.not-both")}
          onClick={() => both && onSettle("both")}
        >
          <KeyCap chord="2" />
          {t("keys.conflict.both")}
        </button>
        <button type="button" className="btn" onClick={() => onSettle("cancel")}>
          <KeyCap chord="3" />
          {t("sheet.cancel")}
        </button>
      </div>
    </div>
  );
}
