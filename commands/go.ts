import type { Screen } from "../src/contract/screens.ts";
import { places, screens } from "../src/contract/screens.ts";
import type { AnyCommand } from "../src/console/kit/commands/command.ts";
import { defineCommand } from "../src/console/kit/commands/command.ts";

/** One command per screen that needs no record id; absent while its screen has no route. */
export const goCommands: readonly AnyCommand[] = places.map((name) => {
  const screen: Screen = screens[name];
  return defineCommand({
    id: `go.${name}`,
    scope: "console",
    subject: null,
    takes: "none",
    permission: screen.permission,
    leadsTo: name,
    ...(screen.key === null ? {} : { keys: [`g ${screen.key}`] as const }),
    run: (_, { go }) => go(name),
  });
});
