import { depositDecision } from "../../../contract/deposit-routes.ts";
import type { Deposit, DepositDetail, DepositView } from "../../../contract/deposits.ts";
import type { DecisionKind } from "../../transactions/decision-kind.ts";
import { everything, mine, secondApproval, today, workList } from "../../transactions/decision-views.ts";
import type { DecisionView } from "../../transactions/decision-views.ts";
import { depositFilters } from "./filters.ts";
import { waitsForUs } from "./waits-for-us.ts";

type View = DecisionView<Deposit> & { readonly id: DepositView };

/** Paid ones by the time they are due. */
const toDecide = { ...workList, name: "deposit.view.queue", has: waitsForUs } as const satisfies View;
const waiting = { id: "waiting", name: "deposit.view.waiting", has: ({ status }) => status === "pending" } as const satisfies View;
/** Expired ones with a bank line that fits, if the server finds one. */
const late = {
  id: "late",
  name: "deposit.view.late",
  byProof: true,
  has: ({ status }) => status === "expired",
} as const satisfies View;

/** In the order of their digits. */
export const depositViews = [toDecide, mine, waiting, late, today, secondApproval, everything] as const satisfies readonly View[];

/** What tells deposits from other transactions where people decide on them. */
export const deposits: DecisionKind<Deposit, DepositDetail> = {
  subject: "deposit",
  screen: "deposits",
  live: "deposit",
  provedBy: "bankLine",
  routes: depositDecision,
  views: depositViews,
  filters: depositFilters,
  settingsOf: (config) => config.deposits,
  own: (sentence) => `deposit.${sentence}`,
};
