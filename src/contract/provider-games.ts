import { z } from "zod";
import { availabilityColumn, availabilityFields } from "./availability.ts";
import { control, Linked } from "./controls.ts";
import { FileAnswer } from "./downloads.ts";
import { providerStatuses } from "./merchant-providers.ts";
import { defineColumns } from "./record-columns.ts";
import { recordRoutes } from "./record-routes.ts";
import { RecordEvent } from "./records.ts";
import { defineRoutes } from "./route.ts";
import { Instant, Line, Name, outcomeOf, Rows, Uuid, Version } from "./wire.ts";

const base = "/service/game-provider/api/tenant/v1";
const area = "gps.provider.games";

export const gameTypes = ["slot", "live", "table", "fishing", "arcade", "crash", "lottery", "sports", "poker", "other"] as const;
export type GameType = (typeof gameTypes)[number];

/** Bytes a picture may have as it is given; it is made smaller. */
export const mostImageBytes = 8 * 1024 * 1024;
/** Pixels along each edge of the sizes a picture is kept in. */
export const imageSizes = { small: 96, large: 320 } as const;

/** Names a kept picture: 64 hexadecimal digits of what was given. */
const ImageHash = z.string().regex(/^[0-9a-f]{64}$/, "Names a picture that does not exist");

export const ProviderGame = z.object({
  uuid: Uuid,
  version: Version,
  code: z.string(),
  name: z.string(),
  type: z.enum(gameTypes),
  status: z.enum(providerStatuses),
  ...availabilityFields,
  /** null: it has none. */
  image: z.string().nullable(),
  provider: Linked,
  currency: z.string(),
  created_at: Instant,
  updated_at: Instant,
});
export type ProviderGame = z.infer<typeof ProviderGame>;

const ProviderGameDetail = z.object({ row: ProviderGame, history: z.array(RecordEvent) });
export type ProviderGameDetail = z.infer<typeof ProviderGameDetail>;

/** As the provider writes it: one word. */
export const GameCode = Line(80)
  .refine((text) => !/\s/.test(text), "Must have no blanks")
  .meta(control("text"));
export const GameName = Name(120);

export const ProviderGameForm = z.strictObject({
  code: GameCode,
  name: GameName,
  type: z.enum(gameTypes).meta(control("choice")),
  /** What `addGameImage` or `fetchGameImage` answered; empty: none. */
  image: z.union([z.literal(""), ImageHash]).meta(control("image")),
});
export type ProviderGameForm = z.infer<typeof ProviderGameForm>;

export const providerGameColumns = defineColumns({
  name: { filter: "part", most: 120, sort: true, find: "part" },
  code: { filter: "part", most: 80, sort: true, find: "part" },
  type: { filter: "choices", of: gameTypes, sort: true },
  status: { filter: "choices", of: providerStatuses, sort: true },
  availability: availabilityColumn,
  created_at: { filter: "time", sort: true },
  uuid: { filter: "rows" },
});

const games = `${base}/provider-games`;
const nested = `${base}/merchant-providers/{merchantProviderUuid}`;
const above = z.strictObject({ merchantProviderUuid: Uuid });

const gameRecordRoutes = recordRoutes(games, area, {
  one: "ProviderGame",
  many: "ProviderGames",
  currency: true,
  within: { path: `${nested}/provider-games`, params: above },
  columns: providerGameColumns,
  row: ProviderGame,
  detail: ProviderGameDetail,
  create: ProviderGameForm,
  update: ProviderGameForm,
  status: providerStatuses,
  remove: true,
});

const Image = z.object({ image: z.string() });
const imageRefusals = ["image.type", "image.damaged", "image.oversized"] as const;
const imageFaults = [...imageRefusals, "image.unreachable"] as const;
export type ImageFault = (typeof imageFaults)[number];

export const providerGameRoutes = defineRoutes({
  ...gameRecordRoutes,
  /** Activates or inactivates many at once; one that has the status already counts as done. */
  setProviderGamesStatus: {
    method: "POST",
    path: `${games}/status`,
    permission: `${area}.change-status`,
    currency: true,
    body: z.strictObject({ rows: Rows, status: z.enum(providerStatuses) }),
    answer: z.object({ outcomes: z.array(outcomeOf(ProviderGame)) }),
  },
  /** Keeps a picture, made anew in the sizes of `imageSizes`; answers what a game's form names it by. */
  addGameImage: {
    method: "POST",
    path: `${base}/game-images`,
    permission: [`${area}.update`, `${area}.create`],
    file: { most: mostImageBytes },
    answer: Image,
    refuses: imageRefusals,
  },
  /** The same of a picture at a public address, which the server fetches; what went wrong there is an answer as well. */
  fetchGameImage: {
    method: "POST",
    path: `${base}/game-images/fetch`,
    permission: [`${area}.update`, `${area}.create`],
    body: z.strictObject({ url: z.string().trim().min(1).max(500).meta(control("url")) }),
    answer: z.object({
      image: z.string().nullable(),
      /** null: it was fetched and kept. `why`: what the other side or the guard said. */
      fault: z.object({ code: z.enum(imageFaults), why: z.string() }).nullable(),
    }),
  },
  /** Never changes under its name, so that a browser keeps it. */
  readGameImage: {
    method: "GET",
    path: `${base}/game-images/{image}/{size}`,
    permission: `${area}.view`,
    params: z.strictObject({ image: ImageHash, size: z.enum(["small", "large"]) }),
    answer: FileAnswer,
    download: true,
    lasting: true,
  },
});
export { nested as ofProvider, area as gamesArea, above as ProviderParams };
