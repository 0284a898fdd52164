import { createStore } from "zustand/vanilla";
import type { ScreenName } from "../../contract/screens.ts";
import { loadChunk } from "./loading/chunk.ts";
import type { AnyCommand } from "./commands/command.ts";
import type { CommandList } from "./commands/command-list.ts";
import { createContextStore } from "./commands/context-store.ts";
import type { ContextStore } from "./commands/context-store.ts";
import { createEscapeLadder } from "./keys/escape.ts";
import type { EscapeLadder } from "./keys/escape.ts";
import { createKeyEngine } from "./keys/keys.ts";
import type { ChordHint, KeyEngine } from "./keys/keys.ts";
import { createLeaving } from "./form/leaving.ts";
import type { Leaving } from "./form/leaving.ts";
import type { Menu } from "./commands/menu.ts";
import { createMessageLog } from "./messages/message-log.ts";
import type { MessageLog } from "./messages/message-log.ts";
import type { MessageKey, Words } from "./texts/messages.ts";
import { createPaletteStore } from "./palette/palette-store.ts";
import type { PaletteSources, PaletteStore } from "./palette/palette-store.ts";
import { createPaneStore } from "./panes/pane-store.ts";
import type { PaneStore } from "./panes/pane-store.ts";
import { createQuestionHost } from "./sheets/questions.ts";
import type { QuestionHost } from "./sheets/questions.ts";
import { createRegistry } from "./commands/registry.ts";
import type { Registry, Source } from "./commands/registry.ts";
import type { Services, ShellServices, Tone, Workplace } from "./commands/services.ts";
import { text } from "./texts/texts.ts";
import { createTypeAhead } from "./keys/type-ahead.ts";
import { createUndoStack } from "./commands/undo.ts";
import type { UndoStack } from "./commands/undo.ts";

/** Services that shell and api provide; the kit makes the others. */
export interface OuterServices extends Pick<Services, "call" | "go" | "changed"> {
  readonly shell: Pick<
    ShellServices,
    | "setTheme"
    | "splitScreen"
    | "linkHere"
    | "toggleSound"
    | "floatCounters"
    | "pinView"
    | "setThreshold"
    | "openPinned"
    | "pinnedCount"
    | "switchTenant"
    | "switchCurrency"
    | "setLanguage"
    | "signOut"
    | "refresh"
  >;
}

interface KitOptions {
  readonly commands: CommandList;
  readonly routedScreens: ReadonlySet<ScreenName>;
  readonly services: OuterServices;
  readonly sources?: PaletteSources;
}

/** A sheet over the page; "keys" and "practice" are drawn by console/own-keys, "exports" by console/exports, "shift" and "hand-overs" by console/shifts. */
type KitSheet = "help" | "messages" | "keys" | "practice" | "exports" | "shift" | "hand-overs";

interface Value<T> {
  getState(): T;
  subscribe(listener: () => void): () => void;
  set(value: T): void;
}

export interface Kit {
  readonly registry: Registry;
  readonly context: ContextStore;
  readonly keys: KeyEngine;
  readonly services: Services;
  readonly undo: UndoStack;
  readonly messages: MessageLog;
  readonly questions: QuestionHost;
  readonly leaving: Leaving;
  readonly palette: PaletteStore;
  readonly sources: PaletteSources;
  readonly panes: PaneStore;
  readonly ladder: EscapeLadder;
  readonly sheet: Value<KitSheet | null>;
  readonly chord: Value<ChordHint | null>;
  readonly menu: Value<Menu | null>;
  /** Slot on the status bar for offers, beside the keys and never over them. */
  readonly offers: Value<HTMLElement | null>;
  /** Shows a toast (specification, points 8 and 9): title and message. */
  toast(toast: { title: string; text: string; tone: Tone }): void;
  /** Runs a command in the context of the pane that last had the focus. */
  run(id: string, source: Source): void;
  /** Called after every command that ran, with how it was started. */
  onRan(listener: (command: AnyCommand, source: Source) => void): () => void;
  /** Moves the focus back to a pane when it has fallen to the body. */
  keepFocus(): void;
}

