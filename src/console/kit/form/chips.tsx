import { Tag } from "@blueprintjs/core";
import type { KeyboardEvent, RefObject } from "react";
import { useRef } from "react";
import { capsOf } from "../keys/chord.ts";
import { Icon } from "../look/icon.tsx";
import { useText } from "../texts/texts.ts";

export interface Chip {
  readonly id: string;
  readonly text: string;
}

interface ChipsProps {
  readonly chips: readonly Chip[];
  /** What the chips are chosen for. */
  readonly labelledBy: string;
  readonly readOnly: boolean;
  /** What may be done on one, said when it has the focus. */
  readonly hint: string;
  /** Where the chips end: the line that is typed into. */
  readonly input: RefObject<HTMLInputElement | null>;
  onRemove(id: string): void;
  onFocusChip?(id: string | null): void;
}

/**
 * What is chosen, one chip each, before the line it is typed into; arrows go from one to the next as they stand on the screen, Backspace
 * and Delete take one away. Not Blueprint's TagInput: its arrows are those of left-to-right pages only, and which of its tags is chosen is
 * shown by colour and told to nobody. Its Tag is.
 */
export function Chips({ chips, labelledBy, readOnly, hint, input, onRemove, onFocusChip }: ChipsProps) {
  const t = useText();
  const list = useRef<HTMLUListElement>(null);
  if (chips.length === 0) return null;
  const each = () => [...(list.current?.querySelectorAll<HTMLElement>("[data-chip]") ?? [])];

  function onKeyDown(event: KeyboardEvent<HTMLElement>, at: number): void {
    const isBack = event.key === (isRightToLeft(event.currentTarget) ? "ArrowRight" : "ArrowLeft");
    const isOn = event.key === (isRightToLeft(event.currentTarget) ? "ArrowLeft" : "ArrowRight");
    if (isBack) each()[Math.max(0, at - 1)]?.focus();
    else if (isOn) (each()[at + 1] ?? input.current)?.focus();
    else if (event.key === "Home") each()[0]?.focus();
    else if (event.key === "End") input.current?.focus();
    else if ((event.key === "Backspace" || event.key === "Delete") && !readOnly) {
      (each()[at + 1] ?? each()[at - 1] ?? input.current)?.focus();
      onRemove(chips[at]?.id ?? "");
    } else return;
    event.preventDefault();
  }

  return (
    <ul ref={list} className="chips" aria-describedby={labelledBy} aria-label={t("form.chips")}>
      {chips.map(({ id, text }, at) => (
        <li key={id}>
          <Tag
            minimal
            interactive
            data-chip={id}
            tabIndex={-1}
            title={`${text}. ${hint}`}
            aria-describedby={`${labelledBy}-keys`}
            onKeyDown={(event) => onKeyDown(event, at)}
            onFocus={() => onFocusChip?.(id)}
            onBlur={() => onFocusChip?.(null)}
          >
            <bdi>{text}</bdi>
          </Tag>
          {!readOnly && (
            <button
              type="button"
              tabIndex={-1}
              className="chip-remove"
              aria-label={t("form.chip.remove", { name: text })}
              onClick={() => {
                input.current?.focus(); // the button goes with its chip
                onRemove(id);
              }}
            >
              <Icon name="close" size="xs" />
            </button>
          )}
        </li>
      ))}
      {hint !== "" && (
        <li hidden id={`${labelledBy}-keys`}>
          {hint}
        </li>
      )}
    </ul>
  );
}

/** A chord as its caps read, in a sentence. */
export const capText = (chord: string): string =>
  capsOf(chord)
    .map((press) => press.join("+"))
    .join(" ");

export const isRightToLeft = (element: Element): boolean => getComputedStyle(element).direction === "rtl";

/** From the beginning of an empty or unselected line back to the last chip; says whether it went there. */
export function backToChips(event: KeyboardEvent<HTMLInputElement>): boolean {
  const { key, currentTarget: input } = event;
  const box = input.closest(".chip-box");
  // the line itself turns with what is typed into it
  const isBack = key === "Backspace" || (box !== null && key === (isRightToLeft(box) ? "ArrowRight" : "ArrowLeft"));
  if (!isBack || input.selectionStart !== 0 || input.selectionEnd !== 0 || event.nativeEvent.isComposing) return false;
  const last = [...(box?.querySelectorAll<HTMLElement>("[data-chip]") ?? [])].at(-1);
  if (last === undefined) return false;
  last.focus();
  event.preventDefault();
  return true;
}
