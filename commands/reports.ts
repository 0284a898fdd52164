import type { AnyCommand } from "../src/console/kit/commands/command.ts";
import { defineCommand } from "../src/console/kit/commands/command.ts";
import type { Desks } from "../src/console/kit/commands/desks.ts";

const ofReport = {
  scope: "screen",
  desk: "report",
  subject: null,
  takes: "none",
  permission: ({ report }: Desks) => report?.view ?? null,
} as const;

/** Commands of the three reports. Before and next are of the period, n alone of the rows. */
export const reportCommands: readonly AnyCommand[] = [
  defineCommand({ ...ofReport, id: "report.earlier", keys: ["Shift+b"], hint: true, run: (_, __, { pane }) => pane?.report?.shift(-1) }),
  defineCommand({ ...ofReport, id: "report.later", keys: ["Shift+n"], hint: true, run: (_, __, { pane }) => pane?.report?.shift(1) }),
  defineCommand({ ...ofReport, id: "report.span", keys: ["Shift+m"], run: (_, __, { pane }) => pane?.report?.changeSpan() }),
  defineCommand({ ...ofReport, id: "report.compare", keys: ["p"], hint: true, run: (_, __, { pane }) => pane?.report?.compare() }),
  defineCommand({
    ...ofReport,
    id: "report.next-difference",
    keys: ["n"],
    hint: true,
    run: (_, __, { pane }) => pane?.report?.nextDifference(),
  }),
  defineCommand({ ...ofReport, id: "report.chart", keys: ["Shift+c"], run: (_, __, { pane }) => pane?.report?.nextChart() }),
  defineCommand({ ...ofReport, id: "report.tables", keys: ["Shift+x"], run: (_, __, { pane }) => pane?.report?.toggleTables() }),
  // the browser's own key for it, which would print only the rows that are loaded
  defineCommand({ ...ofReport, id: "report.print", keys: ["$mod+p"], run: (_, __, { pane }) => pane?.report?.print() }),
];
