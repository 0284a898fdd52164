import { systemActor } from "../audit/record.ts";
import type { Scoped } from "../db/scope.ts";
import { credit } from "../payments/deposit-decisions.ts";
import { judgeDeposit, loadDepositFacts } from "../payments/deposit-rows.ts";
import { findDeposit } from "../payments/transaction-rows.ts";
import type { LineScope } from "./add-lines.ts";
import type { Moved } from "./match.ts";

/**
 * Approves a deposit that a bank line proves, where the tenant turned that on, in the platform's name. What a person has claimed, would
 * have to confirm or needs a second person stays theirs, and so does what a check objects to.
 */
export async function approveOnMatch(db: Scoped, { tenant, currency }: LineScope, id: string, moved: Moved): Promise<void> {
  const known = await findDeposit(db, { tenant, uuid: id, currency }, "lock");
  if (!known?.settings.approve_on_match) return;
  const { row, settings } = known;
  if (row.status !== "process" || row.claimed_by !== null || row.first_approved_by !== null) return;
  const { account, checks, tier } = judgeDeposit(row, await loadDepositFacts(db, [row], settings));
  if (!account || tier !== 1 || checks.some(({ result }) => result === "fail")) return;
  await credit(db, row, account, settings, systemActor, moved.accounts);
}
