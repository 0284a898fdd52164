import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import { z } from "zod";
import { exportDays, isExported } from "../../contract/exports.ts";
import type { ExportFailure, StoredExport } from "../../contract/exports.ts";
import { cellReader, fileTitle, kindOf } from "../../contract/list-cells.ts";
import { Refusal } from "../../contract/problems.ts";
import { screens } from "../../contract/screens.ts";
import { rightToLeftLanguages } from "../../contract/languages.ts";
import type { ListMeta } from "../../contract/wire.ts";
import { Uuid } from "../../contract/wire.ts";
import { writeWorkbook } from "../../values/workbook/workbook.ts";
import type { WorkbookRow } from "../../values/workbook/workbook.ts";
import { ArchiveTooLarge } from "../../values/workbook/zip.ts";
import { memberOf } from "../auth/authority.ts";
import type { CurrencyFacts, StaffCall } from "../call.ts";
import { backgroundLimits } from "../db/role-client.ts";
import type { Database, Scoped } from "../db/scope.ts";
import { forReading, inSnapshot, inTenant } from "../db/scope.ts";
import { defineJob, JobFailure } from "../jobs/kind.ts";
import type { JobResult, JobRun } from "../jobs/kind.ts";
import { hasPages, listAskedOf, listHandlerOf } from "../records/list-calls.ts";
import type { ListAsked } from "../records/list-calls.ts";
import { wordOf } from "../texts.ts";
import { aboutExport, fileNameOf } from "./about.ts";
import { listOf, requireFields } from "./lists.ts";
import { rowsAround } from "./statement-rows.ts";
import { nodePacker } from "./packer.ts";
import { discardParts, giveUpParts, storeParts } from "./parts.ts";

/** Rows of one page: few, so that other requests are answered between two of them. */
const pageRows = 500;

/** An export of all that a list's query finds, as a file in the store. */
export const exportJob = defineJob<{ export: string }>({
  name: "export",
  payload: z.strictObject({ export: Uuid }),
  attempts: 3,
  atOnce: 2,
  perTenant: 2,
  minutes: 120,
  work: writeExport,
});

const hopeless = (code: ExportFailure): JobFailure => new JobFailure(code);

/** Begins anew in each attempt: what an earlier one has written is of another moment. */
async function writeExport(run: JobRun<{ export: string }>): Promise<JobResult> {
  const { deps, tenant } = run;
  const id = run.payload.export;
  const asked = await inTenant(deps.database, tenant, (db) => readAsked(db, tenant, id));
  const left = await inTenant(deps.database, tenant, (db) => giveUpParts(db, { tenant, id }));
  await discardParts(deps, tenant, left);
  const file = randomUUID();
  // what went wrong at the replica goes well at the primary
  const source = run.attempt === 1 ? forReading(deps.database) : deps.database;
  const written = await inSnapshot(source, tenant, async (frozen, asOf, snapshot) => {
    let count = 0;
    let expected: number | null = null;
    const read = await pageReader(run, asked, frozen, snapshot);
    const { request, facts } = asked;
    const word = (key: string) => wordOf(request.language, key);
    const reading = { word, now: asOf.getTime(), decimals: facts.minorDigits };
    const cells = request.columns.map(({ cell }) => cellReader(asked.subject, cell));
    const around = request.statement ? await rowsAround(frozen, tenant, asked, reading) : null;
    async function* rows(): AsyncGenerator<WorkbookRow[]> {
      if (around) yield [...around.before];
      for await (const { data, total } of read()) {
        yield data.map((row) => cells.map((read) => read(row, reading)));
        count += data.length;
        expected = total;
        await run.progress(count, total);
      }
      if (expected !== null && expected !== count) throw new Error(`${expected} rows were counted, and ${count} came`);
      if (around && around.count !== count) throw new Error(`a statement of ${around.count} movements has ${count} lines`);
      if (around) yield [...around.after];
    }
    const book = {
      title: word(`screen.${asked.screen}`) ?? asked.screen,
      columns: request.columns.map(({ title, width, cell }) => ({
        title: fileTitle(title, cell, request.zone),
        width,
        kind: kindOf(cell),
      })),
      zone: request.zone,
      decimals: facts.minorDigits,
      rightToLeft: rightToLeftLanguages.includes(request.language),
      about: {
        title: word("export.about") ?? "",
        lines: (rows: number) => aboutExport({ ...asked, asOf, rows: around ? count : rows }, word),
      },
    };
    const bytes = await storeParts(deps, { tenant, id, file }, writeWorkbook(book, rows(), nodePacker)).catch((error: unknown) => {
      throw error instanceof ArchiveTooLarge ? hopeless("too-large") : error;
    });
    return { rows: String(count), bytes: String(bytes), as_of: asOf, name: fileNameOf(asked.screen, asOf, request.zone) };
  });
  return async (db) => {
    await db
      .updateTable("exports")
      .set({ ...written, file, expires_at: sql`now() + make_interval(days => ${exportDays})` })
      .where("tenant_id", "=", tenant)
      .where("id", "=", id)
      .execute();
  };
}

