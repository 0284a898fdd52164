import type { ReactNode } from "react";
import { isSingleLetter } from "../kit/commands/bindings.ts";
import type { AnyCommand, Chord } from "../kit/commands/command.ts";
import { KeyCap } from "../kit/keys/key-cap.tsx";
import { commandName, useText } from "../kit/texts/texts.ts";

interface RowProps {
  readonly id: string;
  readonly command: AnyCommand;
  readonly selected: boolean;
  readonly changed: boolean;
  readonly lettersOff: boolean;
  /** Presses so far; null while this command is not being recorded. */
  readonly presses: readonly string[] | null;
  onPick(): void;
  onOpen(): void;
}

/** A command with its keys, or with the keys being recorded for it. */
export function KeyRow({ id, command, selected, changed, lettersOff, presses, onPick, onOpen }: RowProps) {
  const t = useText();
  return (
    <button
      type="button"
      tabIndex={-1}
      id={id}
      role="option"
      aria-selected={selected}
      className={selected ? "key-row on" : "key-row"}
      onClick={onPick}
      onDoubleClick={onOpen}
    >
      <span className="grow cut">{commandName(t, command.id)}</span>
      {changed && <span className="tag acc">{t("keys.changed")}</span>}
      {presses === null ? (
        <span className="key-caps">
          {(command.keys ?? []).map((chord) => (
            <span key={chord} className={lettersOff && isSingleLetter(chord) ? "off" : undefined}>
              <KeyCap chord={chord} />
            </span>
          ))}
          {command.keys === undefined && <span className="t3">{t("keys.no-key")}</span>}
        </span>
      ) : (
        <span className="key-recording" role="status">
          {presses.length === 0 ? t("keys.record.press") : <KeyCap chord={presses.join(" ")} />}
        </span>
      )}
    </button>
  );
}

export interface Steps {
  up(): void;
  down(): void;
  page(by: number): void;
  record(beside: boolean): void;
  unbind(): void;
  reset(): void;
}

/** Actions on the selected command. */
export function KeyFoot({ active, changed, steps }: { active: AnyCommand | undefined; changed: boolean; steps: Steps }) {
  const t = useText();
  if (active === undefined) return null;
  const button = (label: string, chord: Chord, run: () => void, refused = false): ReactNode => (
    <button type="button" className="btn" aria-disabled={refused || undefined} onClick={refused ? undefined : run}>
      {label}
      <KeyCap chord={chord} />
    </button>
  );
  return (
    <>
      <span className="grow cut t2">{commandName(t, active.id)}</span>
      {button(t("keys.record"), "Enter", () => steps.record(false))}
      {button(t("keys.add"), "Shift+Enter", () => steps.record(true))}
      {button(t("keys.remove"), "Delete", steps.unbind, active.keys === undefined)}
      {button(t("keys.reset"), "Backspace", steps.reset, !changed)}
    </>
  );
}
