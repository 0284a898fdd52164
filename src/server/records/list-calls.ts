import { z } from "zod";
import type { RouteName } from "../../contract/index.ts";
import { routes } from "../../contract/index.ts";
import { listRouteOf } from "../../contract/list-route.ts";
import type { FieldLines } from "../../contract/problems.ts";
import { Refusal } from "../../contract/problems.ts";
import type { Route } from "../../contract/route.ts";
import type { ExportedScreen } from "../../contract/exports.ts";
import type { ListMeta } from "../../contract/wire.ts";
import type { StaffCall } from "../call.ts";

/** A screen's own list, for work that calls its handler without a request: exports and pinned views. */
export interface ListCall {
  readonly route: Route;
  readonly name: RouteName;
}

/** A list's call as its handler takes it. */
export interface ListAsked {
  readonly params: unknown;
  readonly query: object;
}

/** A list's handler, whichever it is. */
export type ListHandler = (call: StaffCall, received: ListAsked) => Promise<{ data: readonly object[]; meta: ListMeta }>;

const found = new Map<ExportedScreen, ListCall>();

/** The list of a screen. Throws at start for one whose rows are no list. */
export function listCallOf(screen: ExportedScreen): ListCall {
  const known = found.get(screen) ?? findCall(screen);
  found.set(screen, known);
  return known;
}

function findCall(screen: ExportedScreen): ListCall {
  const { path } = listRouteOf(screen);
  // a nested list has the records of its path before its name
  const area = path.slice(0, -screen.length);
  const one = Object.entries(routes).find(
    ([, { method, path: own }]) => method === "GET" && own.startsWith(area) && own.endsWith(`/${screen}`),
  );
  if (!one) throw new Error(`${screen} has no list`);
  const [name, route] = one;
  return { route, name: name as RouteName }; // one of the routes' own names
}

/** Whether a list has pages; one that is of few rows answers all at once. */
export const hasPages = ({ route }: Pick<ListCall, "route">): boolean =>
  route.query instanceof z.ZodObject && "cursor" in route.query.shape;

/** Loaded when it is asked for, because the table of all handlers has those of exports and pinned views, too. */
export async function listHandlerOf({ name }: ListCall): Promise<ListHandler> {
  const { handlers } = await import("../handlers-index.ts");
  return handlers[name] as unknown as ListHandler; // the screen's list, by its route
}

/** The list's query as its handler takes it, without its page. Throws request.invalid, at the fields of the request. */
export function listAskedOf(
  { route }: Pick<ListCall, "route">,
  { query, params }: { readonly query: unknown; readonly params: unknown },
): ListAsked {
  const read = <S extends z.ZodType>(schema: S | undefined, value: unknown, part: string) => {
    if (schema === undefined) return undefined;
    const parsed = schema.safeParse(value);
    if (parsed.success) return parsed.data;
    throw new Refusal("request.invalid", linesOf(parsed.error, part));
  };
  const asked = Object.entries(read(route.query, query, "query") ?? {}).filter(([name]) => !ofPage.has(name));
  return { params: read(route.params, params, "params"), query: Object.fromEntries(asked) };
}

/** What of a list's query the caller of its handler decides. */
const ofPage: ReadonlySet<string> = new Set(["cursor", "direction", "from", "at", "limit", "with"]);

function linesOf(error: z.ZodError, part: string): FieldLines {
  const lines: Record<string, string[]> = {};
  for (const issue of error.issues) {
    const names = issue.code === "unrecognized_keys" ? issue.keys : [issue.path.join(".")];
    for (const name of names) (lines[`${part}.${name}`] ??= []).push(issue.code === "unrecognized_keys" ? "Unknown field" : issue.message);
  }
  return lines;
}
