import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, test } from "vitest";
import type { z } from "zod";
import type { StatementLine } from "../../../src/contract/statements.ts";
import { accountTransactionRoutes as routes, merchantTransactionRoutes } from "../../../src/contract/statements.ts";
import { withdrawalHandlers } from "../../../src/server/payments/withdrawals.ts";
import { accountTransactionHandlers as act, merchantTransactionHandlers } from "../../../src/server/statements/statements.ts";
import { testDatabase } from "../../support/database.ts";
import type { Account, Merchant } from "../../support/factories.ts";
import { makeAccount, makeGroup, makeMerchant } from "../../support/factories.ts";
import { body, makeOffice } from "../../support/payments.ts";
import type { Office } from "../../support/payments.ts";

const db = testDatabase();
let office: Office;
let shop: Merchant;
let bank: Account;

type Query = z.input<typeof routes.listAccountStatementLines.query>;
const list = async (query: Query = {}) =>
  (
    await act.listAccountStatementLines(office.call(), {
      query: routes.listAccountStatementLines.query.parse({ sort: "-created_at", ...query }),
      params: undefined,
      body: undefined,
    })
  ).data;
const ofMerchants = async (query: z.input<typeof merchantTransactionRoutes.listMerchantStatementLines.query> = {}) =>
  (
    await merchantTransactionHandlers.listMerchantStatementLines(office.call(), {
      query: merchantTransactionRoutes.listMerchantStatementLines.query.parse({ sort: "-created_at", ...query }),
      params: undefined,
      body: undefined,
    })
  ).data;
const told = (lines: readonly StatementLine[]) =>
  lines.map(({ account_code, kind, amount_out, amount_in, previous_balance, balance }) =>
    [account_code, kind, amount_out === null ? `+${amount_in}` : `-${amount_out}`, previous_balance, balance].join(" "),
  );

/** A deposit through BANK-1 and a withdrawal from it, each the latter with a bank charge of 2.00, and an account nothing but an opening moved. */
beforeAll(async () => {
  office = await makeOffice(db, { settings: { recall_seconds: 0 } });
  const rates = { deposit_rate: "1.5", withdrawal_rate: "1" };
  shop = await makeMerchant(db, office.tenant, { code: "SHOP", name: "Harbour Shop", wallet: "1000", ...rates });
  const charges = { charges_type: "fixed", charges_value: "2" };
  bank = await makeAccount(db, office.tenant, { code: "BANK-1", balance: "5000", ...charges });
  await makeAccount(db, office.tenant, { code: "SPARE-1", balance: "700" });
  await makeGroup(db, office.tenant, [bank], [shop]);
  await office.credited(shop, { amount: "400.00", merchant_txn_no: "N-deposit" });
  const paid = await office.claimed(shop, { amount: "100.00", merchant_txn_no: "N-payout", customer_name: "Nurul Aina" });
  const ref = { uuid: paid.uuid, version: paid.version, confirmed: { amount: paid.amount, holder: paid.holder } };
  await withdrawalHandlers.approveWithdrawals(office.call(), body({ rows: [ref] }));
  await db.owner.query("update transactions set reference_no = 'MBB77001', remark = 'Paid by the night shift' where id = $1", [paid.uuid]);
});

const lines = [
  "BANK-1 withdrawal -102.00 5400.00 5298.00",
  "BANK-1 deposit +400.00 5000.00 5400.00",
  "SPARE-1 opening +700.00 0.00 700.00",
  "BANK-1 opening +5000.00 0.00 5000.00",
];

