import { sql } from "kysely";
import type { AccountDay, accountDayRoutes, CashFlowDay, cashFlowRoutes, MerchantDay, merchantDayRoutes } from "../../contract/reports.ts";
import { accountDayColumns, cashFlowColumns, merchantDayColumns } from "../../contract/reports.ts";
import { countDays } from "../../values/days.ts";
import { amountText } from "../../values/money.ts";
import type { StaffCall } from "../call.ts";
import type { Scoped } from "../db/scope.ts";
import { inTenant } from "../db/scope.ts";
import type { Handlers } from "../handlers.ts";
import { bankClosing, withCallbacks, withLimits, withStatements } from "./beside-ledger.ts";
import { daysIn, ofAccounts, ofMerchants, readRowId } from "./days.ts";
import { reportEntriesOf } from "./entries.ts";
import type { Report, ReportRow } from "./report.ts";
import { countOf, figureOf, readRow, reportHandlers } from "./report.ts";
import { closingsOf, summaryOf } from "./summary.ts";

/** What the rows of all three have. */
const common = (row: ReportRow, today: string) => ({
  uuid: row.id,
  version: 1,
  day: row.first,
  days: countDays(row.first, row.last),
  state: row.is_difference
    ? row.is_carried
      ? ("carry-over" as const)
      : ("difference" as const)
    : row.is_closed
      ? ("closed" as const)
      : row.last >= today
        ? ("live" as const)
        : ("open" as const),
  opening: figureOf(row, "opening"),
  deposits_n: countOf(row, "deposits_n"),
  deposits: figureOf(row, "deposits"),
  withdrawals_n: countOf(row, "withdrawals_n"),
  withdrawals: figureOf(row, "withdrawals"),
  settlements: figureOf(row, "settlements"),
  adjustments: figureOf(row, "adjustments"),
  closing: figureOf(row, "closing"),
  difference: row.difference === null ? null : amountText(row.difference),
});

const ownerOf = ({ owner, code, name }: ReportRow) => ({
  owner: owner === null || code === null || name === null ? null : { uuid: owner, code, name },
  code,
});

const accountReport: Report<AccountDay> = {
  kind: ofAccounts,
  columns: accountDayColumns,
  cut: "each",
  course: {
    moneyIn: "r.deposits + r.transfers_in",
    moneyOut: "r.withdrawals + r.transfers_out + r.settlements + r.charges",
    earned: "r.charges",
  },
  figures: {
    deposits: "r.deposits",
    withdrawals: "r.withdrawals",
    net: "r.closing - r.opening",
    settlements: "r.settlements",
    charges: "r.charges",
    adjustments: "r.adjustments",
    closing: "r.closing",
  },
  view: (row, today) => ({
    ...common(row, today),
    ...ownerOf(row),
    transfers_in: figureOf(row, "transfers_in"),
    transfers_out: figureOf(row, "transfers_out"),
    charges: figureOf(row, "charges"),
    statement: null,
    statement_difference: null,
    deposit_limit_used: null,
    withdrawal_limit_used: null,
  }),
  complete: async (db, call, days) => withLimits(db, call, await withStatements(db, call, days)),
  differs: ({ tenant }) =>
    sql`r.owner is not null and r.first = r.last and ${bankClosing(tenant, sql`r.owner`, sql`r.starts`)} <> r.closing`,
};

const merchantReport: Report<MerchantDay> = {
  kind: ofMerchants,
  columns: merchantDayColumns,
  cut: "each",
  rows: (rows) => sql`select r.*, r.deposits - r.deposits_net as deposits_fee, r.held_before - r.held_after as held from (${rows}) r`,
  course: {
    moneyIn: "r.deposits_net",
    moneyOut: "r.withdrawals + r.withdrawals_fee + r.settlements",
    earned: "r.fees",
  },
  figures: {
    deposits: "r.deposits",
    withdrawals: "r.withdrawals",
    settlements: "r.settlements",
    adjustments: "r.adjustments",
    fees: "r.fees",
    closing: "r.closing",
  },
  view: (row, today) => ({
    ...common(row, today),
    ...ownerOf(row),
    deposits_fee: figureOf(row, "deposits_fee"),
    deposits_net: figureOf(row, "deposits_net"),
    withdrawals_fee: figureOf(row, "withdrawals_fee"),
    held: figureOf(row, "held"),
    success: successOf(Number(row["approved"]), Number(row["failed"])),
    median_minutes: minutesOf(row["median_seconds"]),
    p95_minutes: minutesOf(row["p95_seconds"]),
    callbacks_failed: row.is_difference ? null : 0,
  }),
  complete: withCallbacks,
};

