import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import { exportDays, exportedScreens, exportFailures, exportNamesOf, isExported, mostOpenExports } from "../../contract/exports.ts";
import type { Export, ExportedScreen, ExportFailure, exportRoutes, ownExportRoutes, StoredExport } from "../../contract/exports.ts";
import { Refusal } from "../../contract/problems.ts";
import type { Received } from "../../contract/route.ts";
import { screens } from "../../contract/screens.ts";
import { actorOf, record } from "../audit/record.ts";
import type { StaffCall } from "../call.ts";
import type { Scoped } from "../db/scope.ts";
import { inTenant } from "../db/scope.ts";
import type { Handlers } from "../handlers.ts";
import { once } from "../idempotency.ts";
import { cancelJob, startJob } from "../jobs/jobs.ts";
import { listAskedOf } from "../records/list-calls.ts";
import { exportJob, mayExport } from "./export-job.ts";
import { listOf, requireFields } from "./lists.ts";
import { requireStatement } from "./statement-rows.ts";
import { discardParts, readParts } from "./parts.ts";
import { removeExport } from "./removal.ts";

const xlsx = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";
/** Exports that are listed: those of a week of hard work. */
const mostListed = 200;

type Note = Received<(typeof exportRoutes)["exportWithdrawals"]>;
type Start = Received<(typeof exportRoutes)["startWithdrawalsExport"]>;
type OfOne = Received<typeof ownExportRoutes.cancelExport>;

/** Audits what the browser makes a file of: who, how many rows, with which filter. */
const noteExport =
  (screen: ExportedScreen) =>
  (call: StaffCall, { body: { rows, filter } }: Pick<Note, "body">) =>
    once(call, null, async (db) => {
      await audit(db, call, screen, "export", { rows, filter, currency: call.currency });
      return { answer: { data: {} } };
    });

const startExport =
  (screen: ExportedScreen) =>
  async (call: StaffCall, { body }: Pick<Start, "body">) => {
    const list = listOf(screen);
    listAskedOf(list, body);
    requireFields(list, body.columns);
    if (body.statement) requireStatement(screen, body);
    const request: StoredExport = { ...body, language: call.language };
    return begin(call, (db) => queueExport(db, call, { screen, currency: call.currency || null, request }));
  };

interface Queued {
  readonly screen: string;
  readonly currency: string | null;
  readonly request: StoredExport;
}

/** Runs `work` once, then makes this process look for the job at once. */
async function begin(call: StaffCall, work: (db: Scoped) => Promise<string>): Promise<{ data: Export }> {
  const data = await once(call, null, async (db) => ({ answer: await known(db, call, await work(db)) }));
  call.deps.jobs.wake(exportJob);
  return { data };
}

async function queueExport(db: Scoped, call: StaffCall, { screen, currency, request }: Queued): Promise<string> {
  const { deps, tenant, caller } = call;
  // one after the other, so that two at a time are not both the last that may be open
  await sql`select from memberships where tenant_id = ${tenant} and user_id = ${caller.id} for no key update`.execute(db);
  const { rows } = await sql<{ open: number }>`select count(*)::integer as open from exports e
    join jobs j on j.tenant_id = e.tenant_id and j.id = e.id and j.state in ('waiting', 'running')
    where e.tenant_id = ${tenant} and e.user_id = ${caller.id}`.execute(db);
  if ((rows[0]?.open ?? 0) >= mostOpenExports) throw new Refusal("export.too-many", { most: mostOpenExports });
  const id = randomUUID();
  await startJob(db, deps, { tenant, by: caller.id, id }, exportJob, { export: id });
  await db
    .insertInto("exports")
    .values({
      tenant_id: tenant,
      id,
      user_id: caller.id,
      screen,
      currency,
      request: JSON.stringify(request),
      expires_at: sql<Date>`now() + make_interval(days => ${exportDays})`,
    })
    .execute();
  const { query, params } = request;
  await audit(db, call, screen, "export", {
    export: id,
    filter: query,
    ...(Object.keys(params).length > 0 && { params }),
    currency: currency ?? "",
  });
  return id;
}

interface Row {
  id: string;
  screen: string;
  currency: string | null;
  request: StoredExport;
  state: Export["state"];
  done: string;
  total: string | null;
  rows: string | null;
  name: string | null;
  bytes: string | null;
  file: string | null;
  failure: string | null;
  created_at: Date;
  ended_at: Date | null;
  expires_at: Date;
}

