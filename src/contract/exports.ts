import { z } from "zod";
import { LargeFileAnswer } from "./downloads.ts";
import { ListCell } from "./list-cells.ts";
import type { Permission } from "./permissions.ts";
import { defineRoutes } from "./route.ts";
import type { Route } from "./route.ts";
import { screens } from "./screens.ts";
import type { ScreenName } from "./screens.ts";
import type { Language } from "./languages.ts";
import { Instant, Uuid } from "./wire.ts";

/** Screens whose rows may leave the product as a file. */
export type ExportedScreen = { [S in ScreenName]: (typeof screens)[S] extends { readonly exports: Permission } ? S : never }[ScreenName];

type Pascal<Name extends string> = Name extends `${infer First}-${infer Rest}` ? `${Capitalize<First>}${Pascal<Rest>}` : Capitalize<Name>;
type ScreenRoutes = { readonly [S in ExportedScreen as `export${Pascal<S>}`]: ReturnType<typeof noted> } & {
  readonly [S in ExportedScreen as `start${Pascal<S>}Export`]: ReturnType<typeof started>;
};

/** Vendors, users and the audit log belong to a tenant, all other exported rows to one of its currencies. */
const areas = {
  pas: { path: "payment", currency: true },
  gps: { path: "game-provider", currency: true },
  cas: { path: "centralize-authenticate", currency: false },
  vs: { path: "vendor", currency: false },
  "audit-log": { path: "centralize-authenticate", currency: false },
} as const;

/** The area of the paths whose routes need this permission of an entity. */
export const areaOf = (permission: Permission) => areas[permission.split(".")[0] as keyof typeof areas]; // the first part of each such permission

const base = (screen: ExportedScreen) => {
  const permission: Permission = screens[screen].exports;
  const { path, currency } = areaOf(permission);
  return { permission, path: `/service/${path}/api/tenant/v1/exports/${screen}`, ...(currency && { currency }) } as const;
};

const noted = (screen: ExportedScreen) =>
  ({
    method: "POST",
    ...base(screen),
    body: z.strictObject({
      rows: z.int().min(1).max(1_000_000),
      /** Search parameters of the screen, without record. */
      filter: z.record(z.string().max(40), z.string().max(500)),
    }),
    answer: z.object({}),
  }) as const satisfies Route;

/** Columns of one file, and letters of a title or of a line about it. */
const mostColumns = 100;
const Title = z.string().min(1).max(200);

/** What of a list is exported: its query, and its columns as they stand on screen. */
const ExportRequest = z.strictObject({
  /** The records the list's path names. */
  params: z.record(z.string().max(60), z.string().max(60)).default({}),
  /** The list's query as it is sent, without its page. */
  query: z.record(z.string().max(60), z.string().max(8_000)),
  columns: z
    .array(z.strictObject({ title: Title, /** px */ width: z.int().min(10).max(2_000), cell: ListCell }))
    .min(1)
    .max(mostColumns),
  /** Label and value of each filter, in the words of the screen. */
  filters: z.array(z.tuple([Title, z.string().max(8_000)])).max(60),
  /** Minutes east of UTC in which times are written. */
  zone: z.int().min(-840).max(840),
  /** As the statement of one wallet or account: between its opening and closing balance, with its totals by type. */
  statement: z.literal(true).optional(),
});
export type ExportRequest = z.infer<typeof ExportRequest>;
/** As it is kept: its texts are of this language. */
export interface StoredExport extends ExportRequest {
  readonly language: Language;
}

/** waiting and running come to an end by themselves; the file of a done one is there until it expires. */
export const exportStates = ["waiting", "running", "done", "failed", "cancelled"] as const;
export type ExportState = (typeof exportStates)[number];

/** Why an export has failed: its text is `export.failure.<code>` in every language. */
export const exportFailures = ["unforeseen", "lost", "not-allowed", "no-list", "too-large"] as const;
export type ExportFailure = (typeof exportFailures)[number];

