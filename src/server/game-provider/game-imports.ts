import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import type { GameImport, GameImportLine, gameImportRoutes, GameLineState } from "../../contract/game-imports.ts";
import { mostGameLines, toChangeGames } from "../../contract/game-imports.ts";
import { Refusal } from "../../contract/problems.ts";
import { actorOf, record } from "../audit/record.ts";
import { UnreadableFile } from "../bank-lines/reading/unreadable.ts";
import { readRowsAside } from "../bank-lines/reading/read-aside.ts";
import type { StaffCall } from "../call.ts";
import type { Scoped } from "../db/scope.ts";
import { inTenant } from "../db/scope.ts";
import type { Handlers } from "../handlers.ts";
import { once } from "../idempotency.ts";
import { cancelJob, startJob } from "../jobs/jobs.ts";
import { wordOf, worded } from "../texts.ts";
import { gameImportJob } from "./game-import-job.ts";
import type { GameLine, ReadGameLine } from "./game-lines.ts";
import { readGameLines } from "./game-lines.ts";
import { requireProvider } from "./scope.ts";

/** Staged imports one person may have; an older one makes way for a new one. */
const mostStaged = 5;
/** Lines handed to the database at a time. */
const parcel = 2_000;

interface ImportRow {
  readonly id: string;
  readonly merchant_provider_id: string;
  readonly provider: string;
  readonly file_name: string | null;
  readonly created_at: Date;
  readonly state: GameImport["state"];
  readonly done: string | null;
  readonly total: string | null;
}

async function findImport(db: Scoped, { tenant, currency }: StaffCall, id: string): Promise<ImportRow> {
  const { rows } = await sql<ImportRow>`select i.id, i.merchant_provider_id, p.name as provider, i.file_name, i.created_at,
      coalesce(j.state, 'staged') as state, j.done, j.total
    from game_imports i
    join merchant_providers p on p.tenant_id = i.tenant_id and p.id = i.merchant_provider_id
    left join jobs j on j.tenant_id = i.tenant_id and j.id = i.id
    where i.tenant_id = ${tenant} and i.currency = ${currency} and i.id = ${id}`.execute(db);
  if (!rows[0]) throw new Refusal("not-found");
  return rows[0];
}

/** The lines of an import with what becomes of each: what was done, else what was to be done when it was staged. */
const linesOf = (tenant: string, id: string) => sql`select l.*,
    case coalesce(l.outcome, l.expected, 'wrong') when 'added' then 'new' else coalesce(l.outcome, l.expected, 'wrong') end as state
  from game_import_lines l where l.tenant_id = ${tenant} and l.import_id = ${id}`;

async function viewOf(db: Scoped, call: StaffCall, row: ImportRow): Promise<GameImport> {
  const counted = await sql<{ state: GameLineState; count: number; failed: number }>`select t.state, count(*)::integer as count,
      count(t.image_fault)::integer as failed from (${linesOf(call.tenant, row.id)}) t group by 1`.execute(db);
  const count = (state: GameLineState) => counted.rows.find((one) => one.state === state)?.count ?? 0;
  const lines = counted.rows.reduce((sum, one) => sum + one.count, 0);
  return {
    uuid: row.id,
    provider: { uuid: row.merchant_provider_id, name: row.provider, code: null },
    file_name: row.file_name,
    state: row.state,
    counts: { lines, new: count("new"), changed: count("changed"), same: count("same"), wrong: count("wrong") },
    pictures_failed: counted.rows.reduce((sum, one) => sum + one.failed, 0),
    done: Number(row.done ?? 0),
    total: Number(row.total ?? lines - count("wrong")),
    created_at: row.created_at.toISOString(),
  };
}

const present = async (db: Scoped, call: StaffCall, id: string): Promise<GameImport> => viewOf(db, call, await findImport(db, call, id));

