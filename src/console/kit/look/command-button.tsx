import { useId } from "react";
import type { ReactNode } from "react";
import { spokenChord } from "../keys/chord.ts";
import type { Reason } from "../commands/command.ts";
import type { IconName } from "./icon.tsx";
import { Icon } from "./icon.tsx";
import { KeyCap } from "../keys/key-cap.tsx";
import { ownChips, showsChip } from "../keys/key-chips.ts";
import { useChord, useKit, useStore, useVerdict } from "../use-kit.ts";
import { commandName, reasonText, useText } from "../texts/texts.ts";

interface CommandButtonProps {
  readonly id: string;
  /** Replaces the command's name: "Approve 3…". */
  readonly children?: ReactNode;
  /** go: the pane's primary action; no: the refusing one; bare: without a frame. */
  readonly look?: "go" | "no" | "bare";
  readonly icon?: IconName;
  /** Drawn instead of the command's name, which is then said and shown by the pointer: "‹". */
  readonly sign?: string;
  readonly hidesKey?: boolean;
  readonly className?: string;
}

/**
 * A button for a command: name, key (until learnt), right and refusal come from the registry. Without the right it is absent;
 * while refused it stays focusable and says why.
 */
export function CommandButton({ id, children, look, icon, sign, hidesKey, className }: CommandButtonProps) {
  const t = useText();
  const kit = useKit();
  const reasonId = useId();
  const { command, verdict } = useVerdict(id);
  const shown = showsChip(useStore(ownChips), id);
  if (command === undefined || verdict.state === "absent") return null;
  const chord = command.keys?.[0];
  const reason: Reason | null = verdict.state === "refused" ? verdict.reason : null;
  const why = reason === null ? undefined : reasonText(t, reason);
  const classes = ["btn", look, className].filter((part) => part !== undefined).join(" ");
  return (
    <button
      type="button"
      className={classes}
      aria-disabled={reason === null ? undefined : true}
      aria-describedby={why === undefined ? undefined : reasonId}
      aria-keyshortcuts={chord === undefined ? undefined : spokenChord(chord)}
      title={why ?? (sign === undefined ? undefined : commandName(t, id))}
      onClick={(event) => kit.run(id, event.detail === 0 ? "focus" : "button")}
    >
      {icon !== undefined && <Icon name={icon} size="s" />}
      {sign !== undefined && (
        <span className="cut" aria-hidden="true">
          {sign}
        </span>
      )}
      <span className={sign === undefined ? "cut" : "sr"}>{children ?? commandName(t, id)}</span>
      {chord !== undefined && hidesKey !== true && shown && <KeyCap chord={chord} />}
      {why !== undefined && (
        <span id={reasonId} className="sr">
          {why}
        </span>
      )}
    </button>
  );
}

/** A command's current key; nothing where it has none. */
export function CommandKey({ id, bare }: { id: string; bare?: boolean }) {
  const chord = useChord(id);
  return chord === undefined ? null : <KeyCap chord={chord} {...(bare === true && { bare })} />;
}
