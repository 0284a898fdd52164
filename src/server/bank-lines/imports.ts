import { createHash, randomUUID } from "node:crypto";
import { sql } from "kysely";
import type { BankLayout } from "../../contract/bank-layouts.ts";
import type { BankImport, bankImportRoutes } from "../../contract/bank-imports.ts";
import { Refusal } from "../../contract/problems.ts";
import { plainNumber } from "../../contract/wire.ts";
import { actorOf, record } from "../audit/record.ts";
import type { StaffCall } from "../call.ts";
import { inTenant } from "../db/scope.ts";
import type { Scoped } from "../db/scope.ts";
import type { Handlers } from "../handlers.ts";
import { once } from "../idempotency.ts";
import { findImport, importLines, importView, newestImports, viewOf } from "./import-rows.ts";
import type { ImportRow } from "./import-rows.ts";
import type { RememberedLayout } from "./reading/layout.ts";
import type { ParcelledStatement } from "./reading/read-aside.ts";
import { readAside } from "./reading/read-aside.ts";
import { UnreadableFile } from "./reading/unreadable.ts";

/** Staged files one person may have; an older one makes way for a new one. */
const mostStaged = 10;
/** Layouts kept of one bank. */
const mostLayouts = 30;

interface Account {
  readonly id: string;
  readonly bank: string;
  readonly account_number: string;
}

async function accountOf(db: Scoped, { tenant, currency }: StaffCall, id: string): Promise<Account> {
  const { rows } = await sql<Account>`select id, bank, account_number from payment_accounts
    where tenant_id = ${tenant} and currency = ${currency} and id = ${id}`.execute(db);
  if (!rows[0]) throw new Refusal("not-found");
  return rows[0];
}

async function rememberedOf(db: Scoped, { tenant }: StaffCall, bank: string): Promise<RememberedLayout[]> {
  const { rows } = await sql<RememberedLayout>`select headers, layout from bank_column_mappings
    where tenant_id = ${tenant} and bank = ${bank} order by updated_at desc limit ${mostLayouts}`.execute(db);
  return rows;
}

/** Reads a file aside; what it cannot be read for is a refusal of the field `file`. */
async function read(
  call: StaffCall,
  { account_number }: Account,
  bytes: Uint8Array,
  given: BankLayout | null,
  remembered: readonly RememberedLayout[],
): Promise<ParcelledStatement> {
  const { currency, currencyFacts } = call;
  const facts = { ...currencyFacts, currency, number: plainNumber(account_number), today: Math.floor(Date.now() / 86_400_000) };
  try {
    return await readAside({ bytes, facts, given, remembered });
  } catch (error) {
    throw error instanceof UnreadableFile ? new Refusal("bank-file.refused", { file: [error.message] }) : error;
  }
}

/** The columns of an import that the reading of its file fills. */
const readColumns = ({ layout, questions, isRemembered, headers, sheets, head, counts }: ParcelledStatement) => ({
  layout: JSON.stringify(layout),
  questions: [...questions],
  remembered: isRemembered,
  headers,
  sheets: JSON.stringify(sheets),
  head: JSON.stringify(head),
  lines: counts.read,
  unreadable: counts.unreadable,
  passed: counts.passed,
});

async function stageLines(db: Scoped, { tenant }: StaffCall, id: string, parcels: readonly string[]): Promise<void> {
  for (const parcel of parcels) {
    await sql`insert into bank_import_lines (tenant_id, import_id, seq, n, state, line, digest, twin, why, "values", text)
      select ${tenant}, ${id}, l.seq, l.n, l.state, l.line, decode(l.digest, 'base64'), l.twin, l.why, l."values", l.text
      from jsonb_to_recordset(${parcel}::jsonb) l (seq integer, n integer, state text, line jsonb, digest text, twin integer, why text,
        "values" jsonb, text text)`.execute(db);
  }
}

