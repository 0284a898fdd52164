import { firstStepRoutes as routes } from "../src/contract/first-steps.ts";
import type { AnyCommand } from "../src/console/kit/commands/command.ts";
import { defineCommand } from "../src/console/kit/commands/command.ts";

const common = { screen: "dashboard", subject: null, takes: "none", permission: routes.updateFirstSteps.permission } as const;
const ofSteps = { ...common, scope: "pane", desk: "steps" } as const;

/** What leads a new tenant's owner through its first steps, on the dashboard. */
export const firstStepCommands: readonly AnyCommand[] = [
  defineCommand({
    ...ofSteps,
    id: "first-steps.next",
    keys: ["n"],
    hint: true,
    refuse: (_, context) => context.pane?.steps?.refusal() ?? null,
    run: (_, __, context) => context.pane?.steps?.begin(),
  }),
  defineCommand({
    ...ofSteps,
    id: "first-steps.skip",
    keys: ["s"],
    hint: true,
    refuse: (_, context) => context.pane?.steps?.skipRefusal() ?? null,
    run: (_, __, context) => context.pane?.steps?.skip(),
  }),
  defineCommand({
    ...ofSteps,
    id: "first-steps.later",
    keys: ["h"],
    hint: true,
    run: (_, __, context) => context.pane?.steps?.later(),
  }),
  // No key, because it is for everybody in the tenant.
  defineCommand({
    ...ofSteps,
    id: "first-steps.put-away",
    async run(_, { say }, context) {
      if ((await context.pane?.steps?.putAway()) === true) say("first-steps.said.put-away");
    },
  }),
  defineCommand({
    ...common,
    id: "first-steps.show",
    scope: "screen",
    run: (_, { go }) => go("dashboard", { search: { steps: "1" } }),
  }),
];
