import type { AnyCommand, Reason } from "../src/console/kit/commands/command.ts";
import { defineCommand } from "../src/console/kit/commands/command.ts";
import type { Context } from "../src/console/kit/commands/context.ts";
import { loadChunk } from "../src/console/kit/loading/chunk.ts";
import { needExportTexts } from "../src/console/kit/texts/late-texts.ts";

const hasRows = (_: readonly [], context: Context): Reason | null => {
  const grid = context.pane?.grid ?? null;
  if (grid === null) return "refuse.no-grid";
  return grid.rowCount() === 0 ? "export.refuse.no-rows" : null;
};

/** What makes files comes with the first of them, and its texts. */
const work = async () => (await loadChunk(() => Promise.all([import("./export-work.ts"), needExportTexts()])))[0];

const own = { scope: "console", subject: null, takes: "none", permission: "signed-in" } as const;

/** Files of lists: each list has its own permission for them. */
export const exportCommands: readonly AnyCommand[] = [
  defineCommand({
    id: "list.export",
    formerly: ["withdrawal.export", "merchant.export", "payment-account.export"],
    scope: "screen",
    desk: "list",
    subject: null,
    takes: "none",
    permission: ({ list }) => list?.exports?.routes.note.permission ?? null,
    keys: ["Shift+e"],
    refuse: hasRows,
    run: async (_, services, context) => (await work()).exportList(services, context),
  }),
  defineCommand({ ...own, id: "exports.open", keys: ["w e"], run: (_, services) => services.open("exports") }),
  defineCommand({ ...own, id: "exports.download", keys: ["y e"], run: async (_, services) => (await work()).downloadNewest(services) }),
  defineCommand({ ...own, id: "exports.cancel", run: async (_, services) => (await work()).cancelNewest(services) }),
];
