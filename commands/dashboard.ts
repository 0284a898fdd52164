import type { AnyCommand, Chord, Reason } from "../src/console/kit/command.ts";
import { defineCommand } from "../src/console/kit/command.ts";
import type { Context } from "../src/console/kit/context.ts";
import { dashboardRoutes as routes } from "../src/contract/dashboard.ts";

const ofScreen = { scope: "pane", screen: "dashboard", subject: null, takes: "none", permission: routes.readDashboard.permission } as const;

const needsDesk = (_: readonly [], context: Context): Reason | null => (context.pane?.board ? null : "dashboard.refuse.elsewhere");

const move = (motion: "left" | "right" | "up" | "down" | "first" | "last", ...keys: readonly [Chord, ...Chord[]]): AnyCommand =>
  defineCommand({
    ...ofScreen,
    id: `dashboard.${motion}`,
    keys,
    repeats: true,
    quiet: true,
    run: (_, __, context) => context.pane?.board?.move(motion),
  });

/** The board of the day: a cursor over its figures, bars and rows. */
export const dashboardCommands: readonly AnyCommand[] = [
  defineCommand({
    ...ofScreen,
    id: "dashboard.open-behind",
    keys: ["Enter"],
    hint: true,
    refuse: (rows, context) => needsDesk(rows, context) ?? context.pane?.board?.refusal() ?? null,
    run(_, { go, say }, context) {
      const behind = context.pane?.board?.behind();
      if (!behind) return;
      go(behind.screen, { ...behind.search });
      if (behind.note !== undefined) say(behind.note);
    },
  }),
  defineCommand({
    ...ofScreen,
    id: "dashboard.as-table",
    keys: ["t"],
    hint: true,
    refuse: needsDesk,
    run: (_, __, context) => context.pane?.board?.toggleTables(),
  }),
  move("left", "ArrowLeft"),
  move("right", "ArrowRight"),
  move("up", "ArrowUp", "k"),
  move("down", "ArrowDown", "j"),
  move("first", "Home"),
  move("last", "End"),
];
