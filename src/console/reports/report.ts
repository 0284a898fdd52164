import { reportFigures } from "../../contract/reports.ts";
import type { accountDayRoutes, cashFlowRoutes, merchantDayRoutes, ReportFigure } from "../../contract/reports.ts";
import { addDays } from "../../values/days.ts";
import type { Entity } from "../entity/entity.ts";
import type { Days } from "./period.ts";

export type SummaryRoute =
  | typeof accountDayRoutes.summarizeAccountDays
  | typeof merchantDayRoutes.summarizeMerchantDays
  | typeof cashFlowRoutes.summarizeCashFlow;
export type EntriesRoute =
  | typeof accountDayRoutes.listAccountDayEntries
  | typeof merchantDayRoutes.listMerchantDayEntries
  | typeof cashFlowRoutes.listCashFlowEntries;

/** What the three reports differ in, beside their lists. */
export interface Report {
  readonly entity: Entity;
  readonly summary: SummaryRoute;
  readonly entries: EntriesRoute;
  /** The figures two periods are compared by, in order. */
  readonly compared: readonly string[];
  /** What the third chart is of: fees, or for accounts what the banks took. */
  readonly earned: "fees" | "charges";
  /** What the second chart is called: whose closing balances it is of. */
  readonly closing: "report.chart.closing" | "report.chart.closing-groups";
}

/** What every row of a report has. */
export interface ReportRow {
  readonly uuid: string;
  readonly version: number;
  readonly day: string;
  readonly days: number;
  readonly state: string;
  readonly code?: string | null;
  readonly owner?: { readonly uuid: string; readonly code: string; readonly name: string } | null;
}

/** The days a row is of. */
export const daysOfRow = ({ day, days }: Pick<ReportRow, "day" | "days">): Days => ({ from: day, to: addDays(day, days - 1) });

/** The figure whose entries a column's cell is made of: how many are made of the same as how much; null: it is a balance, or no figure. */
export function figureOf(column: string | null): ReportFigure | null {
  const name = column?.replace(/_n$/, "");
  return reportFigures.find((figure) => figure === name) ?? null;
}

/** What the chart above a report's rows is of. */
export const charts = ["course", "closing", "fees"] as const;
export type ChartName = (typeof charts)[number];
