import { merchantDayRoutes as routes } from "../../../contract/reports.ts";
import type { Report } from "../../reports/report.ts";
import { ReportScreen } from "../../reports/report-screen.tsx";
import { merchantDays } from "./merchant-daily-reports-entity.ts";

const report: Report = {
  entity: merchantDays,
  summary: routes.summarizeMerchantDays,
  entries: routes.listMerchantDayEntries,
  compared: ["deposits", "withdrawals", "settlements", "adjustments", "fees", "closing"],
  earned: "fees",
  closing: "report.chart.closing",
};

/** Each merchant, day by day. */
export function Component() {
  return <ReportScreen report={report} />;
}
