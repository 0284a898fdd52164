import type { Transaction } from "../../contract/transactions.ts";
import type { DecisionSettings } from "../../contract/decisions.ts";
import { ageOf } from "../../contract/decisions.ts";
import { isOpen } from "../../contract/transactions.ts";

/** Minutes of age from which an open row is amber, and red. */
export type Sla = DecisionSettings["sla"];

/** Class of an age: only that of a row which waits for us can alarm. */
export function ageClass(row: Transaction, now: number, sla: Sla, waits: (row: Transaction) => boolean = isOpen): string {
  if (!waits(row)) return "age";
  const minutes = ageOf(row, now) / 60_000;
  return minutes >= sla.red_minutes ? "age re" : minutes >= sla.amber_minutes ? "age am" : "age";
}
