import { useId, useRef, useState } from "react";
import type { DialogAct } from "../commands/context.ts";
import { KeyCap } from "../keys/key-cap.tsx";
import { FreeText } from "./free-text.tsx";
import { SheetButtons, SheetFrame } from "./sheet-frame.tsx";
import { useText } from "../texts/texts.ts";
import { useKit } from "../use-kit.ts";
import type { SheetProps } from "./sheet-props.ts";

const longest = 500;
/** The code of a reason in one's own words (contract: "other", with a text). */
const other = "other";

/** 1–9 chooses a preset, Enter confirms it; 0 opens a free text, Mod+Enter confirms that. */
export function ReasonSheet({ asked, answer }: SheetProps<"reason">) {
  const t = useText();
  const { services } = useKit();
  const id = useId();
  const presets = asked.presets.filter((preset) => preset.code !== other).slice(0, 9);
  const [code, setCode] = useState<string | null>(presets.length === 0 ? other : null);
  const [text, setText] = useState("");
  const list = useRef<HTMLInputElement>(null);
  const field = useRef<HTMLElement>(null);

  const write = (): void => {
    setCode(other);
    field.current?.focus();
  };
  const cancel = (): void => answer(null);
  const confirm = (): void => {
    if (code === null) services.say("sheet.reason.choose", {}, "warn");
    else if (code !== other) answer({ code });
    else if (text.trim() === "") {
      services.say("sheet.reason.needed", {}, "warn");
      field.current?.focus();
    } else answer({ code: other, text: text.trim() });
  };
  const refused = code === null ? t("sheet.reason.choose") : code === other && text.trim() === "" ? t("sheet.reason.needed") : null;
  const digits: Partial<Record<DialogAct, () => void>> = { "choose-0": write };
  presets.forEach((preset, at) => {
    digits[`choose-${at + 1}`] = () => setCode(preset.code);
  });
  const freeText = code === other;

  return (
    <SheetFrame
      dialog={{
        name: "reason",
        // In the text plain Enter makes a new line; a preset is confirmed by it.
        acts: { ...digits, ...(freeText ? {} : { accept: confirm }), confirm, close: cancel, toggle: () => undefined },
      }}
      title={t(asked.title, asked.words)}
      first={presets.length === 0 ? field : list}
      foot={
        <SheetButtons
          label={t("sheet.confirm")}
          chord={freeText ? "$mod+Enter" : "Enter"}
          onConfirm={confirm}
          onCancel={cancel}
          refused={refused}
        />
      }
    >
      <div role="radiogroup" aria-label={t("sheet.reason.label")} className="options">
        {presets.map((preset, at) => (
          <label key={preset.code} className={preset.code === code ? "option on" : "option"}>
            <input
              ref={at === 0 ? list : null}
              type="radio"
              name={id}
              checked={preset.code === code}
              onChange={() => setCode(preset.code)}
            />
            <KeyCap chord={String(at + 1)} />
            <span className="grow">{preset.text}</span>
          </label>
        ))}
        <label className={freeText ? "option on" : "option"}>
          <input type="radio" name={id} checked={freeText} onChange={() => setCode(other)} />
          <KeyCap chord="0" />
          <span className="grow">{t("sheet.reason.other")}</span>
        </label>
      </div>
      {/* whoever comes to the text by Tab or by a click has chosen it */}
      <div onFocus={() => setCode(other)}>
        <FreeText
          label={t("sheet.reason.text")}
          unseenLabel
          placeholder={t("sheet.reason.text")}
          maximum={longest}
          rows={3}
          value={text}
          takeRef={(element) => void (field.current = element)}
          onWrite={setText}
        />
      </div>
    </SheetFrame>
  );
}
