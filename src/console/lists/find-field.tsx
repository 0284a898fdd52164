import { useEffect, useEffectEvent, useId, useLayoutEffect, useMemo, useRef, useState } from "react";
import type { Completion } from "../kit/query/complete.ts";
import { completionsOf, noteOf } from "../kit/query/complete.ts";
import { faultText } from "../kit/query/fault-text.ts";
import type { QueryField } from "../kit/query/query-field.ts";
import type { Meaning, QueryFault } from "../kit/query/query-line.ts";
import { readQuery, writeQuery } from "../kit/query/query-line.ts";
import { CommandKey } from "../kit/look/command-button.tsx";
import { Icon } from "../kit/look/icon.tsx";
import { useText } from "../kit/texts/texts.ts";
import { useEscape, useKit } from "../kit/use-kit.ts";
import { mayNameRecord } from "./query-fields.ts";

/** ms after the last letter until the list is asked. */
const pause = 250;

export interface FindFieldProps {
  readonly label: string;
  /** The command that leads here, if one does. */
  readonly keyOf?: string | undefined;
  /** Letters at most. */
  readonly longest: number;
  /** What a line can ask for. */
  readonly fields: readonly QueryField[];
  /** What is asked for, as an address has it. */
  readonly set: Meaning;
  /** Whether the fields have all the records that can be named; until then a line that may name one is not judged. */
  readonly areRecordsKnown: boolean;
  fieldRef(element: HTMLInputElement | null): void;
  /** Such a line is typed. */
  onRecords(): void;
  onFind(meaning: Meaning): void;
  /** Enter or Down leaves for the rows with what is asked for, Esc for where the line was come to from. */
  onLeave(byEscape: boolean): void;
}

const sameMeaning = (one: Meaning, other: Meaning): boolean =>
  Object.keys(one).length === Object.keys(other).length && Object.entries(one).every(([name, value]) => other[name] === value);

/**
 * The list's query line: words that are searched for, and while it has the focus the filters, too, each as `field:value`. What is typed is
 * asked for a moment later, and what is asked for by other means stands here. Enter, Down and Esc leave it; where it stays, Esc once more
 * clears the words.
 */
