import type { ListMeta } from "../../contract/wire.ts";
import type { Route, Sent } from "../../contract/route.ts";
import type { Api } from "../api/api.ts";
import type { Place } from "../api/place.ts";
import type { RecordRow } from "../kit/commands/desks.ts";
import type { Entity, RecordDetail } from "./entity.ts";

export type ListQuery = Readonly<Record<string, string | number | undefined>>;
export interface Page {
  readonly data: readonly RecordRow[];
  readonly meta: ListMeta;
}

export type EntityDeps = ReturnType<typeof entityDeps>;

/** An act is offered only where there is a route for it. */
function known(route: Route | undefined): Route {
  if (route === undefined) throw new Error("these records do not know the act");
  return route;
}

/** The calls of one entity. Its routes' own types were checked by defineEntity; here they are one for all. */
export function entityDeps({ routes, sorts, columns, sums = [] }: Entity, call: Api["call"], place: Place["params"] = {}) {
  const isNested = Object.keys(place).length > 0;
  /** With the ids of the records that a nested screen's path names. */
  function send(
    route: Route,
    sent: { readonly params?: object; readonly query?: object; readonly body?: object },
    options: Parameters<Api["call"]>[2],
  ): Promise<{ data: unknown }> {
    const whole: object = isNested ? { ...sent, params: { ...place, ...sent.params } } : sent;
    return call(route, whole as Sent<Route>, options);
  }
  return {
    list: async (query: ListQuery) => (await send(routes.list, { query }, { background: true })) as unknown as Page,
    read: async (uuid: string, signal?: AbortSignal) =>
      (await send(routes.read, { params: { uuid } }, { background: true, ...(signal && { signal }) })).data as RecordDetail,
    /** The same for somebody who waits for it: a failure is shown. */
    open: async (uuid: string) => (await send(routes.read, { params: { uuid } }, {})).data as RecordDetail,
    /** A record of another kind. */
    readBy: async (route: Route, uuid: string): Promise<unknown> => {
      const sent: object = { params: { uuid } };
      return (await call(route, sent as Sent<Route>, { background: true })).data;
    },
    create: async (body: object, idempotencyKey: string) =>
      (await send(known(routes.create), { body }, { quiet: true, idempotencyKey })).data as RecordRow,
    update: async (uuid: string, body: object, idempotencyKey: string) =>
      (await send(known(routes.update), { params: { uuid }, body }, { quiet: true, idempotencyKey })).data as RecordRow,
    /** One of the entity's own acts. */
    act: async (route: Route, uuid: string, body: object, idempotencyKey: string) =>
      (await send(route, { params: { uuid }, body }, { quiet: true, idempotencyKey })).data as RecordRow,
    setStatus: async ({ uuid, version }: RecordRow, status: string, reason: string) =>
      (await send(known(routes.status), { params: { uuid }, body: { version, status, reason } }, {})).data as RecordRow,
    remove: async ({ uuid, version }: RecordRow) => {
      await send(known(routes.remove), { params: { uuid }, query: { version } }, {});
    },
    /** Whether the list can be asked for named rows. */
    takesUuids: routes.list.query !== undefined && "filter[uuid]" in routes.list.query.shape,
    /** Whether the list shows sums. */
    hasSums: sums.length > 0,
    /** Whether the list can be put in the order its records were made. */
    knowsTime: sorts.includes("created_at") && columns.some(({ field }) => field === "created_at"),
  };
}
