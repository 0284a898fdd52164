import type { Permission } from "./permissions.ts";

/** Whoever decides has a shift to hand over. */
export const shiftRights = [
  "pas.transaction.withdrawals.process",
  "pas.transaction.deposits.process",
] as const satisfies readonly Permission[];

/** Whoever sees what is decided sees what others left. */
export const handOverRights = [
  "pas.transaction.withdrawals.view",
  "pas.transaction.deposits.view",
] as const satisfies readonly Permission[];
