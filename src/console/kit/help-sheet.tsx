import { useRef, useState } from "react";
import type { AnyCommand, Scope } from "./command.ts";
import { scopes } from "./command.ts";
import { KeyCap } from "./key-cap.tsx";
import { normalise } from "./palette-ranking.ts";
import { SheetFrame } from "./sheet-frame.tsx";
import { commandName, commandWords, reasonText, useText } from "./texts.ts";
import { useKit, useStore } from "./use-kit.ts";

/** Keys of this context, searchable. */
export function HelpSheet() {
  const kit = useKit();
  return useStore(kit.sheet) === "help" ? <Help /> : null;
}

/** Innermost first: what the hands are on. */
const shown: readonly Scope[] = scopes.filter((scope) => scope !== "dialog").toReversed();

function Help() {
  const t = useText();
  const { context, registry, sheet } = useKit();
  const [frozen] = useState(() => ({ ...context.read({ pane: "latest" }), dialog: null }));
  const [text, setText] = useState("");
  const field = useRef<HTMLInputElement>(null);
  const close = (): void => sheet.set(null);

  const wanted = normalise(text);
  const matches = (command: AnyCommand): boolean =>
    wanted === "" ||
    normalise(`${commandName(t, command.id)} ${commandWords(t, command.id)}`).includes(wanted) ||
    (command.keys ?? []).some((chord) => chord.toLowerCase() === text.trim().toLowerCase());
  const listed = registry
    .list()
    .filter((command) => command.keys !== undefined)
    .map((command) => ({ command, verdict: registry.judge(command, frozen) }))
    .filter(({ command, verdict }) => verdict.state !== "absent" && matches(command));

  return (
    <SheetFrame wide first={field} dialog={{ name: "help", acts: { close, toggle: () => undefined } }} title={t("help.title")}>
      <input
        ref={field}
        type="search"
        className="bp6-input help-find"
        placeholder={t("help.find")}
        aria-label={t("help.find")}
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
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
                      {commandName(t, command.id)}
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
