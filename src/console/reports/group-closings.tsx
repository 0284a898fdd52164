import type { CashFlowDetail } from "../../contract/reports.ts";
import { useText } from "../kit/texts/texts.ts";
import { Closings } from "./closings.tsx";

/** What each payment group's accounts closed a row's last day with. */
export function GroupClosings({ detail: { groups } }: { readonly detail: CashFlowDetail }) {
  const t = useText();
  return <Closings closings={groups} others={null} title={t("report.section.groups")} />;
}
