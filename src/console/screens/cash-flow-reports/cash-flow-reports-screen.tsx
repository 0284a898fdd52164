import { cashFlowRoutes as routes } from "../../../contract/reports.ts";
import type { Report } from "../../reports/report.ts";
import { ReportScreen } from "../../reports/report-screen.tsx";
import { cashFlowDays } from "./cash-flow-reports-entity.ts";

const report: Report = {
  entity: cashFlowDays,
  summary: routes.summarizeCashFlow,
  entries: routes.listCashFlowEntries,
  compared: ["deposits", "withdrawals", "settlements", "charges", "adjustments", "net", "fees", "closing"],
  earned: "fees",
  closing: "report.chart.closing-groups",
};

/** What came in and went out, day by day. */
export function Component() {
  return <ReportScreen report={report} />;
}
