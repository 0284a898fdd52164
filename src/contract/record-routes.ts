import { z } from "zod";
import type { Permission } from "./permissions.ts";
import type { FilterShapes, RecordColumns } from "./record-columns.ts";
import { filterShapes, sortsOf } from "./record-columns.ts";
import { ListMeta, listQuery, Uuid, Version } from "./wire.ts";

/** The shapes a record's routes are made from; without its shape a route is left out. */
interface RecordShapes {
  /** The noun in route names: "PaymentGroup" and "PaymentGroups". */
  readonly one: string;
  readonly many: string;
  /** Records belong to a currency of the tenant; left out: to the tenant only. */
  readonly currency?: true;
  /** Records that belong to another one are listed and made under its path, which names it; each is read and changed by its own. */
  readonly within?: { readonly path: string; readonly params: z.ZodObject };
  /** Every write requires a proof of identity from the last 10 minutes. */
  readonly stepUp?: true;
  readonly columns: RecordColumns;
  readonly row: z.ZodType;
  readonly detail?: z.ZodType;
  /** Body of a creation; rules across fields are checked by the server's `faults`. */
  readonly create?: z.ZodObject<z.ZodRawShape, z.core.$strict>;
  /** Body of an update, without the version, which is added. */
  readonly update?: z.ZodObject<z.ZodRawShape, z.core.$strict>;
  /** The statuses a person can set. */
  readonly status?: readonly [string, ...string[]];
  /** Those of them that are set only with a reason. */
  readonly reasoned?: readonly string[];
  /** It can be deleted while nothing uses it. */
  readonly remove?: true;
}

/** An area of permissions whose records can be viewed: "vs.vendor.vendors". */
type Area = Permission extends infer P ? (P extends `${infer A}.view` ? A : never) : never;

/**
 * The routes every plain record has, made of its shapes.
 *
 *     export const vendorRoutes = recordRoutes("/service/vendor/api/tenant/v1/vendors", "vs.vendor.vendors", {
 *       one: "Vendor",
 *       many: "Vendors",
 *       columns: vendorColumns, // defineColumns({...}): its filters, sorts, sums and search
 *       row: Vendor,
 *       detail: VendorDetail,
 *       create: VendorForm,
 *       update: VendorForm,
 *       remove: true,
 *     });
 *
 * gives listVendors, readVendor, createVendor, updateVendor and deleteVendor, and with `status` changeVendorStatus, under the area's
 * permissions view, create, update, delete and change-status. Their handlers come from `recordHandlers` (server/records/records.ts).
 */
export function recordRoutes<A extends Area, const S extends RecordShapes>(base: string, area: A, shapes: S): RecordRoutes<A, S> {
  const { one, many, row, currency, within, stepUp, detail, create, update, status, reasoned, remove } = shapes;
  const itself = `${base}/{uuid}`;
  const all = within?.path ?? base;
  const above = within && { params: within.params };
  const read = currency && { currency };
  const write = { ...read, ...(stepUp && { stepUp }) };
  const routes: unknown = {
    [`list${many}`]: { ...listRoute(all, area, shapes.columns, row), ...above, ...read },
    ...(detail && { [`read${one}`]: { ...readRoute(itself, area, detail), ...read } }),
    ...(create && { [`create${one}`]: { ...createRoute(all, area, create, row), ...above, ...write } }),
    ...(update && { [`update${one}`]: { ...updateRoute(itself, area, update, row), ...write } }),
    ...(status && { [`change${one}Status`]: { ...statusRoute(itself, area, status, row, reasoned), ...write } }),
    ...(remove && { [`delete${one}`]: { ...removeRoute(itself, area), ...write } }),
  };
  return routes as RecordRoutes<A, S>; // names are built from the noun; the shapes decide which routes exist
}

/** What the path of a list and of a creation names. */
type Above<S extends RecordShapes> = S extends { within: { params: infer P extends z.ZodObject } } ? { params: P } : unknown;

type RecordRoutes<A extends string, S extends RecordShapes> = Record<
  `list${S["many"]}`,
  ReturnType<typeof listRoute<A, S["columns"], S["row"]>> & Above<S>
> &
  (S extends { detail: infer D extends z.ZodType } ? Record<`read${S["one"]}`, ReturnType<typeof readRoute<A, D>>> : unknown) &
  (S extends { create: infer B extends z.ZodObject }
    ? Record<`create${S["one"]}`, ReturnType<typeof createRoute<A, B, S["row"]>> & Above<S>>
    : unknown) &
  (S extends { update: z.ZodObject<infer B extends z.ZodRawShape, z.core.$strict> }
    ? Record<`update${S["one"]}`, ReturnType<typeof updateRoute<A, B, S["row"]>>>
    : unknown) &
  (S extends { status: infer V extends readonly [string, ...string[]] }
    ? Record<`change${S["one"]}Status`, ReturnType<typeof statusRoute<A, V, S["row"]>>>
    : unknown) &
  (S extends { remove: true } ? Record<`delete${S["one"]}`, ReturnType<typeof removeRoute<A>>> : unknown);

const permission = <A extends string, const Act extends string>(area: A, act: Act) => `${area}.${act}` as const;

const params = z.strictObject({ uuid: Uuid });

const listRoute = <A extends string, C extends RecordColumns, R extends z.ZodType>(path: string, area: A, columns: C, row: R) => ({
  method: "GET" as const,
  path,
  permission: permission(area, "view"),
  query: listQuery<FilterShapes<C>, [string, ...string[]]>(filterShapes(columns), sortsOf(columns)),
  answer: z.array(row),
  meta: ListMeta,
});

const readRoute = <A extends string, D extends z.ZodType>(path: string, area: A, answer: D) => ({
  method: "GET" as const,
  path,
  permission: permission(area, "view"),
  params,
  answer,
});

const createRoute = <A extends string, B extends z.ZodObject, R extends z.ZodType>(path: string, area: A, body: B, answer: R) => ({
  method: "POST" as const,
  path,
  permission: permission(area, "create"),
  body,
  answer,
});

const updateRoute = <A extends string, B extends z.ZodRawShape, R extends z.ZodType>(
  path: string,
  area: A,
  form: z.ZodObject<B, z.core.$strict>,
  answer: R,
) => ({
  method: "PUT" as const,
  path,
  permission: permission(area, "update"),
  params,
  body: form.extend({ version: Version }),
  answer,
  refuses: ["record.stale" as const],
});

const statusRoute = <A extends string, const V extends readonly [string, ...string[]], R extends z.ZodType>(
  path: string,
  area: A,
  statuses: V,
  answer: R,
  reasoned: readonly string[] = [],
) => ({
  method: "POST" as const,
  path: `${path}/status`,
  permission: permission(area, "change-status"),
  params,
  body: z
    .strictObject({ version: Version, status: z.enum(statuses), reason: z.string().trim().max(500) })
    .refine(({ status, reason }) => reason !== "" || !reasoned.includes(status), { path: ["reason"], message: "Must be filled in" }),
  answer,
  refuses: ["record.stale" as const],
});

const removeRoute = <A extends string>(path: string, area: A) => ({
  method: "DELETE" as const,
  path,
  permission: permission(area, "delete"),
  params,
  query: z.strictObject({ version: z.coerce.number().pipe(Version) }),
  answer: z.object({}),
  refuses: ["record.stale" as const, "record.in-use" as const],
});
