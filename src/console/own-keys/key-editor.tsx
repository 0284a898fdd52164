import "./own-keys.css";
import type { ReactNode, RefObject } from "react";
import { useEffect, useId, useLayoutEffect, useRef, useState } from "react";
import type { Chord } from "../kit/commands/command.ts";
import type { DialogAct } from "../kit/commands/context.ts";
import { FindBar } from "../kit/sheets/help-sheet.tsx";
import { SheetFrame } from "../kit/sheets/sheet-frame.tsx";
import { commandName, useText } from "../kit/texts/texts.ts";
import { useKit, useStore } from "../kit/use-kit.ts";
import { usePressSearch } from "../kit/sheets/use-press-search.ts";
import { chordText } from "../kit/keys/chord-text.ts";
import type { OwnKeys } from "./own-keys.ts";
import { ConflictPanel } from "./conflict-panel.tsx";
import { FileButtons } from "./file-buttons.tsx";
import { KeyFoot, KeyRow } from "./key-row.tsx";
import type { Steps } from "./key-row.tsx";
import { keyGroups } from "./key-rows.ts";
import { mostChords } from "./key-store.ts";
import { recordChord } from "./record.ts";

interface Wanted {
  readonly id: string;
  readonly beside: boolean;
}

/** All commands with their keys: find one by name or key, change its keys, reset them. */
export function KeyEditor({ ownKeys }: { ownKeys: OwnKeys }) {
  const t = useText();
  const { keys, sheet, services } = useKit();
  useStore(ownKeys.preferences.store);
  const [name, setName] = useState("");
  const [chosen, setChosen] = useState<string | null>(null);
  const [recording, setRecording] = useState<(Wanted & { presses: readonly string[] }) | null>(null);
  const [conflict, setConflict] = useState<(Wanted & { chord: Chord }) | null>(null);
  const [trouble, setTrouble] = useState<readonly string[]>([]);
  const field = useRef<HTMLInputElement>(null);
  const list = useRef<HTMLDivElement>(null);
  const stopRecording = useRef<() => void>(() => undefined);
  const listId = useId();
  const pressing = usePressSearch(field);

  const { keys: store } = ownKeys;
  const groups = keyGroups(t, store.commands(), name, pressing.listening ? pressing.chord : "");
  const rows = groups.flatMap(({ commands }) => commands);
  const active = rows.find(({ id }) => id === chosen) ?? rows[0];
  const at = active === undefined ? -1 : rows.indexOf(active);
  const nameOf = (id: string): string => commandName(t, id);

  function record(beside: boolean): void {
    if (active === undefined) return;
    const { id } = active;
    setTrouble([]);
    if (beside && (active.keys?.length ?? 0) >= mostChords) return setTrouble([t("keys.fault.full", { count: mostChords })]);
    setRecording({ id, beside, presses: [] });
    stopRecording.current = recordChord(keys, {
      onPress: (presses) => setRecording({ id, beside, presses }),
      onUnknown: (key) => setTrouble([t("keys.fault.untypable", { keys: key })]),
      onDone(chord) {
        setRecording(null);
        if (chord !== null) decide({ id, beside }, chord);
      },
    });
  }

  function decide({ id, beside }: Wanted, chord: Chord): void {
    const fault = store.fault(id, chord);
    if (fault !== null) return setTrouble([t(`keys.fault.${fault}`, { keys: chordText(chord), count: mostChords })]);
    if (store.conflicts(id, chord).length > 0) return setConflict({ id, beside, chord });
    bind({ id, beside }, chord, false);
  }

  function bind({ id, beside }: Wanted, chord: Chord, replace: boolean): void {
    store.bind(id, chord, { beside, replace });
    setTrouble([]);
    services.say("keys.said.bound", { keys: chordText(chord), name: nameOf(id) }, "done");
  }

  function settle(how: "replace" | "both" | "cancel"): void {
    setConflict(null);
    list.current?.focus();
    if (conflict !== null && how !== "cancel") bind(conflict, conflict.chord, how === "replace");
  }

  function pick(id: string): void {
    setChosen(id);
    list.current?.focus();
  }

  const act = (run: (id: string) => void) => (): void => {
    setTrouble([]);
    if (active !== undefined) run(active.id);
  };
  const move = (to: number): void => setChosen(rows[Math.max(0, Math.min(rows.length - 1, to))]?.id ?? null);
  const steps: Steps = {
    up: () => (at <= 0 ? field.current?.focus() : move(at - 1)),
    down: () => move(at + 1),
    page: (by: number) => move(at + by),
    record,
    unbind: act(store.unbind),
    reset: act(store.reset),
  };
  useEffect(() => () => stopRecording.current(), []);
  useEffect(() => {
    list.current?.querySelector("[aria-selected=true]")?.scrollIntoView({ block: "nearest" });
  }, [at, groups.length]);

  const both = conflict !== null && store.conflicts(conflict.id, conflict.chord).every(({ kind }) => kind === "shadow");
  const acts: Partial<Record<DialogAct, () => void>> =
    conflict === null
      ? { close: () => sheet.set(null), toggle: pressing.toggle }
      : {
          "choose-1": () => settle("replace"),
          "choose-2": () => (both ? settle("both") : services.say("keys.conflict.not-both", {}, "warn")),
          "choose-3": () => settle("cancel"),
          close: () => settle("cancel"),
          toggle: () => undefined,
        };

  return (
    <SheetFrame
      wide
      first={field}
      dialog={{ name: "help", acts }}
      title={t("keys.title")}
      foot={
        conflict === null ? (
          <KeyFoot active={active} changed={active !== undefined && store.isChanged(active.id)} steps={steps} />
        ) : undefined
      }
    >
      <ListKeys field={field} list={list} steps={steps} />
      <FindBar label={t("keys.find")} text={name} onText={setName} field={field} pressing={pressing} />
      <div className="key-options">
        <Option checked={store.lettersOff()} onChange={store.setLettersOff}>
          {t("keys.letters-off")}
        </Option>
        <Option checked={store.functionKeysOn()} onChange={store.setFunctionKeys}>
          {t("keys.function-keys")}
        </Option>
        <Option checked={ownKeys.coach.isOn()} onChange={ownKeys.coach.setOn}>
          {t("keys.coach-on")}
        </Option>
        <Option checked={ownKeys.coach.isAlways()} onChange={ownKeys.coach.setAlways}>
          {t("keys.always-show")}
        </Option>
        <FileButtons ownKeys={ownKeys} onTrouble={setTrouble} />
      </div>
      {conflict !== null && (
        <ConflictPanel
          name={nameOf(conflict.id)}
          chord={conflict.chord}
          conflicts={store.conflicts(conflict.id, conflict.chord)}
          both={both}
          onSettle={settle}
        />
      )}
      {trouble.length > 0 && (
        <ul className="key-trouble" role="alert">
          {trouble.map((line) => (
            <li key={line} className="fail">
              {line}
            </li>
          ))}
        </ul>
      )}
      <div
        ref={list}
        className="key-list"
        role="listbox"
        tabIndex={0}
        aria-label={t("keys.list")}
        aria-activedescendant={active === undefined ? undefined : `${listId}${active.id}`}
      >
        {groups.map((group) => (
          <div key={group.title} role="group" aria-label={t(group.title)}>
            <h3 role="presentation">{t(group.title)}</h3>
            {group.commands.map((command) => (
              <KeyRow
                key={command.id}
                id={`${listId}${command.id}`}
                command={command}
                selected={command === active}
                changed={store.isChanged(command.id)}
                lettersOff={store.lettersOff()}
                presses={recording?.id === command.id ? recording.presses : null}
                onPick={() => pick(command.id)}
                onOpen={() => record(false)}
              />
            ))}
          </div>
        ))}
        {rows.length === 0 && (
          <div role="option" aria-selected="false" aria-disabled="true" className="t2">
            {t("keys.none-found")}
          </div>
        )}
      </div>
    </SheetFrame>
  );
}

