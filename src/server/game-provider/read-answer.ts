import jsonpointer from "jsonpointer";
import type { CheckSettings } from "../../contract/provider-checks.ts";
import { moneyText, parseMoney } from "../../values/money.ts";
import type { Money } from "../../values/money.ts";
import { CheckFault } from "./adapter.ts";
import type { AccountCurrency, Credit } from "./adapter.ts";
import { exactJson } from "./exact-json.ts";

type Pointers = Pick<CheckSettings, "balance_pointer" | "credit_pointer" | "currency_pointer" | "success_pointer" | "success_value">;

/** Amounts from here on fit no column. */
const tooMuch = 10n ** 18n;

function parsed(text: string): unknown {
  try {
    return exactJson(text);
  } catch {
    throw new CheckFault("not-json");
  }
}

function valueAt(answer: unknown, pointer: string): unknown {
  if (pointer === "") return answer;
  if (typeof answer !== "object" || answer === null) return undefined;
  try {
    const value: unknown = jsonpointer.get(answer, pointer);
    // what every object inherits is no part of the answer
    return typeof value === "function" ? undefined : value;
  } catch {
    return undefined;
  }
}

const isLeaf = (value: unknown): value is string | boolean => typeof value === "string" || typeof value === "boolean";
const isMissing = (value: unknown): boolean => value === undefined || value === null || value === "";

/** A plain decimal, cut to the currency's decimals towards zero: what is finer cannot be spent. */
function amountAt(answer: unknown, pointer: string, minorDigits: number): Money {
  const value = valueAt(answer, pointer);
  if (isMissing(value)) throw new CheckFault("no-balance", pointer);
  const match = typeof value === "string" ? /^(-?\d{1,15})(?:\.(\d{1,40}))?$/.exec(value.trim()) : null;
  const [, whole = "", fraction = ""] = match ?? [];
  const amount = match && parseMoney(`${whole}.${fraction.slice(0, minorDigits).padEnd(4, "0")}`);
  if (amount === null || amount >= tooMuch || amount <= -tooMuch) throw new CheckFault("not-amount", pointer);
  return amount;
}

const flags: Readonly<Record<string, boolean>> = { true: true, 1: true, yes: true, y: true, false: false, 0: false, no: false, n: false };

function flagAt(answer: unknown, pointer: string): boolean {
  const value = valueAt(answer, pointer);
  if (isMissing(value)) throw new CheckFault("no-credit-flag", pointer);
  const word = isLeaf(value) ? String(value).trim().toLowerCase() : "";
  const flag = Object.hasOwn(flags, word) ? flags[word] : undefined;
  if (flag === undefined) throw new CheckFault("not-flag", pointer);
  return flag;
}

/** Reads balance and credit flag of an answer. Throws a CheckFault. */
export function readAnswer(text: string, at: Pointers, { code, minorDigits }: AccountCurrency): Credit {
  const answer = parsed(text);
  if (at.success_pointer !== "" || at.success_value !== "") {
    const value = valueAt(answer, at.success_pointer);
    if (!isLeaf(value) || String(value) !== at.success_value) {
      throw new CheckFault("refused", isLeaf(value) ? String(value) : at.success_pointer);
    }
  }
  if (at.currency_pointer !== "") {
    const value = valueAt(answer, at.currency_pointer);
    if (!isLeaf(value) || isMissing(value)) throw new CheckFault("no-currency", at.currency_pointer);
    if (String(value).trim().toUpperCase() !== code) throw new CheckFault("wrong-currency", String(value));
  }
  const amount = amountAt(answer, at.balance_pointer, minorDigits);
  return { balance: moneyText(amount), hasCredit: at.credit_pointer === "" ? amount > 0n : flagAt(answer, at.credit_pointer) };
}
