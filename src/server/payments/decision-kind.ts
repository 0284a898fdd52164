import type { ProblemCode, Refusal } from "../../contract/problems.ts";
import type { Scoped } from "../db/scope.ts";
import type { TransactionKind } from "../db/tables/kinds.ts";
import type { TenantSettings } from "../settings/settings.ts";
import type { Known, KnownTransaction, Lock, TransactionRow, Which } from "./transaction-rows.ts";
import { lostRace } from "./transition.ts";

/** The status in which a transaction waits for an operator (specification, point 3), and in which it stays when nobody holds it. */
export const waitingStatus = { deposit: "process", withdrawal: "pending" } as const satisfies Record<TransactionKind, string>;

/** The refusals both kinds have, each under a code of its own. */
type KindProblem =
  | `not-${"approved" | "claimed" | "open" | "process"}`
  | `second-${"needed" | "not-awaited" | "same-person"}`
  | "check-failed"
  | "claim-limit"
  | "claimed"
  | "confirm-needed"
  | "none-free"
  | "recall-closed";

/** Refusals of a lost race that only one kind has, or any transaction. */
type OtherProblem = "deposit.not-pending" | "deposit.not-expired" | "transaction.stale" | "transaction.already-decided";

/** What tells the claims and decisions of one kind of transaction from the other's. */
export interface DecisionKind<Row extends KnownTransaction, View, Detail = unknown> {
  readonly name: TransactionKind;
  /** Live event that names changed rows. */
  readonly event: "deposit" | "withdraw";
  find(db: Scoped, which: Omit<Which, "kind">, lock: Lock): Promise<Known<Row> | undefined>;
  /** What a claim writes beside the lease. */
  atClaim(row: Row, user: string): Partial<TransactionRow>;
  /** What the undoing of a first approval writes beside clearing it. */
  undone(row: Row): { readonly set: Partial<TransactionRow>; readonly limit?: "recount" };
  /** Runs when it was rejected. */
  atRejection?(db: Scoped, row: Row, by: string): Promise<void>;
  view(db: Scoped, row: Row, settings: TenantSettings): Promise<View>;
  detail(db: Scoped, row: Row, settings: TenantSettings): Promise<Detail>;
}

export const codeOf = ({ name }: { readonly name: TransactionKind }, problem: KindProblem): ProblemCode => `${name}.${problem}`;

/** The refusal of a lost race, with the row as the list shows it. */
export async function lost<Row extends KnownTransaction, View>(
  db: Scoped,
  kind: DecisionKind<Row, View>,
  problem: KindProblem | OtherProblem,
  { row, settings }: Known<Row>,
): Promise<Refusal> {
  return lostRace(isWhole(problem) ? problem : codeOf(kind, problem), row, await kind.view(db, row, settings));
}

const isWhole = (problem: KindProblem | OtherProblem): problem is OtherProblem => problem.includes(".");
