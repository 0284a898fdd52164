import { CopyId } from "../look/copy-id.tsx";
import { SheetFrame } from "./sheet-frame.tsx";
import { useText } from "../texts/texts.ts";
import { useKit, useStore } from "../use-kit.ts";

/** All messages and toasts since the page was loaded, newest first. */
export function MessagesSheet() {
  const kit = useKit();
  return useStore(kit.sheet) === "messages" ? <Messages /> : null;
}

const hues = { plain: "t2", done: "pass", warn: "warn", fail: "fail" } as const;

function Messages() {
  const t = useText();
  const { messages, sheet, sources } = useKit();
  const said = useStore(messages);
  const close = (): void => sheet.set(null);
  return (
    <SheetFrame wide dialog={{ name: "messages", acts: { close, toggle: () => undefined } }} title={t("messages.title")}>
      {said.length === 0 && <p className="t2">{t("messages.empty")}</p>}
      <ol className="said-list">
        {said.map((message) => {
          const stamp = sources.stampOf?.(message.at);
          return (
            <li key={message.id}>
              {stamp && (
                <time dateTime={stamp.instant} title={stamp.title}>
                  <bdi>{stamp.clock}</bdi>
                </time>
              )}
              <b className={hues[message.tone]}>{message.title ?? t(`tone.${message.tone}`)}</b>
              <span className="grow">{message.text}</span>
              <CopyId id={message.requestId} />
            </li>
          );
        })}
      </ol>
    </SheetFrame>
  );
}
