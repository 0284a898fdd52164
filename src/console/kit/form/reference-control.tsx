import type { KeyboardEvent } from "react";
import { useEffect, useEffectEvent, useId, useRef, useState } from "react";
import type { Linked } from "../../../contract/controls.ts";
import { shortest, useFoundRecords } from "../palette/use-found-records.ts";
import { useText } from "../texts/texts.ts";
import { useKit } from "../use-kit.ts";
import { backToChips, capText, Chips } from "./chips.tsx";
import { splitReferences } from "./codecs.ts";
import type { ControlProps } from "./control-props.ts";
import { saidOf } from "./control-props.ts";
import { linkedText } from "./linked.ts";

/**
 * One record or several, found by typing a name, a code or an account's last digits. Arrows choose among what was found, Enter takes it,
 * Esc closes the list and leaves the form open. An Enter faster than the answer is kept, also while one writes on in the next field:
 * when it comes, the record that was pointed at is taken if it is still found, or the only one found. What was typed counts although no
 * record is chosen for it, so that the form says it instead of being saved without it. Mod+Enter opens the record beside: the one
 * pointed at in the list, or the chosen one that has the focus. Not Blueprint's Suggest and MultiSelect: Esc in their list is the
 * sheet's already, their list hangs in a portal outside the dialog that holds the focus, and their chips are TagInput's (chips.tsx);
 * they would also cost 24 kB.
 */