/** The caller's own exports, newest first. */
const ownRows = async (db: Scoped, { tenant, caller }: StaffCall, id: string | null = null): Promise<Row[]> =>
  (
    await sql<Row>`select e.id, e.screen, e.currency, e.request, e.rows, e.name, e.bytes, e.file, e.created_at, e.expires_at,
        j.state, j.done, j.total, j.failure, j.ended_at
      from exports e join jobs j on j.tenant_id = e.tenant_id and j.id = e.id
      where e.tenant_id = ${tenant} and e.user_id = ${caller.id} ${id === null ? sql`` : sql`and e.id = ${id}`}
      order by e.created_at desc limit ${mostListed}`.execute(db)
  ).rows;

async function ownRow(db: Scoped, call: StaffCall, id: string): Promise<Row> {
  const [row] = await ownRows(db, call, id);
  if (!row) throw new Refusal("not-found");
  return row;
}

const known = async (db: Scoped, call: StaffCall, id: string): Promise<Export> => view(await ownRow(db, call, id));

const failureOf = (code: string): ExportFailure => exportFailures.find((one) => one === code) ?? "unforeseen";

function view({ id, screen, currency, state, done, total, rows, name, bytes, failure, ...row }: Row): Export {
  return {
    uuid: id,
    screen,
    currency,
    state,
    done: Number(rows ?? done),
    total: total === null ? null : Number(total),
    name,
    bytes: bytes === null ? null : Number(bytes),
    failure: failure === null ? null : failureOf(failure),
    created_at: row.created_at.toISOString(),
    ended_at: row.ended_at?.toISOString() ?? null,
    expires_at: row.expires_at.toISOString(),
  };
}

const isOpen = ({ state }: Row): boolean => state === "waiting" || state === "running";

const audit = (db: Scoped, call: StaffCall, screen: string, act: string, after: Readonly<Record<string, unknown>>) => {
  const entity = isExported(screen) ? screens[screen].subject : screen;
  return record(db, call.tenant, actorOf(call), { act: `${entity}.${act}`, entity, entityId: null, after });
};

function requireRight({ caller }: StaffCall, screen: string): void {
  if (mayExport(screen, caller.permissions)) return;
  throw new Refusal("permission.missing", isExported(screen) ? { permission: screens[screen].exports } : undefined);
}

const ownHandlers: Handlers<typeof ownExportRoutes, StaffCall> = {
  listExports: (call) =>
    inTenant(call.deps.database, call.tenant, async (db) => ({ data: (await ownRows(db, call)).map((row) => view(row)) })),

  async retryExport(call, { params: { uuid } }) {
    let given: readonly string[] = [];
    const started = await begin(call, async (db) => {
      const row = await ownRow(db, call, uuid);
      requireRight(call, row.screen);
      if (row.state !== "failed" && row.state !== "cancelled") throw new Refusal("export.not-failed");
      const again = await queueExport(db, call, row);
      given = await removeExport(db, { tenant: call.tenant, id: uuid });
      return again;
    });
    await discardParts(call.deps, call.tenant, given);
    return started;
  },

  cancelExport: async (call, { params: { uuid } }: OfOne) => ({
    data: await once(call, null, async (db) => {
      await ownRow(db, call, uuid);
      if (!(await cancelJob(db, call.deps, { tenant: call.tenant, id: uuid }, exportJob))) throw new Refusal("export.ended");
      return { answer: await known(db, call, uuid) };
    }),
  }),

  async deleteExport(call, { params: { uuid } }) {
    let given: readonly string[] = [];
    await once(call, null, async (db) => {
      const row = await ownRow(db, call, uuid);
      if (isOpen(row)) throw new Refusal("export.open");
      given = await removeExport(db, { tenant: call.tenant, id: uuid });
      await audit(db, call, row.screen, "export-delete", { export: uuid, rows: Number(row.rows ?? 0) });
      return { answer: {} };
    });
    await discardParts(call.deps, call.tenant, given);
    return { data: {} };
  },

  /** Who lost the right to the rows since does not get them. */
  async downloadExport(call, { params: { uuid } }) {
    const row = await inTenant(call.deps.database, call.tenant, async (db) => {
      const found = await ownRow(db, call, uuid);
      requireRight(call, found.screen);
      if (found.state !== "done" || found.file === null) throw new Refusal("export.not-done");
      await audit(db, call, found.screen, "export-download", { export: uuid, rows: Number(found.rows), bytes: Number(found.bytes) });
      return found;
    });
    const { file, name } = row;
    const bytes = readParts(call.deps, { tenant: call.tenant, id: uuid, file: file ?? "" });
    return { data: { type: xlsx, name: name ?? "", size: Number(row.bytes), bytes } };
  },
};

export const exportHandlers = {
  ...Object.fromEntries(
    exportedScreens.flatMap((screen): [string, unknown][] => {
      const { note, start } = exportNamesOf(screen);
      return [
        [note, noteExport(screen)],
        [start, startExport(screen)],
      ];
    }),
  ),
  ...ownHandlers,
} as unknown as Handlers<typeof exportRoutes, StaffCall>; // two for each exported screen
