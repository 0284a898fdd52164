import { downtimeRoutes as routes } from "../src/contract/downtimes.ts";
import type { AnyCommand, Chord } from "../src/console/kit/commands/command.ts";
import { defineCommand } from "../src/console/kit/commands/command.ts";
import type { TimelineDesk } from "../src/console/kit/commands/timeline-desk.ts";
import { newUuid } from "../src/values/uuid.ts";
import { runAct } from "./run-act.ts";

/** Of the picture above the list, while it has the focus. */
const onTimeline = {
  scope: "picture",
  desk: "timeline",
  subject: null,
  takes: "none",
  permission: routes.readDowntimeTimeline.permission,
} as const;

const move = (motion: Parameters<TimelineDesk["move"]>[0], key: Chord): AnyCommand =>
  defineCommand({
    ...onTimeline,
    id: `downtime.move-${motion}`,
    keys: [key],
    repeats: true,
    quiet: true,
    run: (_, __, { pane }) => pane?.timeline?.move(motion),
  });

const show = (span: Parameters<TimelineDesk["show"]>[0], key: Chord): AnyCommand =>
  defineCommand({ ...onTimeline, id: `downtime.${span}`, keys: [key], hint: true, run: (_, __, { pane }) => pane?.timeline?.show(span) });

/** Minutes by which a key moves a window or its end. */
const minutesStep = 15;

const adjust = (name: string, part: "end" | "both", by: 1 | -1, key: Chord): AnyCommand =>
  defineCommand({
    ...onTimeline,
    id: `downtime.${name}`,
    permission: routes.updateDowntime.permission,
    keys: [key],
    repeats: true,
    refuse: (_, { pane }) => (pane?.cursor === null ? "refuse.no-row" : null),
    // Left and Right are screen directions, but times run in reading order
    run: (_, __, { pane, rightToLeft }) =>
      pane?.timeline?.adjust(part, by * minutesStep * (part === "end" && rightToLeft === true ? -1 : 1)),
  });

/** Commands that only downtimes have. */
export const downtimeCommands: readonly AnyCommand[] = [
  move("left", "ArrowLeft"),
  move("right", "ArrowRight"),
  move("up", "ArrowUp"),
  move("down", "ArrowDown"),
  adjust("end-right", "end", 1, "Shift+ArrowRight"),
  adjust("end-left", "end", -1, "Shift+ArrowLeft"),
  adjust("postpone", "both", 1, "Shift+ArrowDown"),
  adjust("bring-forward", "both", -1, "Shift+ArrowUp"),
  show("day", "d"),
  show("week", "Shift+w"),
  show("month", "m"),
  defineCommand({
    ...onTimeline,
    id: "downtime.earlier",
    keys: ["PageUp"],
    repeats: true,
    run: (_, __, { pane }) => pane?.timeline?.step(-1),
  }),
  defineCommand({
    ...onTimeline,
    id: "downtime.later",
    keys: ["PageDown"],
    repeats: true,
    run: (_, __, { pane }) => pane?.timeline?.step(1),
  }),
  defineCommand({ ...onTimeline, id: "downtime.now", keys: ["t"], hint: true, run: (_, __, { pane }) => pane?.timeline?.toNow() }),
  defineCommand({ ...onTimeline, id: "downtime.table", keys: ["o"], run: (_, __, { pane }) => pane?.timeline?.toggleTable() }),
  defineCommand({
    scope: "screen",
    screen: "downtime-schedule",
    subject: null,
    takes: "none",
    permission: routes.readDowntimeTimeline.permission,
    id: "downtime.timeline",
    keys: ["t"],
    hint: true,
    run: (_, { shell }) => shell.focusPane("timeline"),
  }),
  defineCommand({
    scope: "pane",
    subject: "downtime",
    id: "downtime.end",
    takes: "one",
    permission: routes.endDowntime.permission,
    keys: ["a"],
    hint: true,
    refuse: ([{ state }]) => (state === "now" ? null : "problem.downtime.not-active"),
    async run([row], services) {
      const { uuid, version, entity, repeats } = row;
      const words = { name: entity.name };
      const text = repeats === "weekly" ? "downtime.ask.end-weekly" : "downtime.ask.end-once";
      if ((await services.ask("confirm", { title: "downtime.ask.end", text, words })) !== true) return;
      await runAct("downtime", row, services, async () => {
        const { data } = await services.call(routes.endDowntime, { params: { uuid }, body: { version } }, { idempotencyKey: newUuid() });
        services.changed("downtime", [data]);
        services.say("downtime.said.ended", words, "done");
      });
    },
  }),
];
