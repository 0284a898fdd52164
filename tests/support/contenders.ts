import { randomUUID } from "node:crypto";
import type { Operator } from "./crew.ts";
import type { Merchant } from "./factories.ts";
import type { Served } from "./http.ts";
import { ask } from "./http.ts";
import type { SigningMerchant } from "./merchants.ts";
import type { Office } from "./payments.ts";
import type { RowRef } from "../../src/contract/wire.ts";

/** 64 contenders for room for 63. */
export const contenders = 64;
export const units = contenders - 1;

export interface ContenderAnswer {
  readonly status: number;
  readonly code: string;
}

/** One customer's request, by a merchant over HTTP; another customer each time unless told. */
export async function asMerchant(
  served: Served,
  merchant: SigningMerchant,
  path: "createDeposit" | "createWithdrawal",
  amount: string,
  more: object = {},
): Promise<ContenderAnswer> {
  const number = randomUUID();
  const answer = await ask(served, path, {
    signedBy: merchant,
    currency: merchant.currency,
    body: {
      merchant_txn_no: number,
      amount,
      currency: merchant.currency,
      method: "bank_transfer",
      member: number,
      customer_name: "Tan Wei Ming",
      ...(path === "createWithdrawal" && { bank: "Maybank", account_number: "1234567890", holder: "TAN WEI MING" }),
      ...more,
    },
  });
  return { status: answer.status, code: answer.code ?? "" };
}

/** Answer → how often it came. */
export function tally(answers: readonly ContenderAnswer[]): Record<string, number> {
  const counted: Record<string, number> = {};
  for (const { status, code } of answers) counted[code || String(status)] = (counted[code || String(status)] ?? 0) + 1;
  return counted;
}

export const all = <T>(work: (n: number) => Promise<T>): Promise<T[]> => Promise.all(Array.from({ length: contenders }, (_, n) => work(n)));

export interface ClaimedBy {
  readonly operator: Operator;
  readonly row: RowRef;
}

/** A withdrawal for each contender, each claimed by one of the crew. */
export const claimedWithdrawals = (
  office: Office,
  merchant: Merchant,
  crew: readonly Operator[],
  request: (n: number) => Parameters<Office["withdraw"]>[1],
): Promise<ClaimedBy[]> =>
  all(async (n) => {
    const operator = crew[n % crew.length];
    if (!operator) throw new Error("there is a crew");
    const { id: uuid, version } = await office.withdraw(merchant, { account_number: `${90_000_000 + n}`, member: `M${n}`, ...request(n) });
    const { row } = await operator.act("claim", { uuid, version });
    if (!row) throw new Error("a free one is claimed");
    return { operator, row };
  });

/** Approves all at once; answers how each was answered. */
export async function approveAtOnce(claimed: readonly ClaimedBy[]): Promise<Record<string, number>> {
  const answers = await Promise.all(claimed.map(({ operator, row }) => operator.act("approve", row)));
  return tally(answers.map(({ status, done, code }) => ({ status, code: done ? "" : code })));
}
