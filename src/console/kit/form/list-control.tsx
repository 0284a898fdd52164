import { useRef, useState } from "react";
import { useText } from "../texts/texts.ts";
import { useKit } from "../use-kit.ts";
import { backToChips, capText, Chips } from "./chips.tsx";
import { splitList } from "./codecs.ts";
import type { ControlProps } from "./control-props.ts";
import { saidOf } from "./control-props.ts";

/**
 * Texts, comma separated, as chips: a comma or Enter makes one of what was typed, and so does leaving the field. What is being typed
 * counts from the first letter, so that a form saved from within the field loses nothing.
 */
export function ListControl(props: ControlProps) {
  const { id, value, readOnly, takeRef, onWrite } = props;
  const t = useText();
  const { services } = useKit();
  const input = useRef<HTMLInputElement | null>(null);
  const [typed, setTyped] = useState("");
  const all = splitList(value);
  // the last one is still being typed
  const chips = typed.trim() !== "" && all.at(-1) === typed.trim() ? all.slice(0, -1) : all;
  /** What is typed may still become another entry than the one it repeats now, so that only what is taken is told apart. */
  const write = (taken: readonly string[], rest: string): void =>
    onWrite([...new Set(taken), rest.trim()].filter((part) => part !== "").join(", "));

  function type(text: string): void {
    const parts = text.split(/[,،，\n]/).map((part) => part.trimStart());
    const rest = parts.pop() ?? "";
    write([...chips, ...parts.map((part) => part.trimEnd())], rest);
    setTyped(rest);
  }
  function take(): void {
    if (typed.trim() !== "") write(all, "");
    setTyped("");
  }

  return (
    <div className="chip-box bp6-input">
      <Chips
        chips={chips.map((text) => ({ id: text, text }))}
        labelledBy={`${id}-label`}
        readOnly={readOnly}
        hint={readOnly ? "" : t("form.chip.keys", { remove: capText("Delete") })}
        input={input}
        onRemove={(gone) => {
          write(
            chips.filter((one) => one !== gone),
            typed,
          );
          services.say("form.said.removed", { name: gone });
        }}
      />
      <input
        {...saidOf(props)}
        ref={(element) => {
          input.current = element;
          takeRef(element);
        }}
        type="text"
        // an empty line runs as the page does
        dir={typed === "" ? undefined : "auto"}
        value={typed}
        readOnly={readOnly}
        autoComplete="off"
        spellCheck={false}
        onChange={(event) => type(event.target.value)}
        onBlur={take}
        onKeyDown={(event) => {
          if (event.key === "Enter" && !event.nativeEvent.isComposing && typed.trim() !== "") {
            event.preventDefault();
            take();
          } else backToChips(event);
        }}
      />
    </div>
  );
}
