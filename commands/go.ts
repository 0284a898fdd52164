import type { Screen, ScreenName } from "../src/contract/screens.ts";
import { screens } from "../src/contract/screens.ts";
import type { AnyCommand } from "../src/console/kit/command.ts";
import { defineCommand } from "../src/console/kit/command.ts";

const table = Object.entries(screens) as [ScreenName, Screen][]; // entries lose the names

/** One per screen; absent while its screen is not routed. */
export const goCommands: readonly AnyCommand[] = table.map(([name, screen]) =>
  defineCommand({
    id: `go.${name}`,
    scope: "console",
    subject: null,
    takes: "none",
    permission: screen.permission,
    leadsTo: name,
    ...(screen.key === null ? {} : { keys: [`g ${screen.key}`] as const }),
    run: (_, { go }) => go(name),
  }),
);
