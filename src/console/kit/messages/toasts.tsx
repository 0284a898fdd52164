import "./messages.css";
import type { Intent } from "@blueprintjs/core";
import { OverlayToaster } from "@blueprintjs/core";
import { useEffect, useRef } from "react";
import { CopyId } from "../look/copy-id.tsx";
import { Icon } from "../look/icon.tsx";
import type { Tone } from "../commands/services.ts";
import { useText } from "../texts/texts.ts";
import { useKit } from "../use-kit.ts";

/** Specification, point 9: top right, 5 s, at most 5, newest first. */
const shownFor = 5000;
const most = 5;

const intents: Readonly<Record<Tone, Intent>> = { plain: "none", done: "success", warn: "warning", fail: "danger" };

/** Shows the log's toasts; Blueprint pauses the clock while one is hovered or focused. */
export function Toasts() {
  const t = useText();
  const { messages } = useKit();
  const toaster = useRef<OverlayToaster>(null);
  // messages from before the mount are shown too
  const last = useRef(0);

  useEffect(() => {
    const show = () => {
      const fresh = messages.getState().filter((message) => message.id > last.current && message.toast);
      last.current = messages.getState()[0]?.id ?? last.current;
      for (const message of fresh.toReversed()) {
        const key = `message-${message.id}`;
        toaster.current?.show(
          {
            intent: intents[message.tone],
            timeout: shownFor,
            isCloseButtonShown: false,
            message: (
              <>
                {message.title !== null && message.title !== "" && <b>{message.title}</b>}
                <span className="toast-text">{message.text}</span>
                <CopyId id={message.requestId} />
                <button type="button" className="toast-close" aria-label={t("sheet.close")} onClick={() => toaster.current?.dismiss(key)}>
                  <Icon name="close" size="xs" />
                </button>
              </>
            ),
          },
          key,
        );
      }
    };
    show();
    return messages.subscribe(show);
  }, [messages, t]);

  return <OverlayToaster ref={toaster} position="top-right" maxToasts={most} canEscapeKeyClear={false} className="toasts" />;
}
