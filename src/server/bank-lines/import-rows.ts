import { sql } from "kysely";
import type { BankLayout, LayoutQuestion, LineFault, PassedOver } from "../../contract/bank-layouts.ts";
import type { BankImport, BankImportLine, importLineStates } from "../../contract/bank-imports.ts";
import { amountText } from "../../values/money.ts";
import type { StaffCall } from "../call.ts";
import type { Scoped } from "../db/scope.ts";
import type { ReadLine } from "./reading/lines.ts";

/** An import with its account, as its routes answer it. */
export interface ImportRow {
  readonly id: string;
  readonly version: number;
  readonly payment_account_id: string;
  readonly account_code: string;
  readonly bank: string;
  readonly source: "file" | "paste";
  readonly file_name: string | null;
  readonly state: BankImport["state"];
  readonly layout: BankLayout;
  readonly questions: LayoutQuestion[];
  readonly remembered: boolean;
  readonly headers: string | null;
  readonly sheets: string[];
  readonly head: BankImport["head"];
  readonly lines: number;
  readonly unreadable: number;
  readonly passed: number;
  readonly done: number;
  readonly added: number;
  readonly known: number;
  readonly by_name: string;
  readonly created_at: Date;
  readonly updated_at: Date;
  readonly finished_at: Date | null;
  readonly expires_at: Date;
}

type Scope = Pick<StaffCall, "tenant" | "currency">;

const selected = ({ tenant, currency }: Scope) => sql`select i.*, a.code as account_code, a.bank from bank_imports i
  join payment_accounts a on a.tenant_id = i.tenant_id and a.id = i.payment_account_id
  where i.tenant_id = ${tenant} and i.currency = ${currency}`;

export async function findImport(db: Scoped, scope: Scope, id: string): Promise<ImportRow | undefined> {
  const { rows } = await sql<ImportRow>`${selected(scope)} and i.id = ${id}`.execute(db);
  return rows[0];
}

/** The newest imports, of one account where it is given. */
export async function newestImports(db: Scoped, scope: Scope, account: string | undefined): Promise<ImportRow[]> {
  const ofAccount = account === undefined ? sql`` : sql`and i.payment_account_id = ${account}`;
  const { rows } = await sql<ImportRow>`${selected(scope)} ${ofAccount} order by i.created_at desc limit 50`.execute(db);
  return rows;
}

/**
 * Lines of the import that another import or a forwarder has brought. Each is looked up by its whole key: as a join, tables not analysed yet
 * had every line compared with every other of the account.
 */
const isKnown = sql`coalesce((select b.import_id is distinct from l.import_id from bank_lines b where b.tenant_id = l.tenant_id
  and b.payment_account_id = i.payment_account_id and b.digest = l.digest and b.twin = l.twin), false)`;

/** How many of a staged file's lines are there already; of one that was started, how many it has met. */
async function knownOf(db: Scoped, { tenant }: Scope, { id, state, known }: ImportRow): Promise<number> {
  if (state !== "staged") return known;
  const { rows } = await sql<{ known: string }>`select count(*) as known from bank_import_lines l
    join bank_imports i on i.tenant_id = l.tenant_id and i.id = l.import_id
    where l.tenant_id = ${tenant} and l.import_id = ${id} and l.state = 'read' and ${isKnown}`.execute(db);
  return Number(rows[0]?.known ?? 0);
}

export async function importView(db: Scoped, scope: Scope, row: ImportRow): Promise<BankImport> {
  return viewOf(row, await knownOf(db, scope, row));
}

/** `known` of a file that is staged is counted only where it is looked at. */
export function viewOf(row: ImportRow, known = row.known): BankImport {
  const fresh = row.state === "staged" ? row.lines - known : row.state === "running" ? row.lines - row.known : row.added;
  return {
    uuid: row.id,
    version: row.version,
    payment_account: { uuid: row.payment_account_id, code: row.account_code, bank: row.bank },
    source: row.source,
    file_name: row.file_name,
    state: row.state,
    layout: row.layout,
    questions: row.questions,
    is_remembered: row.remembered,
    sheets: row.sheets,
    head: row.head,
    counts: { lines: row.lines, new: fresh, known, unreadable: row.unreadable, passed: row.passed },
    done: row.done,
    by: row.by_name,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
    finished_at: row.finished_at?.toISOString() ?? null,
    expires_at: row.expires_at.toISOString(),
  };
}

interface LineRow {
  readonly n: number;
  readonly state: "read" | "unreadable" | "passed";
  readonly line: ReadLine | null;
  readonly known: boolean;
  readonly why: string | null;
  readonly values: Record<string, string | number> | null;
  readonly text: string | null;
}

/** A page of the rows of an import, in the order of the file. */
export async function importLines(
  db: Scoped,
  { tenant }: Scope,
  id: string,
  { state, after, limit }: { state?: (typeof importLineStates)[number] | undefined; after: number; limit: number },
): Promise<BankImportLine[]> {
  const wanted =
    state === undefined
      ? sql``
      : state === "new"
        ? sql`and l.state = 'read' and not ${isKnown}`
        : state === "known"
          ? sql`and l.state = 'read' and ${isKnown}`
          : sql`and l.state = ${state}`;
  const { rows } = await sql<LineRow>`select l.n, l.state, l.line, l.why, l."values", l.text, l.state = 'read' and ${isKnown} as known
    from bank_import_lines l join bank_imports i on i.tenant_id = l.tenant_id and i.id = l.import_id
    where l.tenant_id = ${tenant} and l.import_id = ${id} and l.n > ${after} ${wanted} order by l.n limit ${limit}`.execute(db);
  return rows.map(lineView);
}

function lineView({ n, state, line, known, why, values, text }: LineRow): BankImportLine {
  if (state === "read" && line) {
    const amounts = { amount: amountText(line.amount), balance: line.balance === null ? null : amountText(line.balance) };
    return { n, state: known ? "known" : "new", line: { ...line, ...amounts } };
  }
  // both columns hold what the reading wrote
  if (state === "passed") return { n, state, why: why as PassedOver, text: text ?? "" };
  return { n, state: "unreadable", why: why as LineFault, values: values ?? {}, text: text ?? "" };
}