async function present(db: Scoped, call: StaffCall, id: string): Promise<BankImport> {
  const row = await findImport(db, call, id);
  if (!row) throw new Refusal("not-found");
  return importView(db, call, row);
}

/** The import, locked; refused unless it has the version the caller saw. */
async function lock(db: Scoped, call: StaffCall, id: string, version?: number): Promise<ImportRow> {
  await sql`select from bank_imports where tenant_id = ${call.tenant} and currency = ${call.currency} and id = ${id}
    for no key update`.execute(db);
  const row = await findImport(db, call, id);
  if (!row) throw new Refusal("not-found");
  if (version !== undefined && row.version !== version)
    throw new Refusal("record.stale", { by: row.by_name, at: row.updated_at.toISOString(), row: viewOf(row) });
  return row;
}

function requireStaged({ state }: ImportRow): void {
  if (state !== "staged") throw new Refusal("bank-import.not-staged");
}

/** An act on an import, as the audit log has it. */
export const importFact = (row: Pick<ImportRow, "id">, act: string, after: Readonly<Record<string, unknown>>) => ({
  act: `bank-import.${act}`,
  entity: "bank-import",
  entityId: row.id,
  after,
});

/** Remembers how this bank's file was read, and forgets the bank's oldest layouts. */
async function remember(db: Scoped, { tenant, caller }: StaffCall, { bank, headers, layout }: ImportRow): Promise<void> {
  if (headers === null) return;
  const digest = createHash("sha256").update(headers).digest();
  await sql`insert into bank_column_mappings (tenant_id, bank, headers_digest, headers, layout, by_user)
    values (${tenant}, ${bank}, ${digest}, ${headers}, ${JSON.stringify(layout)}::jsonb, ${caller.id})
    on conflict (tenant_id, bank, headers_digest)
    do update set layout = excluded.layout, by_user = excluded.by_user, updated_at = clock_timestamp()`.execute(db);
  await sql`delete from bank_column_mappings where tenant_id = ${tenant} and bank = ${bank} and headers_digest in (
    select headers_digest from bank_column_mappings where tenant_id = ${tenant} and bank = ${bank}
    order by updated_at desc offset ${mostLayouts})`.execute(db);
}