export function ReferenceControl(props: ControlProps) {
  const { id, field, value, readOnly, linked, takeRef, onWrite } = props;
  const t = useText();
  const { services, sources, keys } = useKit();
  const listId = useId();
  const box = useRef<HTMLDivElement>(null);
  const input = useRef<HTMLInputElement | null>(null);
  const [typed, setTyped] = useState(() => splitReferences(value).typed);
  const [pointed, setPointed] = useState(0);
  const [closed, setClosed] = useState(false);
  const [focused, setFocused] = useState<string | null>(null);
  const { to } = field;
  const many = field.control === "references";
  const { chosen } = splitReferences(value);

  const [find] = useState(
    () => async (text: string, signal: AbortSignal) =>
      (await Promise.all(to.map((screen) => sources.findLinked?.(screen, text, signal) ?? []))).flat(),
  );
  const { found, searching, failed } = useFoundRecords<Linked>(find, typed);
  const offered = found.filter(({ uuid }) => !chosen.includes(uuid));
  const open = !closed && !readOnly && typed.trim() !== "";
  const tooShort = typed.trim().length < shortest;
  const at = Math.min(pointed, Math.max(0, offered.length - 1));
  const active = open ? offered[at] : undefined;
  const entered = useRef<{ readonly text: string; readonly uuid: string | undefined } | null>(null);

  function write(records: readonly string[], text: string): void {
    setTyped(text);
    onWrite([...records, text.trim()].filter((part) => part !== "").join(", "));
  }

  function choose(record: Linked): void {
    linked.take([record]);
    write(many ? [...chosen, record.uuid] : [record.uuid], "");
    setPointed(0);
    services.say("form.said.chosen", { name: linkedText(record) });
    if (box.current?.contains(document.activeElement) === true) input.current?.focus();
  }

  const takeEntered = useEffectEvent(() => {
    const wanted = entered.current;
    entered.current = null;
    if (readOnly || wanted?.text !== typed) return;
    const taken = offered.find(({ uuid }) => uuid === wanted.uuid) ?? (offered.length === 1 ? offered[0] : undefined);
    if (taken !== undefined) choose(taken);
  });
  useEffect(() => {
    if (!searching) takeEntered();
  }, [searching]);

  function remove(uuid: string): void {
    write(
      chosen.filter((one) => one !== uuid),
      typed,
    );
    services.say("form.said.removed", { name: linkedText(linked.of(uuid)) });
    input.current?.focus();
  }

  const openBeside = useEffectEvent((uuid: string) => {
    const [screen] = to;
    const { in: place } = [...found, linked.of(uuid)].find((one) => one.uuid === uuid) ?? {};
    if (place !== undefined) services.shell.splitScreen(place.screen, { params: place.params, search: { record: uuid } });
    else if (screen !== undefined) services.shell.splitScreen(screen, { search: { record: uuid } });
  });

  // keys that are the sheet's where the list is closed and no chip has the focus
  const beside = active?.uuid ?? focused;
  useEffect(() => {
    if (box.current === null || (!open && beside === null)) return undefined;
    return keys.claim(box.current, {
      ...(open && {
        Escape: () => {
          entered.current = null;
          setClosed(true);
        },
      }),
      ...(beside !== null && { "$mod+Enter": () => openBeside(beside) }),
    });
  }, [keys, open, beside]);

  useEffect(() => {
    if (open) box.current?.querySelector("[role=listbox], .none")?.scrollIntoView({ block: "nearest" });
  }, [open, offered.length]);

  function onKeyDown(event: KeyboardEvent<HTMLInputElement>): void {
    if (event.nativeEvent.isComposing) return;
    const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    if (step !== 0 && typed.trim() !== "") {
      event.preventDefault();
      if (closed) setClosed(false);
      else setPointed(offered.length === 0 ? 0 : (at + step + offered.length) % offered.length);
    } else if (event.key === "Enter" && open) {
      event.preventDefault();
      if (searching) entered.current = { text: typed, uuid: active?.uuid };
      else if (active !== undefined) choose(active);
    } else backToChips(event);
  }

  const none = tooShort
    ? t("form.reference.short")
    : searching
      ? t("palette.searching")
      : failed
        ? t("form.reference.failed")
        : offered.length === 0
          ? t("form.reference.none", { text: typed.trim() })
          : null;

  return (
    <div ref={box} className="chip-box bp6-input">
      <Chips
        chips={chosen.map((uuid) => ({ id: uuid, text: linkedText(linked.of(uuid)) }))}
        labelledBy={`${id}-label`}
        readOnly={readOnly}
        hint={t(readOnly ? "form.chip.keys-open" : "form.chip.keys-record", {
          remove: capText("Delete"),
          open: capText("$mod+Enter"),
        })}
        input={input}
        onRemove={remove}
        onFocusChip={setFocused}
      />
      <input
        {...saidOf(props)}
        ref={(element) => {
          input.current = element;
          takeRef(element);
        }}
        type="text"
        role="combobox"
        aria-autocomplete="list"
        aria-expanded={open}
        aria-controls={listId}
        aria-activedescendant={active === undefined ? undefined : `${listId}-${at}`}
        // an empty line runs as the page does
        dir={typed === "" ? undefined : "auto"}
        value={typed}
        readOnly={readOnly}
        placeholder={readOnly || (!many && chosen.length > 0) ? undefined : t("form.reference.type")}
        autoComplete="off"
        spellCheck={false}
        onChange={(event) => {
          write(chosen, event.target.value);
          setPointed(0);
          setClosed(false);
        }}
        onKeyDown={onKeyDown}
        onBlur={(event) => {
          // a click into the list is on its way to an option
          if (box.current?.contains(event.relatedTarget) !== true) setClosed(true);
        }}
      />
      <div className="found" hidden={!open}>
        <div
          id={listId}
          role="listbox"
          tabIndex={-1}
          aria-labelledby={`${id}-label`}
          aria-busy={searching}
          onMouseDown={(event) => {
            // the focus stays in the line
            event.preventDefault();
            const place = [...event.currentTarget.children].findIndex((one) => one.contains(event.target as Node)); // of an element's own event
            if (offered[place] !== undefined) choose(offered[place]);
          }}
        >
          {open &&
            offered.map((record, place) => (
              <div
                key={record.uuid}
                id={`${listId}-${place}`}
                role="option"
                tabIndex={-1}
                aria-selected={place === at}
                className={place === at ? "on" : undefined}
              >
                {record.code !== null && <bdi className="mono">{record.code}</bdi>}
                <bdi className="cut">{record.name}</bdi>
              </div>
            ))}
        </div>
        <p className="none t2" role="status">
          {open && (none ?? <span className="sr">{t("form.reference.found", { count: offered.length })}</span>)}
        </p>
      </div>
    </div>
  );
}
