import type { Permission } from "../../../contract/permissions.ts";

/** Whose statement, and of which time: instants, the end excluded. */
export interface StatementWindow {
  readonly code: string;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

/** What a statement does for its commands. */
export interface StatementDesk {
  /** The right to see it. */
  readonly view: Permission;
  /** Shows the balance of each wallet or account at any moment. */
  showBalances(): void;
  /** The filter that names whose statement it is; the field of its rows has the same name. */
  readonly own: "merchant_code" | "account_code";
  /** Shows the whole statement of one of them, as it is printed. */
  showWhole(window: StatementWindow): void;
}
