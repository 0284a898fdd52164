import type { z } from "zod";
import type { RouteName } from "../../contract/index.ts";
import { routes } from "../../contract/index.ts";
import { derivedCells } from "../../contract/derived-cells.ts";
import { listRouteOf } from "../../contract/list-route.ts";
import { hasField } from "../../contract/list-cells.ts";
import type { ExportedScreen, ExportRequest } from "../../contract/exports.ts";
import type { FieldLines } from "../../contract/problems.ts";
import { Refusal } from "../../contract/problems.ts";
import type { Route } from "../../contract/route.ts";
import { screens } from "../../contract/screens.ts";
import type { ListMeta } from "../../contract/wire.ts";
import type { StaffCall } from "../call.ts";

/** The list an export is of: the screen's own, with its handler. */
export interface ExportedList {
  readonly subject: string;
  readonly route: Route;
  readonly name: RouteName;
}

/** A list's handler, whichever it is. */
export type ListHandler = (
  call: StaffCall,
  received: { params: unknown; query: object },
) => Promise<{ data: readonly object[]; meta: ListMeta }>;

/** Throws at start for a screen whose rows are no list. */
export function listOf(screen: ExportedScreen): ExportedList {
  const { subject } = screens[screen];
  const { path } = listRouteOf(screen);
  // a nested list has the records of its path before its name
  const area = path.slice(0, -screen.length);
  const found = Object.entries(routes).find(
    ([, { method, path: own }]) => method === "GET" && own.startsWith(area) && own.endsWith(`/${screen}`),
  );
  if (!found) throw new Error(`${screen} has no list to export`);
  const [name, route] = found;
  return { subject, route, name: name as RouteName }; // one of the routes' own names
}

/** The list's query as its handler takes it. Throws request.invalid, at the fields of the request. */
export function queryOf(
  { route }: ExportedList,
  { query, params }: Pick<ExportRequest, "query" | "params">,
): { params: unknown; query: object } {
  const read = <S extends z.ZodType>(schema: S | undefined, value: unknown, part: string) => {
    if (schema === undefined) return undefined;
    const parsed = schema.safeParse(value);
    if (parsed.success) return parsed.data;
    throw new Refusal("request.invalid", linesOf(parsed.error, part));
  };
  const asked = Object.entries(read(route.query, query, "query") ?? {}).filter(([name]) => !ofPage.has(name));
  return { params: read(route.params, params, "params"), query: Object.fromEntries(asked) };
}

/** What of a list's query the export itself decides. */
const ofPage: ReadonlySet<string> = new Set(["cursor", "direction", "from", "at", "limit", "with"]);

function linesOf(error: z.ZodError, part: string): FieldLines {
  const lines: Record<string, string[]> = {};
  for (const issue of error.issues) {
    const names = issue.code === "unrecognized_keys" ? issue.keys : [issue.path.join(".")];
    for (const name of names) (lines[`${part}.${name}`] ??= []).push(issue.code === "unrecognized_keys" ? "Unknown field" : issue.message);
  }
  return lines;
}

/** Refuses columns of what the list does not answer: a field its schema does not name is never sent, in a file as little as elsewhere. */
export function requireFields({ subject, route }: ExportedList, columns: ExportRequest["columns"]): void {
  const derived = derivedCells[subject] ?? {};
  const wrong = columns.flatMap(({ cell: { field, as } }, at) =>
    Object.hasOwn(derived, field) || hasField(route.answer, field, as) ? [] : [[`columns.${at}.cell.field`, ["Unknown field"]] as const],
  );
  if (wrong.length > 0) throw new Refusal("request.invalid", Object.fromEntries(wrong));
}
