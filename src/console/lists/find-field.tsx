import { useEffect, useRef, useState } from "react";
import { CommandKey } from "../kit/look/command-button.tsx";
import { Icon } from "../kit/look/icon.tsx";
import { useEscape, useKit } from "../kit/use-kit.ts";

/** ms after the last letter until the list is asked. */
const pause = 250;

export interface FindFieldProps {
  readonly label: string;
  /** The command that leads here. */
  readonly keyOf: string;
  /** Letters at most. */
  readonly longest: number;
  /** As the address has it. */
  readonly value: string;
  fieldRef(element: HTMLInputElement | null): void;
  onFind(text: string): void;
}

/** Text search of this list; what is typed is in the address a moment later. Enter, Down and Esc go to the rows, Esc once more clears it. */
export function FindField({ label, keyOf, longest, value, fieldRef, onFind }: FindFieldProps) {
  const [typed, setTyped] = useState(value);
  const [known, setKnown] = useState(value);
  if (known !== value) {
    // the address changed by other means
    setKnown(value);
    if (typed.trim() !== value) setTyped(value);
  }
  const kit = useKit();
  const field = useRef<HTMLInputElement | null>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  /** Left by Esc with a text in it. */
  const left = useRef(false);
  const ask = (text: string) => {
    clearTimeout(timer.current);
    onFind(text.trim().slice(0, longest));
  };
  const find = (text: string) => {
    setTyped(text);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => ask(text), pause);
  };
  const goToRows = (byEscape: boolean) => () => {
    left.current = byEscape && typed !== "";
    if (typed.trim() !== value) ask(typed);
    kit.services.shell.focusPane("list");
  };
  useEffect(() => () => clearTimeout(timer.current), []);
  useEffect(() => {
    if (field.current === null) return undefined;
    return kit.keys.claim(field.current, { Enter: goToRows(false), ArrowDown: goToRows(false), Escape: goToRows(true) });
  });
  useEscape("filter-text", () => {
    if (!left.current || document.activeElement === field.current || typed === "") return false;
    left.current = false;
    setTyped("");
    ask("");
    return true;
  });
  return (
    <label className={typed === "" ? "chip find" : "chip find on"}>
      <Icon name="find" size="xs" />
      <input
        ref={(element) => {
          field.current = element;
          fieldRef(element);
        }}
        type="text"
        autoComplete="off"
        spellCheck={false}
        maxLength={longest}
        placeholder={label}
        aria-label={label}
        value={typed}
        onChange={(event) => find(event.target.value)}
      />
      <CommandKey id={keyOf} />
    </label>
  );
}
