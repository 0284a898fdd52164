import { useId, useRef, useState } from "react";
import { SheetButtons, SheetFrame } from "../sheet-frame.tsx";
import { useText } from "../texts.ts";
import type { SheetProps } from "./sheet-props.ts";

/** A free text; Enter makes a new line, Mod+Enter saves. */
export function TextSheet({ asked, answer }: SheetProps<"text">) {
  const t = useText();
  const id = useId();
  const field = useRef<HTMLTextAreaElement>(null);
  const [text, setText] = useState(asked.initial);
  const confirm = (): void => answer(text.trim());
  const cancel = (): void => answer(null);
  return (
    <SheetFrame
      dialog={{ name: "text", acts: { confirm, close: cancel, toggle: () => undefined } }}
      title={t(asked.title, asked.words)}
      first={field}
      foot={<SheetButtons label={t("sheet.save")} chord="$mod+Enter" onConfirm={confirm} onCancel={cancel} />}
    >
      <div className="f">
        <label htmlFor={id}>
          {t("sheet.text.label")}
          <span className="end">{t("sheet.text.left", { count: asked.maximum - text.length })}</span>
        </label>
        <textarea
          id={id}
          ref={field}
          className="bp6-input"
          rows={4}
          maxLength={asked.maximum}
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
      </div>
    </SheetFrame>
  );
}
