import type { GameImport, GameImportLine } from "../../../contract/game-imports.ts";
import { gameImportRoutes as routes } from "../../../contract/game-imports.ts";
import type { Call } from "../../api/call.ts";
import type { ImportKind } from "../../imports/import-work.ts";
import { asAct } from "../../imports/import-work.ts";

/** Games on their way into a set-up: what the server reads of the lines, and how far it is with writing them. */
export const gameImports = (call: Call, provider: string): ImportKind<GameImport, GameImportLine> => ({
  states: ["wrong", "new", "changed", "same"],
  linesShown: 500,
  isReady: ({ counts }) => counts.new + counts.changed > 0,
  stage: async ({ source, file }) =>
    (await call(routes.uploadGames, { params: { merchantProviderUuid: provider }, query: { source }, file }, asAct())).data,
  read: async (uuid) => (await call(routes.readGameImport, { params: { uuid } }, { quiet: true })).data,
  lines: async (uuid, state, limit) =>
    (await call(routes.listGameImportLines, { params: { uuid }, query: { state, limit } }, { quiet: true })).data,
  start: async ({ uuid }) => (await call(routes.startGameImport, { params: { uuid }, body: {} }, asAct())).data,
  cancel: async ({ uuid }) => (await call(routes.cancelGameImport, { params: { uuid }, body: {} }, asAct())).data,
});