/** Mounted inside the sheet's portal, so that field and list exist when their keys are claimed. */
function ListKeys({ field, list, steps }: { field: RefObject<HTMLElement | null>; list: RefObject<HTMLElement | null>; steps: Steps }) {
  const { keys } = useKit();
  const latest = useRef(steps);
  useLayoutEffect(() => {
    latest.current = steps;
  });
  useEffect(() => {
    const [ofField, ofList] = [field.current, list.current];
    if (ofField === null || ofList === null) return undefined;
    const toList = (): void => ofList.focus();
    const stops = [
      keys.claim(ofField, {
        ArrowDown: toList,
        Enter() {
          toList();
          latest.current.record(false);
        },
      }),
      keys.claim(ofList, {
        ArrowUp: () => latest.current.up(),
        ArrowDown: () => latest.current.down(),
        PageUp: () => latest.current.page(-10),
        PageDown: () => latest.current.page(10),
        Home: () => latest.current.page(-Infinity),
        End: () => latest.current.page(Infinity),
        Enter: () => latest.current.record(false),
        "Shift+Enter": () => latest.current.record(true),
        Delete: () => latest.current.unbind(),
        Backspace: () => latest.current.reset(),
      }),
    ];
    return () => stops.forEach((stop) => stop());
  }, [keys, field, list]);
  return null;
}

function Option({ checked, onChange, children }: { checked: boolean; onChange: (on: boolean) => void; children: ReactNode }) {
  return (
    <label className="option">
      <input type="checkbox" checked={checked} onChange={(event) => onChange(event.target.checked)} />
      {children}
    </label>
  );
}