export const bankImportHandlers: Handlers<typeof bankImportRoutes, StaffCall> = {
  async uploadBankFile(call, { query, file }) {
    const { tenant, currency, caller, deps } = call;
    const { account, remembered } = await inTenant(deps.database, tenant, async (db) => {
      const found = await accountOf(db, call, query.account);
      return { account: found, remembered: await rememberedOf(db, call, found.bank) };
    });
    const statement = await read(call, account, file.bytes, null, remembered);
    const id = randomUUID();
    const data = await once(call, null, async (db) => {
      await sql`delete from bank_imports where tenant_id = ${tenant} and id in (select id from bank_imports
        where tenant_id = ${tenant} and state = 'staged' and by_user = ${caller.id} order by created_at desc offset ${mostStaged - 1})`.execute(
        db,
      );
      const values = {
        tenant_id: tenant,
        id,
        currency,
        payment_account_id: account.id,
        source: query.source,
        file_name: query.source === "file" ? file.name || null : null,
        by_user: caller.id,
        by_name: caller.name,
        ...readColumns(statement),
      };
      await db.insertInto("bank_imports").values(values).execute();
      await sql`insert into bank_import_files (tenant_id, import_id, content) values (${tenant}, ${id}, ${Buffer.from(file.bytes)})`.execute(
        db,
      );
      await stageLines(db, call, id, statement.parcels);
      const after = { account: account.id, file: values.file_name, source: query.source, sha256: file.sha256, ...statement.counts };
      await record(db, tenant, actorOf(call), importFact({ id }, "stage", after));
      return { answer: await present(db, call, id) };
    });
    return { data };
  },

  listBankImports: (call, { query }) =>
    inTenant(call.deps.database, call.tenant, async (db) => ({
      data: (await newestImports(db, call, query.account)).map((row) => viewOf(row)),
    })),

  readBankImport: (call, { params }) =>
    inTenant(call.deps.database, call.tenant, async (db) => ({ data: await present(db, call, params.uuid) })),

  listBankImportLines: (call, { params, query }) =>
    inTenant(call.deps.database, call.tenant, async (db) => {
      if (!(await findImport(db, call, params.uuid))) throw new Refusal("not-found");
      const data = await importLines(db, call, params.uuid, { ...query, limit: query.limit + 1 });
      const page = data.slice(0, query.limit);
      return { data: page, meta: { next: data.length > page.length ? (page.at(-1)?.n ?? null) : null } };
    }),

  async changeBankImport(call, { params: { uuid }, body: { version, layout } }) {
    const { tenant, deps } = call;
    const { account, bytes } = await inTenant(deps.database, tenant, async (db) => {
      const row = await lock(db, call, uuid, version);
      requireStaged(row);
      const { rows } = await sql<{ content: Buffer }>`select content from bank_import_files
        where tenant_id = ${tenant} and import_id = ${uuid}`.execute(db);
      return { account: await accountOf(db, call, row.payment_account_id), bytes: rows[0]?.content };
    });
    if (!bytes) throw new Refusal("bank-import.not-staged");
    const statement = await read(call, account, bytes, layout, []);
    const data = await once(call, null, async (db) => {
      requireStaged(await lock(db, call, uuid, version));
      await sql`delete from bank_import_lines where tenant_id = ${tenant} and import_id = ${uuid}`.execute(db);
      await db
        .updateTable("bank_imports")
        .set({ ...readColumns(statement), version: version + 1, updated_at: sql<Date>`clock_timestamp()` })
        .where("tenant_id", "=", tenant)
        .where("id", "=", uuid)
        .execute();
      await stageLines(db, call, uuid, statement.parcels);
      await record(db, tenant, actorOf(call), importFact({ id: uuid }, "change", { layout, ...statement.counts }));
      return { answer: await present(db, call, uuid) };
    });
    return { data };
  },

  async startBankImport(call, { params: { uuid }, body: { version } }) {
    const data = await once(call, null, async (db) => {
      const row = await lock(db, call, uuid, version);
      requireStaged(row);
      if (row.questions.length > 0) throw new Refusal("bank-import.unanswered", { questions: row.questions });
      await sql`update bank_imports set state = 'running', started_at = clock_timestamp(), version = version + 1,
        updated_at = clock_timestamp() where tenant_id = ${call.tenant} and id = ${uuid}`.execute(db);
      // its rows are all that is needed from here on
      await sql`delete from bank_import_files where tenant_id = ${call.tenant} and import_id = ${uuid}`.execute(db);
      await remember(db, call, row);
      const after = { account: row.account_code, file: row.file_name, source: row.source, lines: row.lines, unreadable: row.unreadable };
      await record(db, call.tenant, actorOf(call), importFact(row, "start", after));
      return { answer: await present(db, call, uuid) };
    });
    return { data };
  },

  async cancelBankImport(call, { params: { uuid } }) {
    const data = await once(call, null, async (db) => {
      const row = await lock(db, call, uuid);
      if (row.state === "cancelled") return { answer: viewOf(row) };
      if (row.state !== "staged" && row.state !== "running") throw new Refusal("bank-import.ended");
      await sql`update bank_imports set state = 'cancelled', version = version + 1, updated_at = clock_timestamp(),
        finished_at = clock_timestamp(), expires_at = clock_timestamp() + interval '1 day'
        where tenant_id = ${call.tenant} and id = ${uuid}`.execute(db);
      await sql`delete from bank_import_files where tenant_id = ${call.tenant} and import_id = ${uuid}`.execute(db);
      const after = { account: row.account_code, file: row.file_name, added: row.added, left: row.lines - row.done };
      await record(db, call.tenant, actorOf(call), importFact(row, "cancel", after));
      return { answer: await present(db, call, uuid) };
    });
    return { data };
  },
};
