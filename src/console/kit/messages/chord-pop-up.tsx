import { pressesOf } from "../keys/chord.ts";
import { KeyCap } from "../keys/key-cap.tsx";
import { commandName, useText } from "../texts/texts.ts";
import { useKit, useStore } from "../use-kit.ts";

/** The keys that may follow a chord so far; shown when the operator hesitates. */
export function ChordPopUp() {
  const t = useText();
  const kit = useKit();
  const hint = useStore(kit.chord);
  if (hint === null) return null;
  const begun = hint.presses.join(" ");
  const context = kit.context.read();
  const next = hint.next.filter(({ command }) => kit.registry.judge(command, context).state !== "absent");
  return (
    <div className="chord" data-overlay="" role="status">
      <h3>
        <KeyCap chord={begun} />
        <span className="sr">{t("keys.continues", { keys: begun })}</span>
      </h3>
      <ul>
        {next.map(({ chord, command }) => (
          <li key={`${chord} ${command.id}`}>
            <KeyCap chord={pressesOf(chord).slice(hint.presses.length).join(" ")} />
            <span className="cut">{commandName(t, command.id)}</span>
          </li>
        ))}
      </ul>
    </div>
  );
}