describe("a payment account's statement", () => {
  test("has what really moved its balance: final amounts, and none of the holds", async () => {
    expect(told(await list())).toEqual(lines);
  });

  test("tells of a line all that is known of its transaction", async () => {
    const [payout] = await list({ "filter[kind]": "withdrawal" });
    expect(payout).toMatchObject({
      source: "api",
      account_uuid: bank.id,
      account_bank: "Maybank",
      merchant_uuid: shop.id,
      merchant_code: "SHOP",
      merchant_name: "Harbour Shop",
      customer_name: "Nurul Aina",
      transaction: { kind: "withdrawal" },
      status: "approved",
      merchant_txn_no: "N-payout",
      reference_no: "MBB77001",
      amount: "100.00",
      fee: "1.00",
      charges: "2.00",
      charges_type: "fixed",
      final_amount: "102.00",
      merchant_receive: null,
      requested_by: shop.name,
      processed_by: "Ann Lim",
      approved_by: "Ann Lim",
      rejected_at: null,
      last_action_by: "Ann Lim",
      remark: "Paid by the night shift",
      has_receipt: false,
      by: "Ann Lim",
    });
    for (const at of ["payment_date", "requested_at", "processed_at", "approved_at", "last_action_at"] as const)
      expect(payout?.[at], at).toMatch(/Z$/);
    const [deposit] = await list({ "filter[kind]": "deposit" });
    expect(deposit).toMatchObject({ amount: "400.00", fee: "6.00", final_amount: "400.00", merchant_receive: "394.00" });
  });

  test("is read line by line as the list has it, and a wallet's line is none of it", async () => {
    const read = (uuid: string) => act.readAccountStatementLine(office.call(), { params: { uuid }, query: undefined, body: undefined });
    for (const row of await list()) expect((await read(row.uuid)).data).toEqual({ row });
    const [held] = await ofMerchants({ "filter[kind]": "withdrawal.hold" });
    await expect(read(held?.uuid ?? "")).rejects.toMatchObject({ code: "not-found" });
    await expect(read(randomUUID())).rejects.toMatchObject({ code: "not-found" });
  });
});

describe("it is filtered", () => {
  const [payout, deposit, spare, own] = lines;
  test.each<[string, Query, readonly (string | undefined)[]]>([
    ["by account, in any case", { "filter[account_code]": "spare-1" }, [spare]],
    ["by merchant", { "filter[merchant_code]": "shop" }, [payout, deposit]],
    ["by a merchant it never saw", { "filter[merchant_code]": "HALL" }, []],
    ["by accounts", { "filter[account_code]": "spare-1,Bank-1" }, lines],
    ["by no such account", { "filter[account_code]": "!spare-1,HALL" }, [payout, deposit, own]],
    ["by no such merchant", { "filter[merchant_code]": "!shop" }, [spare, own]],
    ["by customers", { "filter[customer_name]": "nurul,Tan" }, [payout, deposit]],
    ["by no such customer", { "filter[customer_name]": "!nurul" }, [deposit, spare, own]],
    ["by the merchant's numbers", { "filter[merchant_txn_no]": "N-deposit,N-payout" }, [payout, deposit]],
    ["by no such number of the merchant", { "filter[merchant_txn_no]": "!N-deposit" }, [payout, spare, own]],
    ["by no such reference", { "filter[reference_no]": "!mbb77001" }, [deposit, spare, own]],
    ["by type", { "filter[kind]": "deposit,withdrawal" }, [payout, deposit]],
    ["by a rare type", { "filter[kind]": "opening" }, [spare, own]],
    ["by source", { "filter[source]": "api" }, [payout, deposit]],
    ["by the beginning of a customer's name", { "filter[customer_name]": "nurul" }, [payout]],
    ["by the merchant's number", { "filter[merchant_txn_no]": "N-deposit" }, [deposit]],
    ["by reference, in any case", { "filter[reference_no]": "mbb77001" }, [payout]],
    ["by the transaction's amount", { "filter[amount_from]": "100", "filter[amount_to]": "399.99" }, [payout]],
    ["by what came in", { "filter[amount_in_from]": "400", "filter[amount_in_to]": "700" }, [deposit, spare]],
    ["by what went out", { "filter[amount_out_from]": "102" }, [payout]],
    ["by several at once", { "filter[kind]": "withdrawal", "filter[customer_name]": "Tan" }, []],
    ["by a text that is an account's code", { q: "SPARE" }, [spare]],
    ["by a text that is a customer's name", { q: "aina" }, [payout]],
    ["by a text that fits nothing", { q: "zzzz" }, []],
  ])("%s", async (_, query, expected) => {
    expect(told(await list(query))).toEqual(expected);
  });

  test("by the transaction's own number, and the line's uuid", async () => {
    const [line] = await list({ "filter[kind]": "withdrawal" });
    expect(told(await list({ "filter[txn_no]": line?.txn_no?.toLowerCase() ?? "" }))).toEqual([payout]);
    expect(told(await list({ "filter[txn_no]": `!${line?.txn_no}` }))).toEqual([deposit, spare, own]);
    expect(told(await list({ "filter[uuid]": line?.uuid ?? "" }))).toEqual([payout]);
  });

  test("the merchant's side by the account that took or paid", async () => {
    const kinds = (await ofMerchants({ "filter[account_code]": "bank-1" })).map(({ kind, account_code }) => `${kind} ${account_code}`);
    expect(kinds).toEqual(["withdrawal.hold BANK-1", "deposit BANK-1"]);
  });
});
