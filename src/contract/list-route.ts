import { z } from "zod";
import { areaOf } from "./exports.ts";
import { screens } from "./screens.ts";
import type { ScreenName } from "./screens.ts";

const Listed = z.object({ uuid: z.string(), name: z.string(), code: z.string().nullable().optional() });

/**
 * Lists a screen's records, which have a name and perhaps a code, by a text: as its own route, which it stands for where no schema of
 * that entity is wanted. Every list has the name of its screen in its path.
 */
export const listRouteOf = (screen: ScreenName) => {
  const { permission } = screens[screen];
  return {
    method: "GET",
    path: `/service/${areaOf(permission).path}/api/tenant/v1/${screen}`,
    permission,
    query: z.object({ q: z.string(), limit: z.int() }),
    answer: z.array(Listed),
  } as const;
};