/** One export of a user, who alone sees it. */
export const Export = z.object({
  uuid: Uuid,
  screen: z.string(),
  currency: z.string().nullable(),
  state: z.enum(exportStates),
  /** Rows written. */
  done: z.int(),
  /** Rows there will be; null: not counted yet. */
  total: z.int().nullable(),
  /** The file's name and size; null until it is done. */
  name: z.string().nullable(),
  bytes: z.int().nullable(),
  failure: z.enum(exportFailures).nullable(),
  created_at: Instant,
  ended_at: Instant.nullable(),
  /** When it is removed, with its file. */
  expires_at: Instant,
});
export type Export = z.infer<typeof Export>;

/** Exports of a user that may wait or run at a time. */
export const mostOpenExports = 5;
/** Days that a file is kept. */
export const exportDays = 7;

const started = (screen: ExportedScreen) =>
  ({
    method: "POST",
    ...base(screen),
    path: `${base(screen).path}/jobs`,
    body: ExportRequest,
    answer: Export,
    refuses: ["export.too-many"],
  }) as const satisfies Route;

const own = "/service/centralize-authenticate/api/tenant/v1/exports";
const params = z.strictObject({ uuid: Uuid });

/** One's own exports: who may still see the rows is judged again when the file is sent. */
export const ownExportRoutes = defineRoutes({
  listExports: { method: "GET", path: own, permission: "signed-in", answer: z.array(Export) },
  retryExport: {
    method: "POST",
    path: `${own}/{uuid}/retry`,
    permission: "signed-in",
    params,
    body: z.strictObject({}),
    answer: Export,
    refuses: ["export.not-failed", "export.too-many", "permission.missing"],
  },
  cancelExport: {
    method: "POST",
    path: `${own}/{uuid}/cancel`,
    permission: "signed-in",
    params,
    body: z.strictObject({}),
    answer: Export,
    refuses: ["export.ended"],
  },
  deleteExport: {
    method: "DELETE",
    path: `${own}/{uuid}`,
    permission: "signed-in",
    params,
    answer: z.object({}),
    refuses: ["export.open"],
  },
  downloadExport: {
    method: "GET",
    path: `${own}/{uuid}/file`,
    permission: "signed-in",
    params,
    answer: LargeFileAnswer,
    download: true,
    refuses: ["export.not-done", "permission.missing"],
  },
});

const pascal = (name: string): string =>
  name
    .split("-")
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join("");

export const exportedScreens = Object.entries(screens).flatMap(([name, screen]) => ("exports" in screen ? [name as ExportedScreen] : [])); // Object.entries widens

export const isExported = (screen: string): screen is ExportedScreen => exportedScreens.some((one) => one === screen);

/** "payment-accounts" → "exportPaymentAccounts", "startPaymentAccountsExport". */
export const exportNamesOf = (screen: ExportedScreen) =>
  ({ note: `export${pascal(screen)}`, start: `start${pascal(screen)}Export` }) as {
    note: `export${Pascal<ExportedScreen>}`;
    start: `start${Pascal<ExportedScreen>}Export`;
  }; // built like the types

/** An export is in the audit log before its file is made: by the browser, of rows on screen, or by the server, of all that match. */
export const exportRoutes = {
  ...defineRoutes(
    Object.fromEntries(
      exportedScreens.flatMap((screen) => {
        const { note, start } = exportNamesOf(screen);
        return [
          [note, noted(screen)],
          [start, started(screen)],
        ];
      }),
    ) as unknown as ScreenRoutes, // two for each exported screen
  ),
  ...ownExportRoutes,
};

/** The routes that export a screen's rows; null: the screen exports nothing. */
export function exportRoutesOf(
  screen: ScreenName,
): { readonly note: ReturnType<typeof noted>; readonly start: ReturnType<typeof started> } | null {
  if (!isExported(screen)) return null;
  const { note, start } = exportNamesOf(screen);
  return { note: exportRoutes[note], start: exportRoutes[start] };
}
