import { sql } from "kysely";
import type { ProblemCode } from "../../contract/problems.ts";
import { Refusal } from "../../contract/problems.ts";
import { systemActor } from "../audit/record.ts";
import type { Deps } from "../call.ts";
import type { Scoped } from "../db/scope.ts";
import { inTenant } from "../db/scope.ts";
import { skipFailure } from "../jobs/record.ts";
import { settingsOf } from "../settings/settings.ts";
import type { LineScope } from "./add-lines.ts";
import type { Scored } from "./candidates.ts";
import { candidatesOf, scored } from "./candidates.ts";
import { findLine, findLines } from "./line-rows.ts";
import type { Moved } from "./match.ts";
import { matchLine, nothingMoved } from "./match.ts";
import { publishMoved } from "./publish-moved.ts";
import { applyRules } from "./rules.ts";
import { automaticAhead, automaticFrom } from "./score.ts";
import { inTenantAnnouncing } from "../payments/touched.ts";

interface Turn {
  readonly id: string;
  readonly line_id: string;
  readonly currency: string;
}

/** Which tenants have lines the matcher has yet to look at. */
export const withTurns = sql`select distinct tenant_id from bank_line_turns`;

/**
 * Gives arrived lines their turn: the tenant's rules set some aside, and where the tenant allows it those with one clear transaction are
 * matched, each in a transaction of its own. Several processes can run it at once. Answers the turns taken, at most `limit`; what fails is
 * added to `failed` and not tried again.
 */
export async function judgeArrived(deps: Deps, tenant: string, limit: number, failed = new Set<string>()): Promise<string[]> {
  const moved = nothingMoved();
  const { taken, clear, ignored } = await inTenant(deps.database, tenant, (db) => judge(db, tenant, limit, failed));
  for (const line of ignored) moved.lines.add(line);
  for (const turn of clear) {
    const done = await skipFailure(deps, "bank lines", { tenant, line: turn.line_id }, () =>
      inTenantAnnouncing(deps, tenant, (db) => matchTurn(db, tenant, turn, moved)).then(() => true),
    );
    if (!done) failed.add(turn.id);
  }
  publishMoved(deps, tenant, moved);
  return taken;
}

/** The turns taken, those of them with a clear match, and the lines that rules took. */
interface Judged {
  readonly taken: string[];
  readonly clear: Turn[];
  readonly ignored: string[];
}

/** Applies the rules to the oldest turns and ends those of lines that have no clear match. */
async function judge(db: Scoped, tenant: string, limit: number, failed: ReadonlySet<string>): Promise<Judged> {
  const { rows: turns } = await sql<Turn>`select w.id, w.line_id, l.currency from bank_line_turns w
    join bank_lines l on l.tenant_id = w.tenant_id and l.id = w.line_id
    where w.tenant_id = ${tenant} and w.id <> all(${[...failed]}::uuid[]) order by w.id limit ${limit} for update of w skip locked`.execute(
    db,
  );
  const { auto_match } = await settingsOf(db, tenant);
  const clear: Turn[] = [];
  const ignored: string[] = [];
  for (const currency of new Set(turns.map((turn) => turn.currency))) {
    const scope = { tenant, currency };
    const own = turns.filter((turn) => turn.currency === currency);
    const ids = own.map(({ line_id }) => line_id);
    ignored.push(...(await applyRules(db, scope, ids)));
    if (!auto_match) continue;
    const winners = await clearMatches(db, scope, ids);
    const first = new Map(own.map((turn) => [turn.line_id, turn]));
    clear.push(...[...first.values()].filter(({ line_id }) => winners.has(line_id)));
  }
  const ended = turns.filter((turn) => !clear.includes(turn)).map(({ id }) => id);
  await sql`delete from bank_line_turns where tenant_id = ${tenant} and id = any(${ended}::uuid[])`.execute(db);
  return { taken: turns.map(({ id }) => id), clear, ignored };
}

/** line → the one transaction that is clearly its own. */
async function clearMatches(db: Scoped, scope: LineScope, ids: readonly string[]): Promise<Map<string, Scored["row"]>> {
  const lines = (await findLines(db, scope, ids)).filter(({ status }) => status === "unmatched");
  const all = await candidatesOf(
    db,
    scope,
    lines.map(({ id }) => id),
  );
  const byLine = Map.groupBy(all, ({ line_id }) => line_id);
  const clear = new Map<string, Scored["row"]>();
  for (const line of lines) {
    const best = clearlyBest(scored(line, byLine.get(line.id) ?? []));
    if (best) clear.set(line.id, best.row);
  }
  return clear;
}

/** The first of the candidates where it may be matched without asking anybody. */
export function clearlyBest([best, next]: readonly Scored[]): Scored | null {
  if (!best || best.score.total < automaticFrom || best.row.status === "expired") return null;
  // the amount, however rare, is never enough
  if (best.score.reference === 0 && best.score.name === 0) return null;
  return best.score.total - (next?.score.total ?? 0) >= automaticAhead ? best : null;
}

/** What was changed while it was judged is judged again at the next turn. */
const overtaken: readonly ProblemCode[] = ["transaction.stale", "record.stale"];

/** Matches the line if it still is clear; whoever was faster has decided it. */
async function matchTurn(db: Scoped, tenant: string, { id, line_id, currency }: Turn, moved: Moved): Promise<void> {
  const scope = { tenant, currency };
  const best = (await clearMatches(db, scope, [line_id])).get(line_id);
  if (best) {
    const { version } = await findLine(db, scope, line_id);
    const refs = [{ uuid: best.id, version: best.version }];
    await sql`savepoint automatic`.execute(db);
    try {
      await matchLine(db, scope, systemActor, { uuid: line_id, version, transactions: refs }, moved);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      await sql`rollback to savepoint automatic`.execute(db);
      if (overtaken.includes(error.code)) return;
    }
  }
  await sql`delete from bank_line_turns where tenant_id = ${tenant} and id = ${id}`.execute(db);
}
