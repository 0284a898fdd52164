import type { AnyCommand, Right } from "../src/console/kit/commands/command.ts";
import { defineCommand } from "../src/console/kit/commands/command.ts";
import type { Desks } from "../src/console/kit/commands/desks.ts";

/** Former ids, from when each list had its own commands. */
const formerly = (act: string, ...subjects: string[]) => subjects.map((subject) => `${subject}.${act}`);
const records = ["merchant", "payment-account"];

const mayView = ({ list }: Desks): Right | null => list?.view ?? null;
const ofList = { scope: "screen", desk: "list", subject: null, takes: "none", permission: mayView } as const;

/** Commands of every list, whatever its rows are. */
export const listCommands: readonly AnyCommand[] = [
  defineCommand({
    scope: "pane",
    desk: "list",
    subject: "any",
    takes: "one",
    id: "list.history",
    formerly: formerly("history", "withdrawal", ...records),
    permission: ({ list }) => (list?.showHistory == null ? null : list.view),
    keys: ["i"],
    run(_, services, { pane }) {
      if (pane?.detail === null) services.shell.togglePane("detail");
      pane?.list?.showHistory?.();
    },
  }),
  defineCommand({
    ...ofList,
    id: "list.find",
    formerly: formerly("find", "withdrawal", ...records),
    keys: ["/"],
    run: (_, __, { pane }) => pane?.list?.find(),
  }),
  defineCommand({
    ...ofList,
    id: "list.filter",
    formerly: formerly("filter", "withdrawal", ...records),
    keys: ["f"],
    run: (_, __, { pane }) => pane?.list?.filterColumn(),
  }),
  defineCommand({
    ...ofList,
    id: "list.filter-value",
    formerly: formerly("filter-value", "withdrawal", ...records),
    keys: ["Shift+f"],
    refuse: (_, { pane }) => pane?.list?.unfiltered() ?? (pane?.cursor ? null : "refuse.no-row"),
    run: (_, __, { pane }) => pane?.list?.filterByValue(),
  }),
  defineCommand({
    ...ofList,
    id: "list.drop-filter",
    formerly: formerly("drop-filter", "withdrawal", ...records),
    keys: ["Shift+Backspace"],
    refuse: (_, { pane }) => (pane?.list?.hasFilters() ? null : "list.refuse.no-filter"),
    run: (_, __, { pane }) => pane?.list?.dropFilter(),
  }),
  defineCommand({
    ...ofList,
    desk: "live",
    id: "list.follow",
    formerly: formerly("follow", "withdrawal", "deposit"),
    keys: ["l"],
    run: (_, __, { pane }) => pane?.live?.follow(),
  }),
  defineCommand({
    ...ofList,
    id: "list.reset",
    formerly: formerly("reset", ...records),
    run: (_, __, { pane }) => pane?.list?.reset(),
  }),
  defineCommand({
    ...ofList,
    id: "list.window",
    permission: ({ list }) => (list?.askWindow == null ? null : list.view),
    run: (_, __, { pane }) => pane?.list?.askWindow?.(),
  }),
  defineCommand({
    ...ofList,
    id: "list.shape",
    keys: ["Shift+t"],
    permission: ({ list }) => (list?.changeShape == null ? null : list.view),
    run: (_, __, { pane }) => pane?.list?.changeShape?.(),
  }),
  defineCommand({
    ...ofList,
    id: "list.up",
    keys: ["u"],
    refuse: (_, { pane }) => (pane?.list?.up == null ? "list.refuse.nothing-above" : null),
    run: (_, __, { pane }) => pane?.list?.up?.(),
  }),
  defineCommand({
    scope: "pane",
    desk: "list",
    subject: "any",
    takes: "one",
    id: "list.open-linked",
    permission: ({ list }) => (list?.linked == null ? null : list.view),
    keys: ["$mod+Enter"],
    refuse: ([row], { pane }) => (pane?.list?.linked?.(row) == null ? "list.refuse.nothing-linked" : null),
    run([row], { shell }, { pane }) {
      const linked = pane?.list?.linked?.(row);
      if (linked) shell.splitScreen(linked.screen, linked.to);
    },
  }),
];