/** Reads a file aside; what it cannot be read for is a refusal of the field `file`. */
async function read(bytes: Uint8Array): Promise<readonly ReadGameLine[]> {
  try {
    const lines = readGameLines(await readRowsAside(bytes));
    if (lines.length > mostGameLines) throw new UnreadableFile(`This file has more than ${mostGameLines} lines. Split it`);
    if (lines.length === 0) throw new UnreadableFile("No table was found in this file");
    return lines;
  } catch (error) {
    throw error instanceof UnreadableFile ? new Refusal("bank-file.refused", { file: [error.message] }) : error;
  }
}

/**
 * What a start would make of a line `l`, beside the game of the provider that has its code. Looked up line by line, because the database
 * knows nothing yet of how many lines were just written, and would join them in the order of their square.
 */
const expectedOf = (
  tenant: string,
  provider: string,
) => sql`coalesce((select case when g.name = l.line ->> 'name' and g.type = l.line ->> 'type'
    and (l.line ->> 'image' = '' or (g.image is not null and g.image_source = l.line ->> 'image')) then 'same' else 'changed' end
  from provider_games g where g.tenant_id = ${tenant} and g.merchant_provider_id = ${provider}
    and g.code_key = lower(l.line ->> 'code') collate "C"), 'added')`;

async function stage(db: Scoped, tenant: string, provider: string, id: string, lines: readonly ReadGameLine[]): Promise<void> {
  for (let at = 0; at < lines.length; at += parcel) {
    const part = JSON.stringify(
      lines.slice(at, at + parcel).map((one) => ({
        n: one.n,
        line: one.line,
        fault_field: one.fault?.field ?? null,
        fault: one.fault?.line ?? null,
      })),
    );
    // oxlint-disable-next-line no-await-in-loop -- one connection answers one after the other
    await sql`insert into game_import_lines (tenant_id, import_id, n, line, expected, fault_field, fault)
      select ${tenant}, ${id}, l.n, l.line, case when l.fault is null then ${expectedOf(tenant, provider)} end, l.fault_field, l.fault
      from jsonb_to_recordset(${part}::jsonb) l (n integer, line jsonb, fault_field text, fault text)`.execute(db);
  }
  await sql`update game_import_lines l set fault_field = 'code', fault = 'Appears twice', expected = null
    where l.tenant_id = ${tenant} and l.import_id = ${id} and l.fault is null
      and l.n = any(array(select same.n from (select n, row_number() over (partition by code_key order by n) as place from game_import_lines
        where tenant_id = ${tenant} and import_id = ${id}) same where same.place > 1))`.execute(db);
}

/** Games may have come or changed since the lines were staged. */
async function expectAnew(db: Scoped, tenant: string, { id, merchant_provider_id }: ImportRow): Promise<void> {
  const now = expectedOf(tenant, merchant_provider_id);
  await sql`update game_import_lines l set expected = ${now}
    where l.tenant_id = ${tenant} and l.import_id = ${id} and l.fault is null and l.expected <> ${now}`.execute(db);
}

interface LineRow {
  readonly n: number;
  readonly line: GameLine;
  readonly fault_field: keyof GameLine | null;
  readonly fault: string | null;
  readonly image_fault: string | null;
  readonly state: GameLineState;
}

const lineView = ({ n, state, line, fault_field, fault, image_fault }: LineRow, { language }: StaffCall): GameImportLine => ({
  n,
  state,
  ...line,
  fault: fault === null || fault_field === null ? null : { field: fault_field, line: String(wordedLine(fault, language)) },
  picture_fault: image_fault === null ? null : pictureFault(image_fault, language),
});
/** "image.unreachable HTTP 404" in words. */
function pictureFault(kept: string, language: StaffCall["language"]): string {
  const [code = "", ...why] = kept.split(" ");
  const text = wordOf(language, `provider-game.fault.${code}`) ?? code;
  return why.length === 0 ? text : `${text} (${why.join(" ")})`;
}
const wordedLine = (line: string, language: StaffCall["language"]): unknown => (worded({ line: [line] }, language)["line"] as unknown[])[0]; // as given

/** An act on an import, as the audit log has it. */
const fact = (id: string, act: string, after: Readonly<Record<string, unknown>>) => ({
  act: `game-import.${act}`,
  entity: "game-import",
  entityId: id,
  after,
});

