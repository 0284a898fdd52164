import type { AnyCommand, Chord } from "../src/console/kit/commands/command.ts";
import { defineCommand } from "../src/console/kit/commands/command.ts";
import type { DialogAct } from "../src/console/kit/commands/context.ts";
import type { ShellServices } from "../src/console/kit/commands/services.ts";

const everywhere = { scope: "console", subject: null, takes: "none", permission: "signed-in" } as const;

type FocusedPane = Parameters<ShellServices["focusPane"]>[0];

const focus = (pane: FocusedPane, key: Chord): AnyCommand =>
  defineCommand({ ...everywhere, id: `pane.${pane}`, keys: [`w ${key}`], run: (_, { shell }) => shell.focusPane(pane) });

/** A key of the open dialog; quiet, because each dialog shows its own keys. */
const dialog = (act: DialogAct, key: Chord): AnyCommand =>
  defineCommand({
    ...everywhere,
    id: `dialog.${act}`,
    scope: "dialog",
    act,
    keys: [key],
    quiet: true,
    whileTyping: true,
    run: (_, __, context) => context.dialog?.acts[act]?.(),
  });

const theme = (name: "light" | "dark" | "system"): AnyCommand =>
  defineCommand({ ...everywhere, id: `console.theme-${name}`, run: (_, { shell }) => shell.setTheme(name) });

export const consoleCommands: readonly AnyCommand[] = [
  defineCommand({ ...everywhere, id: "console.palette", keys: ["$mod+k"], whileTyping: true, run: (_, { open }) => open("palette") }),
  defineCommand({
    ...everywhere,
    id: "console.actions",
    keys: [".", "Shift+F10", "ContextMenu"],
    hint: true,
    run: (_, { open }) => open("palette", "."),
  }),
  defineCommand({ ...everywhere, id: "console.help", keys: ["?"], hint: true, run: (_, { open }) => open("help") }),
  defineCommand({ ...everywhere, id: "console.messages", run: (_, { open }) => open("messages") }),
  defineCommand({
    ...everywhere,
    id: "console.undo",
    keys: ["z", "$mod+z"],
    overlaps: true,
    // what it would take back is of the place that is being left
    refuse: (_, { switching }) => (switching ? "refuse.switching" : null),
    run: (_, { undoLast }) => undoLast(),
  }),
  defineCommand({
    ...everywhere,
    id: "console.redo",
    keys: ["Shift+z", "$mod+Shift+z"],
    run: (_, { redoLast }) => redoLast(),
  }),
  defineCommand({ ...everywhere, id: "copy.link", keys: ["y l"], run: async (_, { copy, shell }) => void (await copy(shell.linkHere())) }),
  defineCommand({ ...everywhere, id: "console.refresh", keys: ["Shift+r"], run: (_, { shell }) => shell.refresh() }),
  defineCommand({ ...everywhere, id: "console.sound", keys: ["b"], run: (_, { shell }) => shell.toggleSound() }),
  defineCommand({ ...everywhere, id: "console.detail", keys: ["d"], run: (_, { shell }) => shell.togglePane("detail") }),
  focus("navigation", "n"),
  focus("list", "l"),
  focus("detail", "d"),
  focus("counters", "c"),
  focus("filters", "f"),
  defineCommand({
    ...everywhere,
    id: "pane.next",
    keys: ["F6", "w w"],
    whileTyping: true,
    run: (_, { shell }) => shell.focusPane("next"),
  }),
  defineCommand({
    ...everywhere,
    id: "pane.previous",
    keys: ["Shift+F6"],
    whileTyping: true,
    run: (_, { shell }) => shell.focusPane("previous"),
  }),
  defineCommand({ ...everywhere, id: "pane.resize", keys: ["w r"], run: (_, { shell }) => shell.resizePanes() }),
  defineCommand({ ...everywhere, id: "pane.zoom", keys: ["w z"], run: (_, { shell }) => shell.zoomPane() }),
  defineCommand({ ...everywhere, id: "pane.split", keys: ["w s"], run: (_, { shell }) => shell.splitScreen() }),
  defineCommand({ ...everywhere, id: "pane.toggle-navigation", run: (_, { shell }) => shell.togglePane("navigation") }),
  defineCommand({ ...everywhere, id: "pane.toggle-counters", run: (_, { shell }) => shell.togglePane("counters") }),
  defineCommand({ ...everywhere, id: "pane.float-counters", keys: ["w p"], run: (_, { shell }) => shell.floatCounters() }),
  defineCommand({ ...everywhere, id: "pane.turn", keys: ["w o"], run: (_, { shell }) => shell.turnDetail() }),
  defineCommand({
    ...everywhere,
    id: "console.escape",
    keys: ["Escape"],
    whileTyping: true,
    quiet: true,
    run: (_, { shell }) => shell.escape(),
  }),
  theme("light"),
  theme("dark"),
  theme("system"),
  dialog("confirm", "$mod+Enter"),
  dialog("accept", "Enter"),
  dialog("close", "Escape"),
  dialog("toggle", "$mod+k"),
  dialog("next", "Tab"),
  dialog("previous", "Shift+Tab"),
  dialog("back", "Backspace"),
  ...Array.from({ length: 10 }, (_, digit) => dialog(`choose-${digit}`, String(digit))),
];
