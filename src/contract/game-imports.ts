import { z } from "zod";
import { Linked } from "./controls.ts";
import { askedLines, LinesMeta } from "./import-lines.ts";
import { gamesArea, ofProvider, ProviderParams } from "./provider-games.ts";
import { defineRoutes } from "./route.ts";
import { Instant, Uuid } from "./wire.ts";

const base = "/service/game-provider/api/tenant/v1/game-imports";
const permission = `${gamesArea}.create` as const;
/** Without it an import writes its new games only. */
export const toChangeGames = `${gamesArea}.update` as const;

/** Bytes of a file of games, and its lines. */
export const mostGameFileBytes = 8 * 1024 * 1024;
export const mostGameLines = 20_000;

export const gameImportStates = ["staged", "waiting", "running", "done", "failed", "cancelled"] as const;
/** What becomes of a line: a game of a code not there yet, another name, type or picture, nothing, or it is refused. */
export const gameLineStates = ["new", "changed", "same", "wrong"] as const;
export type GameLineState = (typeof gameLineStates)[number];

/** Games on their way in: staged until somebody starts them, then written by the server. */
export const GameImport = z.object({
  uuid: Uuid,
  provider: Linked,
  file_name: z.string().nullable(),
  state: z.enum(gameImportStates),
  /** What a start would find now, or what it has found. */
  counts: z.object({ lines: z.int(), new: z.int(), changed: z.int(), same: z.int(), wrong: z.int() }),
  /** Pictures that could not be fetched so far; their games are there without. */
  pictures_failed: z.int(),
  /** Lines and pictures that are through, of all there are. */
  done: z.int(),
  total: z.int(),
  created_at: Instant,
});
export type GameImport = z.infer<typeof GameImport>;

export const GameImportLine = z.object({
  /** Its number in the file. */
  n: z.int(),
  state: z.enum(gameLineStates),
  code: z.string(),
  name: z.string(),
  type: z.string(),
  image: z.string(),
  /** The field that is wrong and why, in the caller's language; null: nothing is. */
  fault: z.object({ field: z.enum(["code", "name", "type", "image"]), line: z.string() }).nullable(),
  /** Why its picture could not be fetched. */
  picture_fault: z.string().nullable(),
});
export type GameImportLine = z.infer<typeof GameImportLine>;

const params = z.strictObject({ uuid: Uuid });

export const gameImportRoutes = defineRoutes({
  /** A file, a dropped one, or pasted lines as a text: CSV or XLSX with code, name, type and the address of a picture. Nothing is written yet. */
  uploadGames: {
    method: "POST",
    path: `${ofProvider}/game-imports`,
    permission,
    currency: true,
    params: ProviderParams,
    file: { most: mostGameFileBytes },
    query: z.strictObject({ source: z.enum(["file", "paste"]).default("file") }),
    answer: GameImport,
    refuses: ["bank-file.refused"],
  },
  /** Also how far it is. */
  readGameImport: { method: "GET", path: `${base}/{uuid}`, permission, currency: true, params, answer: GameImport },
  listGameImportLines: {
    method: "GET",
    path: `${base}/{uuid}/lines`,
    permission,
    currency: true,
    params,
    query: askedLines(gameLineStates),
    answer: z.array(GameImportLine),
    meta: LinesMeta,
  },
  /** Begins to write its games; lines that are wrong are left out. Changed games also need the right to change them. */
  startGameImport: {
    method: "POST",
    path: `${base}/{uuid}/start`,
    permission,
    currency: true,
    params,
    body: z.strictObject({}),
    answer: GameImport,
    refuses: ["game-import.begun", "game-import.nothing"],
  },
  /** Throws a staged file away, or stops a running import; games that were written stay. */
  cancelGameImport: {
    method: "POST",
    path: `${base}/{uuid}/cancel`,
    permission,
    currency: true,
    params,
    body: z.strictObject({}),
    answer: GameImport,
    refuses: ["game-import.ended"],
  },
});
