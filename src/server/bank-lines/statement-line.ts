import { createHash } from "node:crypto";
import { plainNumber } from "../../contract/wire.ts";
import { money, moneyText } from "../../values/money.ts";

/** One line of a bank's statement, as it was read. */
export interface StatementLine {
  readonly time: Date;
  readonly direction: "credit" | "debit";
  readonly amount: string;
  readonly reference: string | null;
  readonly counterparty: string | null;
  readonly counterparty_account: string | null;
  readonly description: string;
  /** The bank's running balance after the line. */
  readonly balance: string | null;
}

/** A line and what makes it known: two equal lines of one statement differ by `twin` alone. */
export interface NumberedLine {
  readonly line: StatementLine;
  readonly digest: Buffer;
  readonly twin: number;
}

/** How often each line came so far in one statement. */
export type Twins = Map<string, number>;

/**
 * Numbers the equal lines of one statement. A statement that is added in slices keeps one `twins` for all of them, from its first line on,
 * so that the same file numbers its lines the same way each time.
 */
export function numberLines(lines: readonly StatementLine[], twins: Twins | "none"): NumberedLine[] {
  return lines.map((line) => {
    const digest = digestOf(line);
    if (twins === "none") return { line, digest, twin: 1 };
    const key = digest.toString("base64");
    const twin = (twins.get(key) ?? 0) + 1;
    twins.set(key, twin);
    return { line, digest, twin };
  });
}

/**
 * What two imports of one line have in common: direction, amount, time, reference and counterparty; the description where both of these
 * are missing; the running balance where the bank gives it. The account stands beside it in the table's key.
 */
function digestOf({ direction, amount, time, reference, counterparty, description, balance }: StatementLine): Buffer {
  const [ref, other] = [plain(reference), plain(counterparty)];
  const parts = [
    direction,
    moneyText(money(amount)),
    time.toISOString(),
    ref,
    other,
    ref === "" && other === "" ? plain(description) : "",
    balance === null ? "" : moneyText(money(balance)),
  ];
  return createHash("sha256").update(JSON.stringify(parts)).digest();
}

/** Without the blanks and cases in which one bank's exports differ. */
const plain = (text: string | null): string => (text ?? "").normalize("NFKC").replaceAll(/\s+/gu, " ").trim().toLowerCase();

/** A counterparty's account without blanks and hyphens; null: none. */
export const plainAccount = (account: string | null): string | null => plainNumber(account ?? "") || null;
