import type { ChangeEvent, RefObject } from "react";
import { useId, useRef, useState } from "react";
import { SheetButtons, SheetFrame } from "../sheet-frame.tsx";
import { useText } from "../texts.ts";
import type { SheetProps } from "./sheet-props.ts";

/** A free text. Of several lines: Enter makes a new one, Mod+Enter saves. Of one line: Enter takes it. */
export function TextSheet({ asked, answer }: SheetProps<"text">) {
  const t = useText();
  const id = useId();
  const field = useRef<HTMLInputElement | HTMLTextAreaElement>(null);
  const [text, setText] = useState(asked.initial);
  const confirm = (): void => answer(text.trim());
  const cancel = (): void => answer(null);
  const line = asked.hint !== undefined;
  const common = {
    id,
    className: "bp6-input",
    maxLength: asked.maximum,
    value: text,
    onChange: (event: ChangeEvent<HTMLInputElement | HTMLTextAreaElement>) => setText(event.target.value),
  };
  return (
    <SheetFrame
      dialog={{ name: "text", acts: { confirm, close: cancel, toggle: () => undefined, ...(line && { accept: confirm }) } }}
      title={t(asked.title, asked.words)}
      first={field}
      foot={
        <SheetButtons
          label={t(line ? "sheet.confirm" : "sheet.save")}
          chord={line ? "Enter" : "$mod+Enter"}
          onConfirm={confirm}
          onCancel={cancel}
        />
      }
    >
      <div className="f">
        <label htmlFor={id}>
          {asked.hint === undefined ? t("sheet.text.label") : t(asked.hint)}
          {!line && <span className="end">{t("sheet.text.left", { count: asked.maximum - text.length })}</span>}
        </label>
        {line ? (
          <input ref={field as RefObject<HTMLInputElement>} type="text" autoComplete="off" {...common} />
        ) : (
          <textarea ref={field as RefObject<HTMLTextAreaElement>} rows={4} {...common} />
        )}
      </div>
    </SheetFrame>
  );
}
