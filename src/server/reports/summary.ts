import { sql } from "kysely";
import type { Closing, ReportSummary } from "../../contract/reports.ts";
import type { Asked } from "../../values/asked.ts";
import { addDays, countDays } from "../../values/days.ts";
import { amountText, money, moneyText } from "../../values/money.ts";
import type { StaffCall } from "../call.ts";
import type { Scoped } from "../db/scope.ts";
import type { Cut } from "./days.ts";
import { reportRows } from "./days.ts";
import type { Report } from "./report.ts";
import { ownersWithCode, todayOf } from "./report.ts";

/** Most closing balances told one by one. */
const most = 8;

/** The period before one of days "2026-11-20", both included: of the same length; of a month, as many days of the month before it. */
export function periodBefore(from: string, to: string): { from: string; to: string } {
  const days = countDays(from, to);
  const last = addDays(from, -1);
  const isOfMonth = from.endsWith("-01") && from.slice(0, 7) === to.slice(0, 7);
  if (!isOfMonth) return { from: addDays(from, -days), to: last };
  const first = `${last.slice(0, 7)}-01`;
  const same = addDays(first, days - 1);
  const isWhole = addDays(to, 1).endsWith("-01");
  return { from: first, to: isWhole || same > last ? last : same };
}

interface Question {
  readonly from: string;
  readonly to: string;
  readonly code?: Asked | undefined;
  readonly against_from?: string | undefined;
  readonly against_to?: string | undefined;
}

type Span = ReturnType<typeof periodBefore>;

/** Who closed a day with how much, the largest first. `only`: of these owners. */
export async function closingsOf(
  db: Scoped,
  call: StaffCall,
  report: Report<unknown>,
  day: string,
  only: readonly string[] | null,
): Promise<Closing[]> {
  const rows = sql`select r.* from (${reportRows(report.kind, call, { from: day, to: day, today: todayOf(call) }, "each", only)}) r
    where not r.is_difference`;
  const { rows: closed } = await sql<Closing>`select r.code, r.name, r.closing
    from (${report.closings?.(rows, call) ?? rows}) r order by r.closing desc, r.code`.execute(db);
  return closed.map((row) => ({ ...row, closing: amountText(row.closing) }));
}

/** A period beside the one it is compared with: totals, days, and who closed with how much. */
export async function summaryOf(db: Scoped, call: StaffCall, report: Report<unknown>, asked: Question): Promise<ReportSummary> {
  const today = todayOf(call);
  const { from, code, against_from, against_to } = asked;
  const to = asked.to > today && from <= today ? today : asked.to;
  const against = against_from !== undefined && against_to !== undefined ? { from: against_from, to: against_to } : periodBefore(from, to);
  const only = await ownersWithCode(db, call, report.kind, code);
  const rowsOf = (span: Span, cut: Cut) => {
    const period = { ...span, today };
    const all = reportRows(report.kind, call, period, cut, only);
    return sql`(${report.rows?.(all, call, period) ?? all}) r where not r.is_difference`;
  };
  const totals = async (span: Span) => {
    const columns = Object.entries(report.figures).map(([name, read]) => sql`coalesce(sum(${sql.raw(read)}), 0) as ${sql.ref(name)}`);
    const { rows } = await sql<Record<string, string>>`select ${sql.join(columns)} from ${rowsOf(span, "all")}`.execute(db);
    return Object.fromEntries(Object.keys(report.figures).map((name) => [name, amountText(rows[0]?.[name] ?? "0")]));
  };
  const daily = async (span: Span) => {
    const { moneyIn, moneyOut, earned } = report.course;
    const { rows } = await sql<{ day: string; money_in: string; money_out: string; closing: string; fees: string }>`select r.first as day,
      ${sql.raw(moneyIn)} as money_in, ${sql.raw(moneyOut)} as money_out, r.closing, ${sql.raw(earned)} as fees
      from ${rowsOf(span, "day")} order by r.first`.execute(db);
    return rows.map(({ day, ...amounts }) => ({
      day,
      money_in: amountText(amounts.money_in),
      money_out: amountText(amounts.money_out),
      closing: amountText(amounts.closing),
      fees: amountText(amounts.fees),
    }));
  };
  const closed = await closingsOf(db, call, report, to, only);
  const [closings, rest] = [closed.slice(0, most), closed.slice(most)];
  return {
    zone_minutes: call.currencyFacts.zoneMinutes,
    at: new Date().toISOString(),
    from,
    to,
    against_from: against.from,
    against_to: against.to,
    now: await totals({ from, to }),
    before: await totals(against),
    days: [...(against.to < from ? await daily(against) : []), ...(await daily({ from, to }))],
    closings,
    others:
      rest.length === 0 ? null : { count: rest.length, closing: moneyText(rest.reduce((sum, { closing }) => sum + money(closing), 0n)) },
  };
}
