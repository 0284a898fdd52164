import { expect, test } from "vitest";
import type { BankLine, Suggestion } from "../../../src/contract/bank-transactions.ts";
import { choicesFor } from "../../../src/console/screens/bank-transactions/choices.ts";
import { moneyText } from "../../../src/values/money.ts";
import { aDeposit } from "../deposits/rows.ts";
import { aWithdrawal } from "../withdrawals/rows.ts";

const line = (amount: string) => ({ amount }) as BankLine; // what the choices read of it
const score = { total: 84, amount: 35, reference: 20, name: 14, time: 15 };

function suggestion(...uuids: string[]): Suggestion {
  const { txn_no, status, reference_no, merchant, created_at, version } = aDeposit();
  const common = { version, txn_no, status, reference_no, merchant, created_at, kind: "deposit" as const, known_payer: false, score };
  return { score, transactions: uuids.map((uuid) => ({ ...common, uuid, name: "Lau Kar Yan", amount: "1000.00" })) };
}

const told = (...given: Parameters<typeof choicesFor>) =>
  choicesFor(...given).map(({ id, difference, isMeant }) => [id, moneyText(difference), isMeant]);

test("without marks the best suggestion is meant", () => {
  expect(told(line("1000.00"), [suggestion("a"), suggestion("b")], [])).toEqual([
    ["a", "0.00", true],
    ["b", "0.00", false],
  ]);
});

test("marks that are the line's amount are meant, while they are not they only say what is missing", () => {
  const [one, two] = [aDeposit({ uuid: "x", amount: "700.00" }), aDeposit({ uuid: "y", amount: "300.00" })];
  expect(told(line("1000.00"), [suggestion("a")], [one])).toEqual([
    ["marked x", "300.00", false],
    ["a", "0.00", true],
  ]);
  expect(told(line("1000.00"), [suggestion("a")], [one, two])).toEqual([
    ["marked x,y", "0.00", true],
    ["a", "0.00", false],
  ]);
});

test("marks that are a suggestion stand once, with its score", () => {
  const [choice, ...others] = choicesFor(line("1000.00"), [suggestion("a"), suggestion("x")], [aDeposit({ uuid: "x", amount: "1000.00" })]);
  expect([choice?.score?.total, others.map(({ id }) => id)]).toEqual([84, ["a"]]);
});

test("a marked withdrawal is what the bank moved for it: with its charges where the line has them", () => {
  const paid = aWithdrawal({ uuid: "w", amount: "500.00", final_amount: "502.00" });
  expect(told(line("502.00"), [], [paid])).toEqual([["marked w", "0.00", true]]);
  expect(told(line("500.00"), [], [paid])).toEqual([["marked w", "0.00", true]]);
  expect(told(line("1002.00"), [], [paid, { ...paid, uuid: "v" }])).toEqual([["marked w,v", "2.00", false]]);
});
