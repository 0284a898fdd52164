import { sql } from "kysely";
import type { Scoped } from "../db/scope.ts";
import { touch } from "../payments/touched.ts";
import type { NumberedLine, StatementLine, Twins } from "./statement-line.ts";
import { numberLines, plainAccount } from "./statement-line.ts";

export interface LineScope {
  readonly tenant: string;
  readonly currency: string;
}

/** Where lines come from. */
export interface LinesFrom {
  readonly source: "file" | "paste" | "hand" | "call";
  /** Who added them; null: a forwarder. */
  readonly by: string | null;
  readonly importId?: string;
  readonly fileName?: string;
  /** The lines of the same statement so far, where it is added in slices; left out: these are all. none: equal lines are one. */
  readonly twins?: Twins | "none";
}

export interface Added {
  readonly added: number;
  readonly known: number;
  /** The ids of what was added. */
  readonly ids: readonly string[];
}

/**
 * Adds the lines of one payment account's statement that are not there yet, in one statement, and gives the automatic matcher and the rules
 * their turn at them. The account belongs to the scope, which the caller has checked.
 */
export async function addLines(
  db: Scoped,
  { tenant, currency }: LineScope,
  account: string,
  lines: readonly StatementLine[],
  from: LinesFrom,
): Promise<Added> {
  if (lines.length === 0) return { added: 0, known: 0, ids: [] };
  const numbered = numberLines(lines, from.twins ?? new Map<string, number>());
  const { rows } = await sql<{ id: string }>`with added as (
      insert into bank_lines (tenant_id, currency, payment_account_id, time, direction, amount, reference, counterparty,
        counterparty_account, description, balance, source, import_id, file_name, digest, twin, by_user)
      select ${tenant}, ${currency}, ${account}, l.time, l.direction, l.amount, l.reference, l.counterparty, l.counterparty_account,
        l.description, l.balance, ${from.source}, ${from.importId ?? null}::uuid, ${from.fileName ?? null}, decode(l.digest, 'base64'),
        l.twin, ${from.by}::uuid
      from jsonb_to_recordset(${JSON.stringify(numbered.map(stored))}::jsonb) l (time timestamptz, direction text, amount numeric,
        reference text, counterparty text, counterparty_account text, description text, balance numeric, digest text, twin integer)
      on conflict on constraint bank_lines_known do nothing returning id),
    turns as (insert into bank_line_turns (tenant_id, line_id) select ${tenant}, id from added)
    select id from added`.execute(db);
  if (rows.length > 0) touch(db, [account]);
  return { added: rows.length, known: lines.length - rows.length, ids: rows.map(({ id }) => id) };
}

function stored({ line, digest, twin }: NumberedLine) {
  return {
    ...line,
    time: line.time.toISOString(),
    reference: line.reference?.trim() || null,
    counterparty: line.counterparty?.trim() || null,
    counterparty_account: plainAccount(line.counterparty_account),
    description: line.description.trim(),
    digest: digest.toString("base64"),
    twin,
  };
}
