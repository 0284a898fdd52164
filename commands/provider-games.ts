import { gameImportRoutes } from "../src/contract/game-imports.ts";
import type { ProviderGame } from "../src/contract/provider-games.ts";
import { providerGameRoutes } from "../src/contract/provider-games.ts";
import type { AnyCommand } from "../src/console/kit/commands/command.ts";
import { defineCommand } from "../src/console/kit/commands/command.ts";
import type { Services } from "../src/console/kit/commands/services.ts";
import { problemText } from "../src/console/kit/messages/problem-text.ts";
import { newUuid } from "../src/values/uuid.ts";

const ofGames = { scope: "pane", subject: "provider-game", takes: "many" } as const;
/** Games of one request. */
const sliceOf = 200;

/** Sets the status of all rows, slice by slice; each that is refused says why, and stays marked. */
async function setStatus(rows: readonly ProviderGame[], status: "active" | "inactive", services: Services): Promise<void> {
  const wanted = rows.filter((row) => row.status !== status);
  const failed: string[] = [];
  let done = 0;
  for (let at = 0; at < wanted.length; at += sliceOf) {
    const games = wanted.slice(at, at + sliceOf);
    const slice = games.map(({ uuid, version }) => ({ uuid, version }));
    // oxlint-disable-next-line no-await-in-loop -- one request after the other
    const { data } = await services.call(
      providerGameRoutes.setProviderGamesStatus,
      { body: { rows: slice, status } },
      { idempotencyKey: newUuid() },
    );
    services.changed(
      "provider-game",
      data.outcomes.map((outcome) => (outcome.done ? outcome.row : { uuid: outcome.uuid })),
    );
    done += data.outcomes.filter((outcome) => outcome.done).length;
    for (const outcome of data.outcomes)
      if (!outcome.done) {
        const { code, message, data: of } = outcome.problem;
        failed.push(`${games.find(({ uuid }) => uuid === outcome.uuid)?.name ?? ""}: ${problemText(code, of) ?? message}`);
      }
  }
  const words = { count: done, status: services.text(`status.${status}`) };
  if (failed.length === 0) services.say("provider-game.said.status", words, "done");
  else
    services.toast(
      "provider-game.said.status-failed",
      "provider-game.said.status-why",
      { count: failed.length, why: failed[0] ?? "" },
      "fail",
    );
}

/** Commands of the games of a set-up. */
export const providerGameCommands: readonly AnyCommand[] = [
  defineCommand({
    scope: "screen",
    desk: "gameImports",
    subject: null,
    takes: "none",
    id: "provider-game.import",
    permission: gameImportRoutes.uploadGames.permission,
    keys: ["Shift+c"],
    hint: true,
    run: (_, __, { lent }) => lent.gameImports?.open(),
  }),
  defineCommand({
    ...ofGames,
    id: "provider-game.activate",
    permission: providerGameRoutes.setProviderGamesStatus.permission,
    keys: ["a"],
    refuse: (rows) => (rows.every(({ status }) => status === "active") ? "provider-game.refuse.active" : null),
    run: (rows, services) => setStatus(rows, "active", services),
  }),
  defineCommand({
    ...ofGames,
    id: "provider-game.inactivate",
    permission: providerGameRoutes.setProviderGamesStatus.permission,
    keys: ["r"],
    refuse: (rows) => (rows.every(({ status }) => status === "inactive") ? "provider-game.refuse.inactive" : null),
    run: (rows, services) => setStatus(rows, "inactive", services),
  }),
];
