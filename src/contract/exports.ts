import { z } from "zod";
import type { Permission } from "./permissions.ts";
import { defineRoutes } from "./route.ts";
import type { Route } from "./route.ts";
import { screens } from "./screens.ts";
import type { ScreenName } from "./screens.ts";

/** Screens whose rows may leave the product as a file. */
export type ExportedScreen = { [S in ScreenName]: (typeof screens)[S] extends { readonly exports: Permission } ? S : never }[ScreenName];

type Pascal<Name extends string> = Name extends `${infer First}-${infer Rest}` ? `${Capitalize<First>}${Pascal<Rest>}` : Capitalize<Name>;
type ExportRoutes = { readonly [S in ExportedScreen as `export${Pascal<S>}`]: ReturnType<typeof noted> };

/** Vendors and users belong to a tenant, all other exported rows to one of its currencies. */
const areas = {
  pas: { path: "payment", currency: true },
  gps: { path: "game-provider", currency: true },
  cas: { path: "centralize-authenticate", currency: false },
  vs: { path: "vendor", currency: false },
} as const;

/** The area of the paths whose routes need this permission of an entity. */
export const areaOf = (permission: Permission) => areas[permission.split(".")[0] as keyof typeof areas]; // the first part of each such permission

const noted = (screen: ExportedScreen) => {
  const permission: Permission = screens[screen].exports;
  const { path, currency } = areaOf(permission);
  return {
    method: "POST",
    path: `/service/${path}/api/tenant/v1/exports/${screen}`,
    permission,
    ...(currency && { currency }),
    body: z.strictObject({
      rows: z.int().min(1).max(1_000_000),
      /** Search parameters of the screen, without record. */
      filter: z.record(z.string().max(40), z.string().max(500)),
    }),
    answer: z.object({}),
  } as const satisfies Route;
};

const pascal = (name: string): string =>
  name
    .split("-")
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join("");

export const exportedScreens = Object.entries(screens).flatMap(([name, screen]) => ("exports" in screen ? [name as ExportedScreen] : [])); // Object.entries widens

/** "payment-accounts" → "exportPaymentAccounts". */
export const exportNameOf = (screen: ExportedScreen): keyof ExportRoutes => `export${pascal(screen)}` as keyof ExportRoutes; // built like the type

/** Exports are written to the audit log before the file is made. */
export const exportRoutes = defineRoutes(
  Object.fromEntries(exportedScreens.map((screen) => [exportNameOf(screen), noted(screen)])) as ExportRoutes, // one for each exported screen
);

/** The route that records an export of a screen's rows; null: the screen exports nothing. */
export const exportRouteOf = (screen: ScreenName): ExportRoutes[keyof ExportRoutes] | null =>
  screen in screens && "exports" in screens[screen] ? exportRoutes[exportNameOf(screen as ExportedScreen)] : null;
