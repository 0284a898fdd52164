import { z } from "zod";
import type { Linked } from "./controls.ts";
import { areaOf } from "./exports.ts";
import { screens } from "./screens.ts";
import type { ScreenName } from "./screens.ts";
import { ListMeta } from "./wire.ts";

const Listed = z.object({
  uuid: z.string(),
  /** Left out by payment accounts, which are called by their holder. */
  name: z.string().optional(),
  holder: z.string().optional(),
  code: z.string().nullable().optional(),
});

/** A listed record as a form or a filter names it. */
export const linkedOf = ({ uuid, code = null, holder, name = holder ?? code ?? uuid }: z.infer<typeof Listed>): Linked => ({
  uuid,
  name,
  code,
});

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
    query: z.object({ q: z.string().optional(), limit: z.int(), cursor: z.string().optional() }),
    answer: z.array(Listed),
    meta: ListMeta,
  } as const;
};
