import { accountDayRoutes as routes } from "../../../contract/reports.ts";
import type { Report } from "../../reports/report.ts";
import { ReportScreen } from "../../reports/report-screen.tsx";
import { accountDays } from "./payment-account-daily-reports-entity.ts";

const report: Report = {
  entity: accountDays,
  summary: routes.summarizeAccountDays,
  entries: routes.listAccountDayEntries,
  compared: ["deposits", "withdrawals", "net", "settlements", "charges", "adjustments", "closing"],
  earned: "charges",
  closing: "report.chart.closing",
};

/** Each payment account, day by day. */
export function Component() {
  return <ReportScreen report={report} />;
}
