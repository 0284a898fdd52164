import { sql } from "kysely";
import { record, systemActor } from "../audit/record.ts";
import type { Deps } from "../call.ts";
import { inTenant } from "../db/scope.ts";
import { inTenantAnnouncing } from "../payments/touched.ts";
import type { Scoped } from "../db/scope.ts";
import { roundRobin } from "../jobs/record.ts";
import { addLines } from "./add-lines.ts";
import { importFact } from "./imports.ts";
import type { ReadLine } from "./reading/lines.ts";

/** Lines added in one transaction. */
export const sliceSize = 1_000;
/** Slices that may fail one after another before an import is given up. */
const mostFailures = 5;

const running = sql`select tenant_id from bank_imports where state = 'running' group by tenant_id order by min(started_at)`;

/** Adds the lines of all running imports, a slice of each tenant in turn. */
export async function runImports(deps: Deps, size = sliceSize): Promise<void> {
  const { rows } = await sql<{ tenant_id: string }>`${running}`.execute(deps.database.worker);
  await roundRobin(
    deps,
    "bank imports",
    rows.map(({ tenant_id }) => tenant_id),
    (tenant) => importSlice(deps, tenant, size),
  );
}

interface Job {
  readonly id: string;
  readonly currency: string;
  readonly payment_account_id: string;
  readonly source: "file" | "paste";
  readonly file_name: string | null;
  readonly at_seq: number;
  readonly done: number;
  readonly added: number;
  readonly known: number;
  readonly lines: number;
  readonly by_user: string;
  readonly by_name: string;
}

/**
 * Adds the next slice of the tenant's oldest import that no other process is at. Its lines and its progress are one transaction, so that a
 * process that is killed has either done both or neither, and the next one goes on from there.
 */
export async function importSlice(deps: Deps, tenant: string, size: number): Promise<"more" | "done"> {
  let id: string | undefined;
  try {
    const { state, ids } = await inTenantAnnouncing(deps, tenant, async (db) => {
      const job = await nextJob(db, tenant);
      id = job?.id;
      return job ? await addSlice(db, tenant, job, size) : { state: "done" as const, ids: [] };
    });
    if (ids.length > 0) deps.publisher.changed(tenant, "bankLine", ids);
    return state;
  } catch (error) {
    if (id !== undefined) await noteFailure(deps, tenant, id);
    throw error;
  }
}

async function nextJob(db: Scoped, tenant: string): Promise<Job | undefined> {
  const { rows } = await sql<Job>`select id, currency, payment_account_id, source, file_name, at_seq, done, added, known, lines, by_user,
      by_name
    from bank_imports where tenant_id = ${tenant} and state = 'running' order by started_at limit 1 for no key update skip locked`.execute(
    db,
  );
  return rows[0];
}

interface Slice {
  readonly state: "more" | "done";
  /** The lines it added. */
  readonly ids: readonly string[];
}

async function addSlice(db: Scoped, tenant: string, job: Job, size: number): Promise<Slice> {
  const { rows } = await sql<{ seq: number; line: ReadLine; digest: Buffer; twin: number }>`select seq, line, digest, twin
    from bank_import_lines where tenant_id = ${tenant} and import_id = ${job.id} and state = 'read' and seq > ${job.at_seq}
    order by seq limit ${size}`.execute(db);
  // each line's number among its equals in the whole file, as it was when it was read
  const twins = new Map<string, number>();
  for (const { digest, twin } of rows) {
    const key = digest.toString("base64");
    if (!twins.has(key)) twins.set(key, twin - 1);
  }
  const { added, known, ids } = await addLines(
    db,
    { tenant, currency: job.currency },
    job.payment_account_id,
    rows.map(({ line }) => ({ ...line, time: new Date(line.time) })),
    {
      source: job.source,
      by: job.by_user,
      importId: job.id,
      ...(job.file_name !== null && { fileName: job.file_name }),
      twins,
    },
  );
  const isEnd = rows.length < size;
  await sql`update bank_imports set at_seq = ${rows.at(-1)?.seq ?? job.at_seq}, done = done + ${rows.length}, added = added + ${added},
      known = known + ${known}, failures = 0, version = version + 1, updated_at = clock_timestamp(),
      state = ${isEnd ? "done" : "running"}, finished_at = ${isEnd ? sql`clock_timestamp()` : sql`null`},
      expires_at = clock_timestamp() + interval '1 day'
    where tenant_id = ${tenant} and id = ${job.id}`.execute(db);
  if (isEnd) {
    const after = { file: job.file_name, lines: job.lines, added: job.added + added, known: job.known + known };
    await record(db, tenant, systemActor, importFact(job, "finish", { ...after, by: job.by_name }));
  }
  // the tenant may have another import
  return { state: isEnd || rows.length > 0 ? "more" : "done", ids };
}

async function noteFailure({ database }: Deps, tenant: string, id: string): Promise<void> {
  await inTenant(database, tenant, async (db) => {
    await sql`update bank_imports set failures = failures + 1, updated_at = clock_timestamp(),
        state = case when failures + 1 >= ${mostFailures} then 'failed' else state end,
        finished_at = case when failures + 1 >= ${mostFailures} then clock_timestamp() end
      where tenant_id = ${tenant} and id = ${id} and state = 'running'`.execute(db);
  }).catch(() => undefined); // the database may be what failed; the next sweep tries again
}
