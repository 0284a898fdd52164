import "./help.css";
import { useRef, useState } from "react";
import { KeyCap } from "../keys/key-cap.tsx";
import type { AnyCommand, Scope } from "../commands/command.ts";
import { subjectOf } from "../commands/context.ts";
import type { Context } from "../commands/context.ts";
import { Icon } from "../look/icon.tsx";
import { normalise } from "../palette/palette-ranking.ts";
import { SheetFrame } from "./sheet-frame.tsx";
import { commandName, commandWords, englishName, reasonText, useText } from "../texts/texts.ts";
import { useKit, useStore } from "../use-kit.ts";
import { startsWith, usePressSearch } from "./use-press-search.ts";
import type { PressSearch } from "./use-press-search.ts";

/** The keys of this context; can be searched by name or by pressing a key, and printed. */
export function HelpSheet() {
  const kit = useKit();
  return useStore(kit.sheet) === "help" ? <Help /> : null;
}

/** Order of the scopes: the record first, then its list, and outwards. */
const shown = ["pane", "grid", "picture", "header", "screen", "console"] as const satisfies readonly Scope[];

/** Name of a command; for a view's key the name of that view. */
function nameOf(t: ReturnType<typeof useText>, command: AnyCommand, context: Context): string {
  const slot = context.pane?.views?.slots.find(({ digit }) => digit !== null && command.id === `view.pick-${digit}`);
  return slot === undefined ? commandName(t, command.id, subjectOf(context)) : t("help.view", { name: slot.name });
}

function Help() {
  const t = useText();
  const { context, registry, sheet } = useKit();
  const [frozen] = useState(() => ({ ...context.read({ pane: "latest" }), dialog: null }));
  const [text, setText] = useState("");
  const field = useRef<HTMLInputElement>(null);
  const pressing = usePressSearch(field);
  const close = (): void => sheet.set(null);

  const wanted = normalise(text);
  const matches = (command: AnyCommand): boolean => {
    const chords = command.keys ?? [];
    if (pressing.listening) return pressing.chord === "" || chords.some((chord) => startsWith(chord, pressing.chord));
    return (
      wanted === "" ||
      normalise(
        `${nameOf(t, command, frozen)} ${commandName(t, command.id)} ${englishName(command.id) ?? ""} ${commandWords(t, command.id)}`,
      ).includes(wanted) ||
      chords.some((chord) => chord.toLowerCase() === text.trim().toLowerCase())
    );
  };
  const listed = registry
    .list()
    .filter((command) => command.keys !== undefined)
    .map((command) => ({ command, verdict: registry.judge(command, frozen) }))
    .filter(({ command, verdict }) => verdict.state !== "absent" && matches(command));

  return (
    <SheetFrame
      wide
      first={field}
      dialog={{ name: "help", acts: { close, toggle: pressing.toggle } }}
      title={t("help.title")}
      foot={
        <>
          <button type="button" className="btn" onClick={() => sheet.set("keys")}>
            {t("help.edit")}
          </button>
          <button type="button" className="btn" onClick={() => window.print()}>
            {t("help.print")}
          </button>
        </>
      }
    >
      <FindBar label={t("help.find")} text={text} onText={setText} field={field} pressing={pressing} />
      {listed.length === 0 && <p className="t2">{t("help.empty")}</p>}
      <div className="help">
        {shown.map((scope) => {
          const rows = listed.filter(({ command }) => command.scope === scope);
          return rows.length === 0 ? null : (
            <section key={scope}>
              <h3>{t(`help.scope.${scope}`)}</h3>
              <dl>
                {rows.map(({ command, verdict }) => (
                  <div key={command.id} className={verdict.state === "refused" ? "off" : undefined}>
                    <dt>
                      {(command.keys ?? []).map((chord) => (
                        <KeyCap key={chord} chord={chord} />
                      ))}
                    </dt>
                    <dd title={verdict.state === "refused" ? t("help.not-now", { reason: reasonText(t, verdict.reason) }) : undefined}>
                      {nameOf(t, command, frozen)}
                    </dd>
                  </div>
                ))}
              </dl>
            </section>
          );
        })}
      </div>
    </SheetFrame>
  );
}

interface FindBarProps {
  readonly label: string;
  readonly text: string;
  readonly field: React.RefObject<HTMLInputElement | null>;
  readonly pressing: PressSearch;
  onText(text: string): void;
}

/** A field for names, which shows the pressed keys instead while it listens. */
export function FindBar({ label, text, field, pressing, onText }: FindBarProps) {
  const t = useText();
  return (
    <div className="find-bar">
      <input
        ref={field}
        type="search"
        className="bp6-input help-find"
        hidden={pressing.listening}
        placeholder={label}
        aria-label={label}
        value={text}
        onChange={(event) => onText(event.target.value)}
      />
      {pressing.listening && (
        <span className="pressed" role="status">
          {pressing.chord === "" ? t("keys.press-to-find") : <KeyCap chord={pressing.chord} />}
          <span className="end t2">
            <KeyCap chord="Escape" /> {t("keys.press-ends")}
          </span>
        </span>
      )}
      <button type="button" className="btn" aria-pressed={pressing.listening} onClick={pressing.toggle}>
        <Icon name="keys" size="s" />
        {t("keys.by-press")}
        <KeyCap chord="$mod+k" />
      </button>
    </div>
  );
}
