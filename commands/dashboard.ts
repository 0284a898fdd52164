import type { AnyCommand, Chord } from "../src/console/kit/commands/command.ts";
import { defineCommand } from "../src/console/kit/commands/command.ts";
import { dashboardRoutes as routes } from "../src/contract/dashboard.ts";

const ofScreen = {
  scope: "pane",
  desk: "board",
  screen: "dashboard",
  subject: null,
  takes: "none",
  permission: routes.readDashboard.permission,
} as const;

const move = (motion: "left" | "right" | "up" | "down" | "first" | "last", ...keys: readonly [Chord, ...Chord[]]): AnyCommand =>
  defineCommand({
    ...ofScreen,
    id: `dashboard.${motion}`,
    keys,
    repeats: true,
    quiet: true,
    run: (_, __, context) => context.pane?.board?.move(motion),
  });

/** Moves the cursor over the figures, bars and rows of the dashboard. */
export const dashboardCommands: readonly AnyCommand[] = [
  defineCommand({
    ...ofScreen,
    id: "dashboard.open-behind",
    keys: ["Enter"],
    hint: true,
    refuse: (_, context) => context.pane?.board?.refusal() ?? null,
    run(_, { go, say }, context) {
      const behind = context.pane?.board?.behind();
      if (!behind) return;
      go(behind.screen, { search: behind.search });
      if (behind.note !== undefined) say(behind.note);
    },
  }),
  defineCommand({
    ...ofScreen,
    id: "dashboard.as-table",
    keys: ["t"],
    hint: true,
    run: (_, __, context) => context.pane?.board?.toggleTables(),
  }),
  move("left", "ArrowLeft"),
  move("right", "ArrowRight"),
  move("up", "ArrowUp", "k"),
  move("down", "ArrowDown", "j"),
  move("first", "Home"),
  move("last", "End"),
];
