import type { LineSuggestion, Suggestion } from "../../contract/bank-transactions.ts";
import { money } from "../../values/money.ts";
import type { Scoped } from "../db/scope.ts";
import type { LineScope } from "./add-lines.ts";
import type { Scored } from "./candidates.ts";
import { candidatesOf, candidateView, linesFitting, partsOf, scored } from "./candidates.ts";
import type { LineRow } from "./line-rows.ts";
import { findLine, findLines, lineView } from "./line-rows.ts";
import { scoreOf, scoreOfSet } from "./score.ts";
import { setsOf } from "./sets.ts";

/** Most suggestions for one line or one transaction. */
const most = 5;

/** The best of what a line may be: single transactions, or where none fits sets that sum to it. None for a line that is not unmatched. */
export async function suggestForLine(db: Scoped, scope: LineScope, id: string): Promise<Suggestion[]> {
  const line = await findLine(db, scope, id);
  if (line.status !== "unmatched") return [];
  const singles = scored(line, await candidatesOf(db, scope, [id]));
  if (singles.length > 0) return singles.slice(0, most).map((one) => ({ score: one.score, transactions: [candidateView(one)] }));
  return suggestSets(line, await partsOf(db, scope, id));
}

function suggestSets(line: LineRow, parts: readonly Scored["row"][]): Suggestion[] {
  // within a set the amount is judged of all together
  const items = parts.map((row) => ({ row, score: scoreOf(line, row, 1), moved: money(row.amount) }));
  const sets = setsOf(items, money(line.amount));
  return sets
    .map((members) => ({
      score: scoreOfSet(
        members.map(({ score }) => score),
        sets.length,
      ),
      transactions: members.map(candidateView),
    }))
    .toSorted((a, b) => b.score.total - a.score.total)
    .slice(0, most);
}

/** The best unmatched lines for a transaction. */
export async function suggestLines(db: Scoped, scope: LineScope, transaction: string): Promise<LineSuggestion[]> {
  const lines = await findLines(db, scope, await linesFitting(db, scope, transaction));
  const all = await candidatesOf(
    db,
    scope,
    lines.map(({ id }) => id),
  );
  return lines
    .flatMap((line) => {
      const others = all.filter(({ line_id }) => line_id === line.id);
      const own = scored(line, others).find(({ row }) => row.id === transaction);
      return own ? [{ score: own.score, known_payer: own.row.known_payer, line: lineView(line) }] : [];
    })
    .toSorted((a, b) => b.score.total - a.score.total)
    .slice(0, most);
}
