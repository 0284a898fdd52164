import { useEffect, useRef, useState } from "react";
import { CommandKey } from "../kit/command-button.tsx";
import { Icon } from "../kit/icon.tsx";
import { useEscape } from "../kit/use-kit.ts";

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

/** Text search of this list; what is typed is in the address a moment later. */
export function FindField({ label, keyOf, longest, value, fieldRef, onFind }: FindFieldProps) {
  const [typed, setTyped] = useState(value);
  const [known, setKnown] = useState(value);
  if (known !== value) {
    // the address changed by other means
    setKnown(value);
    if (typed.trim() !== value) setTyped(value);
  }
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const find = (text: string) => {
    setTyped(text);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => onFind(text.trim().slice(0, longest)), pause);
  };
  const field = useRef<HTMLInputElement | null>(null);
  useEscape("filter-text", () => {
    if (document.activeElement !== field.current || typed === "") return false;
    find("");
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
