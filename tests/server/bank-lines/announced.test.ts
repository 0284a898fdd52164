import { beforeEach, expect, test } from "vitest";
import { judgeArrived } from "../../../src/server/bank-lines/auto-match.ts";
import { bankTransactionHandlers as act } from "../../../src/server/bank-lines/bank-lines.ts";
import { runImports } from "../../../src/server/bank-lines/import-slices.ts";
import type { LineRow } from "../../../src/server/bank-lines/line-rows.ts";
import { stage, start, statementText } from "../../support/bank-imports.ts";
import { aLine, bookLine, lineNow, lineOf } from "../../support/bank-lines.ts";
import { testDatabase } from "../../support/database.ts";
import { makeAccount, makeGroup, makeMerchant } from "../../support/factories.ts";
import type { Account, Merchant } from "../../support/factories.ts";
import { body, makeOffice, only } from "../../support/payments.ts";
import type { Office } from "../../support/payments.ts";

const db = testDatabase();
let office: Office;
let account: Account;
let shop: Merchant;

beforeEach(async () => {
  office = await makeOffice(db, { settings: { auto_match: true, recall_seconds: 0 } });
  account = await makeAccount(db, office.tenant);
  shop = await makeMerchant(db, office.tenant, { wallet: "1000" });
  await makeGroup(db, office.tenant, [account], [shop]);
});

/** The lines that are announced while this happens. */
async function heard(work: () => Promise<unknown>): Promise<string[]> {
  const before = office.announced.length;
  await work();
  return office.announced.slice(before).flatMap(({ event, uuids }) => (event === "bankLine" ? uuids : []));
}

const rowsOf = async ({ id }: LineRow) => ({ rows: [{ uuid: id, version: (await lineNow(office, id)).version }] });

test("whoever looks at bank lines is told of each act on one, and not of what was refused", async () => {
  const deposit = await office.deposit(shop);
  const line = await bookLine(office, account.id, lineOf(deposit));
  const transactions = [{ uuid: deposit.id, version: deposit.version }];
  const matching = async () => ({ rows: [{ ...only({ data: { outcomes: (await rowsOf(line)).rows } }), transactions }] });
  expect(await heard(async () => act.matchBankLines(office.call(), body(await matching())))).toEqual([line.id]);
  expect(
    await heard(async () => act.ignoreBankLines(office.call(), body({ ...(await rowsOf(line)), ignore_as: "fee", reason: "" }))),
  ).toEqual([]);
  expect(await heard(async () => act.unmatchBankLines(office.call(), body({ ...(await rowsOf(line)), reason: "wrong" })))).toEqual([
    line.id,
  ]);
  expect(
    await heard(async () => act.ignoreBankLines(office.call(), body({ ...(await rowsOf(line)), ignore_as: "fee", reason: "" }))),
  ).toEqual([line.id]);
  expect(await heard(async () => act.takeBackBankLines(office.call(), body(await rowsOf(line))))).toEqual([line.id]);
});

test("and of what arrives, is matched automatically, or is taken by a rule", async () => {
  const file = await stage(office.call(), account.id, statementText(3));
  await start(office.call(), file);
  expect(await heard(() => runImports(office.deps))).toHaveLength(3);
  const written = { payment_account: account.id, time: new Date().toISOString(), direction: "credit" as const, amount: "7.00" };
  const texts = { reference: "", counterparty: "", counterparty_account: "", description: "CDM DEP" };
  expect(await heard(() => act.createBankLine(office.call(), body({ ...written, ...texts })))).toHaveLength(1);

  const own = await bookLine(office, account.id, lineOf(await office.deposit(shop)));
  const rule = { contains: "CHARGE", from: "", direction: "both", amount_from: "", amount_to: "", ignore_as: "fee" } as const;
  await act.saveBankRules(office.call(), body({ version: 0, rules: [rule] }));
  const fee = await bookLine(office, account.id, aLine({ direction: "debit", amount: "15.00", description: "CHARGE" }));
  expect((await heard(() => judgeArrived(office.deps, office.tenant.id, 100))).toSorted()).toEqual([own.id, fee.id].toSorted());

  const late = await bookLine(office, account.id, aLine({ direction: "debit", amount: "16.00", description: "CHARGE" }));
  expect(await heard(() => act.applyBankRules(office.call(), body({ version: 1 })))).toEqual([late.id]);
});
