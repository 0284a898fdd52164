import { useRef, useState } from "react";
import type { Reason } from "../commands/command.ts";
import { reasonText, useText } from "../texts/texts.ts";
import { useKit } from "../use-kit.ts";
import { FreeText } from "./free-text.tsx";
import { Irreversible } from "./irreversible.tsx";
import { SheetButtons, SheetFrame } from "./sheet-frame.tsx";
import type { SheetProps } from "./sheet-props.ts";

/** A free text. Of several lines: Enter makes a new one, Mod+Enter saves. Of one line: Enter takes it. */
export function TextSheet({ asked, answer }: SheetProps<"text">) {
  const t = useText();
  const { messages } = useKit();
  const field = useRef<HTMLElement>(null);
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
      <FreeText
        label={t(asked.hint ?? asked.label ?? "sheet.text.label")}
        hint={line ? null : t("sheet.text.left", { count: asked.maximum - text.length })}
        maximum={asked.maximum}
        rows={line ? 1 : 4}
        value={text}
        wrong={wrong === null ? null : reasonText(t, wrong)}
        takeRef={(element) => void (field.current = element)}
        onWrite={(written) => {
          setText(written);
          setWrong(null);
        }}
      />
      {asked.irreversible === true && <Irreversible />}
    </SheetFrame>
  );
}