export function FindField({ label, keyOf, longest, fields, set, areRecordsKnown, fieldRef, onRecords, onFind, onLeave }: FindFieldProps) {
  const t = useText();
  const kit = useKit();
  const words = set["q"] ?? "";
  const line = useMemo(() => writeQuery(set, fields), [set, fields]);
  const [isHere, setHere] = useState(false);
  const [typed, setTyped] = useState(line);
  const [known, setKnown] = useState(set);
  const [fault, setFault] = useState<QueryFault | null>(null);
  const [offers, setOffers] = useState<readonly Completion[]>([]);
  const [chosen, setChosen] = useState(0);
  if (known !== set) {
    // the address changed: by what is typed here, or by other means
    setKnown(set);
    const read = readQuery(typed, fields);
    if (!("meaning" in read) || !sameMeaning(read.meaning, set)) {
      if (!isHere || "meaning" in read) setTyped(line);
    }
  }
  const field = useRef<HTMLInputElement | null>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  /** Left by Esc with words in it. */
  const left = useRef(false);
  const listId = useId();

  /** Left by Enter before the records were known that the line may name: it goes to the rows once they are. */
  const isGoing = useRef(false);
  const lacksRecords = (text: string): boolean => !areRecordsKnown && mayNameRecord(text, fields);

  const ask = (text: string): boolean => {
    clearTimeout(timer.current);
    if (lacksRecords(text)) return false; // judged once they are known
    const read = readQuery(text, fields);
    if ("fault" in read) {
      setFault(read.fault);
      return false;
    }
    setFault(null);
    if (!sameMeaning(read.meaning, set)) onFind(read.meaning);
    return true;
  };
  const offer = (text: string, caret: number) => {
    setOffers(completionsOf(text, caret, fields));
    setChosen(0);
  };
  const write = (text: string, caret: number) => {
    setTyped(text);
    setFault(null);
    offer(text, caret);
    isGoing.current = false;
    if (lacksRecords(text)) onRecords();
    clearTimeout(timer.current);
    timer.current = setTimeout(() => ask(text), pause);
  };
  const take = (completion: Completion | undefined) => {
    if (completion === undefined) return;
    const { from, to, text } = completion;
    const next = typed.slice(0, from) + text + typed.slice(to);
    write(next, from + text.length);
    caretAt.current = from + text.length;
  };
  const caretAt = useRef<number | null>(null);
  useLayoutEffect(() => {
    if (caretAt.current === null) return;
    field.current?.setSelectionRange(caretAt.current, caretAt.current);
    caretAt.current = null;
  });
  const goToRows = (byEscape: boolean) => {
    left.current = byEscape && words !== "";
    if (!ask(typed) && !byEscape) {
      isGoing.current = lacksRecords(typed);
      return;
    }
    onLeave(byEscape);
  };
  const judge = useEffectEvent(() => {
    if (!isHere || !mayNameRecord(typed, fields)) return;
    offer(typed, field.current?.selectionStart ?? typed.length);
    if (isGoing.current) goToRows(false);
    else ask(typed);
  });
  useEffect(() => {
    if (!areRecordsKnown) return undefined;
    const soon = setTimeout(judge);
    return () => clearTimeout(soon);
  }, [areRecordsKnown]);
  const isOpen = isHere && offers.length > 0;
  const step = (by: 1 | -1) => (isOpen ? setChosen((at) => (at + by + offers.length) % offers.length) : by === 1 && goToRows(false));
  useEffect(() => () => clearTimeout(timer.current), []);
  useEffect(() => {
    if (field.current === null) return undefined;
    return kit.keys.claim(field.current, {
      Enter: () => goToRows(false),
      ArrowDown: () => void step(1),
      ...(isOpen && { ArrowUp: () => void step(-1), Tab: () => take(offers[chosen]) }),
      Escape: () => (isOpen ? setOffers([]) : goToRows(true)),
    });
  });
  useEscape("filter-text", () => {
    if (!left.current || document.activeElement === field.current || words === "") return false;
    left.current = false;
    const { q: _q, ...rest } = set;
    onFind(rest);
    return true;
  });
  // the whole line is there for whoever comes to it, with its words selected, so that others are searched for at once
  useLayoutEffect(() => {
    if (!isHere || field.current === null) return;
    const { value } = field.current;
    const own = line.length - writeQuery({ q: words }, fields).length;
    field.current.setSelectionRange(words === "" ? value.length : own, value.length);
  }, [isHere]); // eslint-disable-line react-hooks/exhaustive-deps -- as it comes, not as it is typed
  const shown = isHere ? typed : words;
  const said = fault !== null && !isOpen ? faultText(fault) : null;
  return (
    <label className={shown === "" ? "chip find" : "chip find on"}>
      <Icon name="find" size="xs" />
      <input
        ref={(element) => {
          field.current = element;
          fieldRef(element);
        }}
        type="text"
        role="combobox"
        aria-expanded={isOpen}
        aria-controls={listId}
        aria-autocomplete="list"
        aria-activedescendant={isOpen ? `${listId}-${chosen}` : undefined}
        aria-invalid={said !== null}
        autoComplete="off"
        spellCheck={false}
        maxLength={longest}
        placeholder={label}
        aria-label={label}
        value={shown}
        onFocus={() => {
          setTyped(line === "" || words !== "" ? line : `${line} `);
          setHere(true);
        }}
        onBlur={() => {
          setHere(false);
          setOffers([]);
          setFault(null);
        }}
        onChange={({ target }) => write(target.value, target.selectionStart ?? target.value.length)}
      />
      {keyOf !== undefined && <CommandKey id={keyOf} />}
      {isOpen && (
        <div id={listId} role="listbox" className="offers" aria-label={t("query.offers")}>
          {offers.map((one, at) => (
            <div
              key={one.text}
              id={`${listId}-${at}`}
              role="option"
              aria-selected={at === chosen}
              tabIndex={-1}
              onPointerDown={() => take(one)}
            >
              <bdi className="mono">{one.text}</bdi>
              <span className="t3">
                <bdi>{noteOf(one)}</bdi>
              </span>
            </div>
          ))}
        </div>
      )}
      {said !== null && fault !== null && (
        <span className="offers fault" role="alert">
          <bdi className="mono">
            {typed.slice(0, fault.from)}
            <mark>{fault.text === "" ? " " : fault.text}</mark>
            {typed.slice(fault.to)}
          </bdi>
          <span>{said}</span>
        </span>
      )}
    </label>
  );
}