function createValue<T>(initial: T): Value<T> {
  const store = createStore<{ value: T }>()(() => ({ value: initial }));
  return {
    getState: () => store.getState().value,
    subscribe: (listener) => store.subscribe(listener),
    set: (value) => store.setState({ value }),
  };
}

const nowhere: Workplace = { tenant: "", currency: "", user: "", zone: 0, zoneText: "", time: "", stamp: "", timeOf: String, search: {} };

const storage = typeof localStorage === "undefined" ? undefined : localStorage;

/** The parts of the console that know no entity, wired together. Listens to nothing until <KitProvider> is mounted. */
export function createKit({ commands, routedScreens, services: outer, sources = {} }: KitOptions): Kit {
  const context = createContextStore();
  const undo = createUndoStack();
  const messages = createMessageLog();
  const questions = createQuestionHost();
  const leaving = createLeaving(questions.ask);
  const palette = createPaletteStore(storage);
  const panes = createPaneStore(storage);
  const ladder = createEscapeLadder();
  const sheet = createValue<KitSheet | null>(null);
  const chord = createValue<ChordHint | null>(null);
  const menu = createValue<Menu | null>(null);
  const offers = createValue<HTMLElement | null>(null);
  const ahead = createTypeAhead((event) => keys.press(event));
  const ranListeners = new Set<(command: AnyCommand, source: Source) => void>();
  let lastEscape = Number.NEGATIVE_INFINITY;

  context.subscribe(() => {
    if (palette.getState().context?.pane?.cursor === null) palette.rowCame(context.read({ pane: "latest" }));
  });

  const say = (key: MessageKey, words: Words = {}, tone: Tone = "plain"): void => messages.say(text(key, words), tone);

  const services: Services = {
    call: (route, sent, options) => outer.call(route, sent, options),
    go(screen, to) {
      const go = (): void => {
        ahead.await(() => context.getState().screen === screen && context.read().pane !== null);
        outer.go(screen, to);
        // one that is there already brings nothing that takes the focus
        const here = context.read({ pane: "latest" });
        if (here.screen === screen && here.dialog === null) here.pane?.grid?.focus();
        ahead.settle();
      };
      // keys must not be queued for a screen that may not open
      if (leaving.isHeld()) void leaving.may().then((may) => may && go());
      else go();
    },
    changed: (subject, rows) => outer.changed(subject, rows),
    ask: (kind, asked) => questions.ask(kind, asked),
    menu: (opened) => menu.set(opened),
    say,
    toast: (title, body, words, tone) => messages.toast({ title: text(title, words), text: text(body, words), tone }),
    text,
    open(what: KitSheet | "palette" | "tenant" | "currency" | "language", mode?: string) {
      if (what !== "palette" && what !== "tenant" && what !== "currency" && what !== "language") return sheet.set(what);
      const frozen = { ...context.read({ pane: "latest" }), dialog: null };
      if (what === "palette") palette.open(frozen, mode ?? "");
      else palette.open(frozen, "", what);
    },
    async copy(copied, what) {
      try {
        await navigator.clipboard.writeText(copied);
        if (what === "secret") say("copied-secret");
        else if (what !== undefined) say(what.key, what.words);
        else say("copied", { text: copied.length > 60 ? `${copied.slice(0, 60)}…` : copied });
        return true;
      } catch {
        say("failed.copy", {}, "fail");
        return false;
      }
    },
    async saveFile(file) {
      const { saveFile } = await loadChunk(() => import("./export/save-file.ts"));
      saveFile(file);
    },
    async saveSheet(sheet) {
      const { saveSheet } = await loadChunk(() => import("./export/save-sheet.ts"));
      await saveSheet(sheet);
    },
    workplace: (pane) => sources.workplace?.(pane) ?? nowhere,
    pushUndo: undo.push,
    dropUndo: undo.drop,
    async undoLast() {
      const newest = undo.take();
      if (newest === null) return say("undo.nothing");
      try {
        await newest.back();
      } catch (error) {
        undo.putBack(newest);
        throw error;
      }
    },
    async redoLast() {
      const last = undo.taken();
      if (last === null) return say("redo.nothing");
      const what = text(last.text, last.words);
      const command = last.again && registry.get(last.again.command);
      if (last.again === undefined || command === undefined) return say("redo.never", { what }, "warn");
      const now = { ...context.read({ pane: "latest" }), dialog: null };
      const [row, ...others] = registry.targets(command, now) ?? [];
      const isThere = others.length === 0 && typeof row === "object" && row !== null && "uuid" in row && row.uuid === last.again.uuid;
      if (!isThere) return say("redo.elsewhere", { what }, "warn");
      await registry.run(command.id, "key", now);
    },
    shell: {
      ...outer.shell,
      focusPane: (pane) => void (panes.focus(pane) || say("pane.absent", {}, "warn")),
      togglePane: panes.toggle,
      resizePanes: () => void (panes.focusSplitter() || say("pane.absent", {}, "warn")),
      zoomPane: panes.zoom,
      turnDetail: panes.turn,
      escape: () => void ladder.escape(),
    },
  };

  const registry = createRegistry(commands, {
    services,
    routedScreens,
    onRan: (command, source) => {
      if (source === "palette") palette.used(command.id);
      for (const listener of ranListeners) listener(command, source);
    },
  });
  // key labels render with the context, so changed keys publish the context again
  registry.subscribe(() => context.setDirection(context.getState().rightToLeft));
  const keys = createKeyEngine({
    registry,
    read: (target, typing) => context.read({ target, typing }),
    say,
    onHint: chord.set,
    keeps: (event) => context.read().dialog === null && ahead.keeps(event),
    awaitsRow(command, now, event) {
      const grid = now.dialog === null ? now.pane?.grid : null;
      const rows = grid?.firstRows() ?? null;
      if (rows === null || registry.judge(command, now).state !== "refused" || registry.targets(command, now) !== null) return false;
      let came = false;
      ahead.await(() => came && (context.read().pane?.cursor !== null || grid?.rowCount() === 0));
      void rows.then(() => {
        came = true;
        ahead.settle();
      });
      return ahead.keeps(event);
    },
  });
  context.subscribe(() => ahead.settle());

  function keepFocus(): void {
    requestAnimationFrame(() => {
      if (document.activeElement === document.body || document.activeElement === null) {
        const grid = context.read({ pane: "latest" }).pane?.grid ?? null;
        if (grid !== null) grid.focus();
        else panes.focus("list");
      }
    });
  }

  ladder.register("field", () => {
    if (!context.getState().typing) return false;
    const before = document.activeElement;
    const grid = context.read({ pane: "latest" }).pane?.grid ?? null;
    if (grid !== null) grid.focus();
    else if (!panes.focus("list") && before instanceof HTMLElement) before.blur();
    return true;
  });
  ladder.register("detail", () => panes.around(document.activeElement) === "detail" && panes.focus("list"));
  ladder.register("selection", () => {
    const pane = context.read({ pane: "latest" }).pane;
    if (pane === null || pane.marked.length === 0 || pane.grid === null) return false;
    pane.grid.clearMarks();
    return true;
  });
  ladder.register("queue", () => {
    const queue = context.read({ pane: "latest" }).pane?.queue ?? null;
    if (queue === null || !queue.active) return false;
    const now = performance.now();
    if (now - lastEscape <= 1000) queue.leave();
    else say("queue.escape-again");
    lastEscape = now;
    return true;
  });

  return {
    registry,
    context,
    keys,
    services,
    undo,
    messages,
    questions,
    leaving,
    palette,
    sources,
    panes,
    ladder,
    sheet,
    chord,
    menu,
    offers,
    toast: messages.toast,
    onRan(listener) {
      ranListeners.add(listener);
      return () => void ranListeners.delete(listener);
    },
    run(id, source) {
      void registry.run(id, source, { ...context.read({ pane: "latest" }), dialog: null }).then(keepFocus);
    },
    keepFocus,
  };
}