export interface Asked {
  readonly screen: keyof typeof screens;
  readonly subject: string;
  readonly currency: string;
  readonly facts: CurrencyFacts;
  readonly request: StoredExport;
  readonly tenantName: string;
  readonly user: {
    readonly id: string;
    readonly name: string;
    readonly groups: readonly string[];
    readonly permissions: ReadonlySet<string>;
  };
}

/** What was asked for, by whom, and that they may still have it. */
async function readAsked(db: Scoped, tenant: string, id: string): Promise<Asked> {
  const row = await db
    .selectFrom("exports as e")
    .innerJoin("tenants as t", "t.id", "e.tenant_id")
    .leftJoin("currencies as c", (join) => join.onRef("c.tenant_id", "=", "e.tenant_id").onRef("c.code", "=", "e.currency"))
    .select(["e.user_id", "e.screen", "e.currency", "e.request", "t.name", "c.minor_digits", "c.zone_minutes"])
    .where("e.tenant_id", "=", tenant)
    .where("e.id", "=", id)
    .executeTakeFirst();
  if (!row || !isExported(row.screen)) throw hopeless("no-list");
  const user = await memberOf(db, tenant, row.user_id);
  if (!user || !mayExport(row.screen, user.permissions)) throw hopeless("not-allowed");
  return {
    screen: row.screen,
    subject: listOf(row.screen).subject,
    currency: row.currency ?? "",
    facts: { minorDigits: row.minor_digits ?? 2, zoneMinutes: row.zone_minutes ?? row.request.zone },
    request: row.request,
    tenantName: row.name,
    user: { id: row.user_id, ...user },
  };
}

/** Whether these permissions let somebody see the rows of a screen and take them out. */
export function mayExport(screen: string, permissions: ReadonlySet<string>): boolean {
  if (!isExported(screen)) return false;
  const { permission, exports } = screens[screen];
  return permissions.has(permission) && permissions.has(exports);
}

interface PageOfRows {
  readonly data: readonly object[];
  readonly total: number | null;
}

/** The list's pages by its own handler, as the user would get them, one after the other from one snapshot. */
async function pageReader(
  { deps, tenant, id, signal }: JobRun<object>,
  { screen, currency, facts, request, user }: Asked,
  frozen: Database,
  snapshot: Scoped,
): Promise<() => AsyncGenerator<PageOfRows>> {
  if (!isExported(screen)) throw hopeless("no-list");
  const list = listOf(screen);
  const handler = await listHandlerOf(list);
  const call: StaffCall = {
    deps: { ...deps, database: frozen },
    caller: { kind: "user", session: "", ...user },
    tenant,
    currency,
    currencyFacts: facts,
    ip: "",
    agent: "",
    requestId: id,
    language: request.language,
    idempotencyKey: null,
    fingerprint: Buffer.alloc(0),
    gone: signal,
    isDue: () => signal.aborted,
  };
  const { params, query } = requestedQuery();
  return async function* () {
    let total: number | null = null;
    for (let cursor: string | null | undefined; cursor !== null;) {
      const first = cursor === undefined;
      const part = hasPages(list) ? { direction: "next", limit: pageRows } : {};
      const asked = { ...query, ...part, ...(first ? { with: "count" } : { cursor }) };
      const page: { data: readonly object[]; meta: ListMeta } = await handler(call, { params, query: asked }).catch((error: unknown) => {
        // the record whose list it is, is gone
        throw error instanceof Refusal && error.code === "not-found" ? hopeless("no-list") : error;
      });
      if (first) {
        total = page.meta.count ?? null;
        // a list may have bounded its count
        await sql.raw(`set local statement_timeout = ${backgroundLimits.statement_timeout}`).execute(snapshot);
      }
      yield { data: page.data, total };
      // a list of one page has none
      cursor = page.meta.next ?? null;
    }
  };

  /** A release may have changed the list since it was asked for. */
  function requestedQuery(): ListAsked {
    try {
      requireFields(list, request.columns);
      return listAskedOf(list, request);
    } catch (error) {
      throw error instanceof Refusal ? hopeless("no-list") : error;
    }
  }
}
