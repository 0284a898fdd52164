import type { Transaction } from "../../../contract/transactions.ts";

/** Whether a deposit waits for us; until it is paid it waits for the customer. */
export const waitsForUs = ({ status }: Pick<Transaction, "status">): boolean => status === "process";
