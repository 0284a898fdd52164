import type { ListMeta } from "../../contract/wire.ts";
import type { Route, Sent } from "../../contract/route.ts";
import type { Api } from "../api/api.ts";
import type { Entity, RecordDetail, RecordRow } from "./entity.ts";

export type ListQuery = Readonly<Record<string, string | number | undefined>>;
export interface Page {
  readonly data: readonly RecordRow[];
  readonly meta: ListMeta;
}

export type EntityDoors = ReturnType<typeof entityDoors>;

/** The calls of one entity. Its routes' own types were checked by defineEntity; here they are one for all. */
export function entityDoors({ routes, sorts, columns }: Entity, call: Api["call"]) {
  const send = (route: Route, sent: object, options: Parameters<Api["call"]>[2]): Promise<{ data: unknown }> =>
    call(route, sent as Sent<Route>, options);
  return {
    list: async (query: ListQuery) => (await send(routes.list, { query }, { background: true })) as unknown as Page,
    read: async (uuid: string, signal?: AbortSignal) =>
      (await send(routes.read, { params: { uuid } }, { background: true, ...(signal && { signal }) })).data as RecordDetail,
    create: async (body: object, idempotencyKey: string) =>
      (await send(routes.create, { body }, { quiet: true, idempotencyKey })).data as RecordRow,
    update: async (uuid: string, body: object, idempotencyKey: string) =>
      (await send(routes.update, { params: { uuid }, body }, { quiet: true, idempotencyKey })).data as RecordRow,
    /** Whether the list can be asked for named rows. */
    takesUuids: routes.list.query !== undefined && "filter[uuid]" in routes.list.query.shape,
    /** Whether the list can be put in the order its records were made. */
    knowsTime: sorts.includes("created_at") && columns.some(({ field }) => field === "created_at"),
  };
}
