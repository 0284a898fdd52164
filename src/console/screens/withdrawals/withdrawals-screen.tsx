import { DecisionScreen } from "../../transactions/decision-screen.tsx";
import { withdrawalColumns } from "./columns.ts";
import { Detail } from "./detail.tsx";
import { withdrawals } from "./withdrawals.ts";

export const Component = () => <DecisionScreen kind={withdrawals} columns={withdrawalColumns} Detail={Detail} />;