export const gameImportHandlers: Handlers<typeof gameImportRoutes, StaffCall> = {
  async uploadGames(call, { params: { merchantProviderUuid: provider }, query: { source }, file }) {
    const { tenant, currency, caller, deps } = call;
    await inTenant(deps.database, tenant, (db) => requireProvider(db, call, provider, "read"));
    const lines = await read(file.bytes);
    const id = randomUUID();
    const data = await once(call, null, async (db) => {
      await requireProvider(db, call, provider, "write");
      await sql`delete from game_imports where tenant_id = ${tenant} and id in (select id from game_imports
        where tenant_id = ${tenant} and started_at is null and by_user = ${caller.id} order by created_at desc offset ${mostStaged - 1})`.execute(
        db,
      );
      const file_name = source === "file" ? file.name || null : null;
      const values = { tenant_id: tenant, id, currency, merchant_provider_id: provider, by_user: caller.id, file_name };
      await db.insertInto("game_imports").values(values).execute();
      await stage(db, tenant, provider, id, lines);
      const answer = await present(db, call, id);
      const after = { provider, file: file_name, source, sha256: file.sha256, lines: lines.length, wrong: answer.counts.wrong };
      await record(db, tenant, actorOf(call), fact(id, "begin", after));
      return { answer };
    });
    return { data };
  },

  readGameImport: (call, { params }) =>
    inTenant(call.deps.database, call.tenant, async (db) => ({ data: await present(db, call, params.uuid) })),

  listGameImportLines: (call, { params: { uuid }, query: { state, after, limit } }) =>
    inTenant(call.deps.database, call.tenant, async (db) => {
      await findImport(db, call, uuid);
      const ofState = state === undefined ? sql`` : sql`and t.state = ${state}`;
      const { rows } = await sql<LineRow>`select t.* from (${linesOf(call.tenant, uuid)}) t where t.n > ${after} ${ofState}
        order by t.n limit ${limit + 1}`.execute(db);
      const page = rows.slice(0, limit);
      return { data: page.map((row) => lineView(row, call)), meta: { next: rows.length > limit ? (page.at(-1)?.n ?? null) : null } };
    }),

  async startGameImport(call, { params: { uuid } }) {
    const { tenant, deps, caller } = call;
    const data = await once(call, null, async (db) => {
      await sql`select from game_imports where tenant_id = ${tenant} and id = ${uuid} for no key update`.execute(db);
      const row = await findImport(db, call, uuid);
      if (row.state !== "staged") throw new Refusal("game-import.begun");
      await expectAnew(db, tenant, row);
      const { counts } = await viewOf(db, call, row);
      // whoever may only create has the new ones written, and the others stay as they are
      const mayChange = caller.permissions.has(toChangeGames);
      if (counts.new + (mayChange ? counts.changed : 0) === 0) throw new Refusal("game-import.nothing");
      await startJob(db, deps, { tenant, by: caller.id, id: uuid }, gameImportJob, { import: uuid, mayChange });
      await sql`update game_imports set started_at = clock_timestamp() where tenant_id = ${tenant} and id = ${uuid}`.execute(db);
      await record(db, tenant, actorOf(call), fact(uuid, "start", { provider: row.merchant_provider_id, ...counts }));
      return { answer: await present(db, call, uuid) };
    });
    deps.jobs.wake(gameImportJob);
    return { data };
  },

  async cancelGameImport(call, { params: { uuid } }) {
    const { tenant, deps } = call;
    const data = await once(call, null, async (db) => {
      const row = await findImport(db, call, uuid);
      const answer = await viewOf(db, call, row);
      if (row.state === "staged") {
        await sql`delete from game_imports where tenant_id = ${tenant} and id = ${uuid}`.execute(db);
        return { answer: { ...answer, state: "cancelled" as const } };
      }
      if (!(await cancelJob(db, deps, { tenant, id: uuid }, gameImportJob))) throw new Refusal("game-import.ended");
      await record(db, tenant, actorOf(call), fact(uuid, "end", { provider: row.merchant_provider_id, done: answer.done }));
      return { answer: await present(db, call, uuid) };
    });
    return { data };
  },
};
