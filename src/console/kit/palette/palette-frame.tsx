import "./palette.css";
import { Command, useCommandState } from "cmdk";
import type { ClipboardEvent, KeyboardEvent, ReactNode, RefObject } from "react";
import { useEffect, useLayoutEffect, useRef, useState } from "react";
import { flushSync } from "react-dom";
import { Icon } from "../look/icon.tsx";
import { KeyCap } from "../keys/key-cap.tsx";
import type { Chord } from "../commands/command.ts";
import { useText } from "../texts/texts.ts";

interface PaletteFrameProps {
  /** Label of the field. */
  readonly label: string;
  readonly placeholder: string;
  readonly input: RefObject<HTMLInputElement | null>;
  readonly text: string;
  readonly longest?: number;
  /** Beside the field: the number of results. */
  readonly count?: ReactNode;
  /** Between field and list. */
  readonly head?: ReactNode;
  readonly selected: string;
  /** As tall with one row as with all, so that a key moves nothing but the rows. */
  readonly steady?: true;
  readonly children: ReactNode;
  /** Notes in place of rows, that there are none or not yet; outside the list, which may contain only rows. */
  readonly notes?: ReactNode;
  /** Keys, and at the end a note on the whole list. */
  readonly foot: ReactNode;
  onText(text: string): void;
  onSelected(id: string): void;
  onLeave(): void;
  /** The list is scrolled near its current end, or a key goes to the last row: more are to be drawn, if there are more. */
  onNearEnd?(): void;
}

/** Asked of each row even though none is left out, and the library's own compares the text with each letter by letter. */
const unfiltered = () => 1;

/** px from the end. */
const nearEnd = 160;

/**
 * Which of these rows is selected, from the first to the last drawn: the first for each new text, and where it has gone. It is settled
 * before anything is drawn, because otherwise each key would draw the list twice.
 */
export function useSelectedRow(ids: readonly string[], text: string): [selected: string, select: (id: string) => void] {
  const [chosen, choose] = useState({ id: "", text });
  const [first] = ids;
  const stays = chosen.text === text && ids.includes(chosen.id);
  if (first !== undefined && !stays) choose({ id: first, text });
  return [chosen.id, (id) => choose({ id, text })];
}

interface SelectedShownProps {
  readonly selected: string;
  readonly text: string;
  readonly input: RefObject<HTMLElement | null>;
  readonly list: RefObject<HTMLElement | null>;
}

/**
 * Names the selected row to screen readers in the field and in the list, and scrolls it into view. The library does both too, but with the
 * row before, because it looks for the selected one before that is drawn; so the name is told anew wherever it has told something, and the
 * list is scrolled after it.
 */
function SelectedShown({ selected, text, input, list }: SelectedShownProps) {
  useCommandState(({ selectedItemId }) => selectedItemId);
  useLayoutEffect(() => {
    for (const told of [input.current, list.current]) told?.setAttribute("aria-activedescendant", rowOf(list.current, selected)?.id ?? "");
  });
  useEffect(() => {
    rowOf(list.current, selected)?.scrollIntoView({ block: "nearest" });
  }, [list, selected, text]);
  return null;
}

const rowOf = (list: HTMLElement | null, value: string) => list?.querySelector(`[cmdk-item][data-value="${CSS.escape(value)}"]`);

/** Field, list and foot of the palette, on every page. */
export function PaletteFrame(props: PaletteFrameProps) {
  const { label, placeholder, input, text, longest, count, head, selected, steady, children, notes, foot } = props;
  const { onText, onSelected, onLeave, onNearEnd } = props;
  const t = useText();
  const list = useRef<HTMLDivElement>(null);

  /** Keeps pasted lines apart, such as a column of numbers, because the field itself would join them. */
  function pasteLines(event: ClipboardEvent<HTMLInputElement>): void {
    const pasted = event.clipboardData.getData("text").trim();
    if (!/[\r\n\t]/.test(pasted)) return;
    event.preventDefault();
    const { selectionStart, selectionEnd } = event.currentTarget;
    onText(text.slice(0, selectionStart ?? text.length) + pasted.replace(/[\r\n\t]+/g, " ") + text.slice(selectionEnd ?? text.length));
  }

  /** Draws all rows before the key goes to the last, because the library takes the last that is drawn for it. */
  function drawAllBefore({ key }: KeyboardEvent): void {
    const isFirst = list.current?.querySelector("[cmdk-item]") === rowOf(list.current, selected);
    if (onNearEnd !== undefined && (key === "End" || (key === "ArrowUp" && isFirst))) flushSync(onNearEnd);
  }

  return (
    <div data-overlay="">
      <button type="button" className="veil" tabIndex={-1} aria-label={t("sheet.close")} onClick={onLeave} />
      <Command
        className={steady ? "pal steady" : "pal"}
        shouldFilter={false}
        filter={unfiltered}
        vimBindings={false}
        loop
        value={selected}
        onValueChange={onSelected}
        onKeyDown={drawAllBefore}
        label={label}
        role="dialog"
        aria-label={label}
      >
        <div className="in">
          <Icon name="find" />
          <Command.Input
            ref={input}
            value={text}
            maxLength={longest}
            onValueChange={onText}
            onPaste={pasteLines}
            placeholder={placeholder}
          />
          {count !== undefined && <span className="label">{count}</span>}
          <KeyCap chord="Escape" />
        </div>
        {head}
        <Command.List
          ref={list}
          label={label}
          onScroll={({ currentTarget: at }) => {
            if (at.scrollTop + at.clientHeight > at.scrollHeight - nearEnd) onNearEnd?.();
          }}
        >
          {children}
        </Command.List>
        <SelectedShown selected={selected} text={text} input={input} list={list} />
        <div role="status">{notes}</div>
        <div className="ft">{foot}</div>
      </Command>
    </div>
  );
}

/** Keys and what they do here. */
export function FootKeys({ chords, children }: { chords: readonly Chord[]; children: ReactNode }) {
  return (
    <span>
      {chords.length === 1 ? (
        chords.map((chord) => <KeyCap key={chord} chord={chord} />)
      ) : (
        <span className="kk">
          {chords.map((chord) => (
            <KeyCap key={chord} chord={chord} />
          ))}
        </span>
      )}
      {children}
    </span>
  );
}

export function PaletteHeading({ title, count }: { title: string; count: number }) {
  return (
    <>
      <span>{title}</span>
      <em>{count}</em>
    </>
  );
}
