import { DecisionScreen } from "../../transactions/decision-screen.tsx";
import { depositColumns } from "./columns.ts";
import { deposits } from "./deposits.ts";
import { Detail } from "./detail.tsx";
import { NewDeposit } from "./new-deposit.tsx";
import "./deposits.css";

export function Component() {
  return <DecisionScreen kind={deposits} columns={depositColumns} Detail={Detail} Create={NewDeposit} />;
}
