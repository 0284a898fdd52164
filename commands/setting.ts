import type { AnyCommand } from "../src/console/kit/commands/command.ts";
import { defineCommand } from "../src/console/kit/commands/command.ts";
import type { Context } from "../src/console/kit/commands/context.ts";
import { settingRoutes as routes } from "../src/contract/settings.ts";

const ofScreen = { scope: "pane", desk: "form", screen: "setting", subject: null, takes: "none" } as const;
/** The tenth section is on key 0. */
const digits = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10] as const;

const sectionOn = (context: Context, digit: number): string | undefined => context.pane?.form?.sections[digit - 1];

export const settingCommands: readonly AnyCommand[] = [
  defineCommand({
    ...ofScreen,
    id: "setting.save",
    permission: routes.updateSettings.permission,
    keys: ["$mod+Enter"],
    whileTyping: true,
    hint: true,
    refuse: (_, context) => context.pane?.form?.refusal() ?? null,
    run: (_, __, context) => context.pane?.form?.save(),
  }),
  // No key, so that one press does not throw away what was typed.
  defineCommand({
    ...ofScreen,
    id: "setting.discard",
    permission: routes.updateSettings.permission,
    refuse: (_, context) => ((context.pane?.form?.changes ?? 0) > 0 ? null : "setting.refuse.unchanged"),
    run: (_, __, context) => context.pane?.form?.discard(),
  }),
  defineCommand({
    ...ofScreen,
    id: "setting.history",
    permission: routes.readSettings.permission,
    keys: ["i"],
    hint: true,
    run: (_, __, context) => context.pane?.form?.pick("history"),
  }),
  ...digits.map((digit) =>
    defineCommand({
      ...ofScreen,
      id: `setting.section-${digit}`,
      permission: routes.readSettings.permission,
      keys: [String(digit % 10)],
      quiet: true,
      refuse: (_, context) => (sectionOn(context, digit) ? null : { key: "setting.refuse.no-section", words: { digit } }),
      run(_, __, context) {
        const section = sectionOn(context, digit);
        if (section !== undefined) context.pane?.form?.pick(section);
      },
    }),
  ),
];
