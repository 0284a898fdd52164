import type { ChangeEvent, RefObject } from "react";
import { useId, useRef, useState } from "react";
import type { Reason } from "../commands/command.ts";
import { Icon } from "../look/icon.tsx";
import { SheetButtons, SheetFrame } from "./sheet-frame.tsx";
import { reasonText, useText } from "../texts/texts.ts";
import { useKit } from "../use-kit.ts";
import type { SheetProps } from "./sheet-props.ts";

/** A free text. Of several lines: Enter makes a new one, Mod+Enter saves. Of one line: Enter takes it. */
export function TextSheet({ asked, answer }: SheetProps<"text">) {
  const t = useText();
  const { messages } = useKit();
  const id = useId();
  const field = useRef<HTMLInputElement | HTMLTextAreaElement>(null);
  const [text, setText] = useState(asked.initial);
  const [wrong, setWrong] = useState<Reason | null>(null);
  const confirm = (): void => {
    const why = asked.refuse?.(text.trim()) ?? null;
    if (why === null) return answer(text.trim());
    setWrong(why);
    messages.say(reasonText(t, why), "warn");
    field.current?.focus();
  };
  const cancel = (): void => answer(null);
  const line = asked.hint !== undefined;
  const common = {
    id,
    className: "bp6-input",
    maxLength: asked.maximum,
    value: text,
    "aria-invalid": wrong !== null,
    "aria-describedby": wrong === null ? undefined : `${id}-wrong`,
    onChange(event: ChangeEvent<HTMLInputElement | HTMLTextAreaElement>) {
      setText(event.target.value);
      setWrong(null);
    },
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
      <div className={wrong === null ? "field" : "field bad"}>
        <label htmlFor={id}>
          {t(asked.hint ?? asked.label ?? "sheet.text.label")}
          {!line && <span className="end">{t("sheet.text.left", { count: asked.maximum - text.length })}</span>}
        </label>
        {line ? (
          <input ref={field as RefObject<HTMLInputElement>} type="text" autoComplete="off" {...common} />
        ) : (
          <textarea ref={field as RefObject<HTMLTextAreaElement>} rows={4} {...common} />
        )}
        {wrong !== null && (
          <span id={`${id}-wrong`} className="err">
            <Icon name="warn" size="xs" />
            {reasonText(t, wrong)}
          </span>
        )}
      </div>
    </SheetFrame>
  );
}