/** Percent with one decimal. */
const successOf = (approved: number, failed: number): number | null =>
  approved + failed <= 0 ? null : Math.round((approved / (approved + failed)) * 1000) / 10;
const minutesOf = (seconds: unknown): number | null => (typeof seconds === "number" ? Math.round(seconds / 6) / 10 : null);

const cashFlowReport: Report<CashFlowDay> = {
  kind: ofAccounts,
  columns: cashFlowColumns,
  cut: "day",
  rows: (
    rows,
    call,
    period,
  ) => sql`with fee as materialized (select d.day, sum(d.fees) as fees from (${daysIn(ofMerchants, call, period, null)}) d group by d.day)
    select r.*, r.transfers_in - r.transfers_out as transfers, r.closing - r.opening as net,
      case when not r.is_difference then coalesce((select sum(f.fees) from fee f where f.day between r.first and r.last), 0) end as fees
    from (${rows}) r`,
  closings: (rows, { tenant }) => sql`select k.code, string_agg(r.code, ', ' order by r.code) as name, sum(r.closing) as closing
    from (${rows}) r
    cross join lateral (select string_agg(g.name, ' + ' order by g.name) as code from payment_group_accounts l
      join payment_groups g on g.tenant_id = l.tenant_id and g.id = l.group_id
      where l.tenant_id = ${tenant} and l.payment_account_id = r.owner) k group by k.code`,
  course: { moneyIn: "r.deposits", moneyOut: "r.withdrawals + r.settlements + r.charges", earned: "r.fees" },
  figures: {
    deposits: "r.deposits",
    withdrawals: "r.withdrawals",
    settlements: "r.settlements",
    charges: "r.charges",
    adjustments: "r.adjustments",
    net: "r.net",
    fees: "r.fees",
    closing: "r.closing",
  },
  view: (row, today) => ({
    ...common(row, today),
    transfers: figureOf(row, "transfers"),
    charges: figureOf(row, "charges"),
    net: figureOf(row, "net"),
    fees: figureOf(row, "fees"),
  }),
};

/** Handlers of a report's four routes, each of one snapshot. */
function handlersOf<View>(report: Report<View>) {
  const within = <T>(call: StaffCall, work: (db: Scoped) => Promise<T>) =>
    inTenant(call.deps.database, call.tenant, async (db) => ({ data: await work(db) }), { snapshot: "report" });
  return {
    ...reportHandlers(report),
    summary: (call: StaffCall, { query }: { query: Parameters<typeof summaryOf>[3] }) =>
      within(call, (db) => summaryOf(db, call, report, query)),
    entries: (call: StaffCall, { query }: { query: Parameters<typeof reportEntriesOf>[3] }) =>
      within(call, (db) => reportEntriesOf(db, call, report.kind, query)),
  };
}

const [accounts, merchants, cash] = [handlersOf(accountReport), handlersOf(merchantReport), handlersOf(cashFlowReport)];

export const accountDayHandlers: Handlers<typeof accountDayRoutes, StaffCall> = {
  listAccountDays: accounts.list,
  readAccountDay: accounts.read,
  summarizeAccountDays: accounts.summary,
  listAccountDayEntries: accounts.entries,
};

export const merchantDayHandlers: Handlers<typeof merchantDayRoutes, StaffCall> = {
  listMerchantDays: merchants.list,
  readMerchantDay: merchants.read,
  summarizeMerchantDays: merchants.summary,
  listMerchantDayEntries: merchants.entries,
};

export const cashFlowHandlers: Handlers<typeof cashFlowRoutes, StaffCall> = {
  listCashFlowDays: cash.list,
  readCashFlowDay: (call, { params: { uuid } }) =>
    inTenant(
      call.deps.database,
      call.tenant,
      async (db) => ({
        data: {
          row: await readRow(db, call, cashFlowReport, uuid),
          groups: await closingsOf(db, call, cashFlowReport, readRowId(uuid).to, null),
        },
      }),
      { snapshot: "report" },
    ),
  summarizeCashFlow: cash.summary,
  listCashFlowEntries: cash.entries,
};
