import { beforeAll, describe, expect, test } from "vitest";
import type { StatementLine } from "../../../src/contract/statements.ts";
import { accountTransactionRoutes, merchantTransactionRoutes } from "../../../src/contract/statements.ts";
import type { Transfer } from "../../../src/contract/transfers.ts";
import { accountTransactionHandlers, merchantTransactionHandlers } from "../../../src/server/statements/statements.ts";
import { testDatabase } from "../../support/database.ts";
import type { Account, Merchant } from "../../support/factories.ts";
import { makeAccount, makeGroup, makeMerchant } from "../../support/factories.ts";
import { makeOffice } from "../../support/payments.ts";
import type { Office } from "../../support/payments.ts";
import { transfersBy } from "../../support/transfers.ts";

const db = testDatabase();
let office: Office;
let shop: Merchant;
let [bank, spare]: Account[] = [];
let [swept, settled, adjusted, refused]: Transfer[] = [];

const ofAccounts = async (query: Record<string, unknown> = {}) =>
  (
    await accountTransactionHandlers.listAccountStatementLines(office.call(), {
      query: accountTransactionRoutes.listAccountStatementLines.query.parse({ sort: "created_at", ...query }),
      params: undefined,
      body: undefined,
    })
  ).data;
const ofMerchants = async (query: Record<string, unknown> = {}) =>
  await merchantTransactionHandlers.listMerchantStatementLines(office.call(), {
    query: merchantTransactionRoutes.listMerchantStatementLines.query.parse({ sort: "created_at", with: "sums", ...query }),
    params: undefined,
    body: undefined,
  });
const told = (lines: readonly StatementLine[]) =>
  lines.map(({ account_code, kind, amount_out, amount_in, balance, counter_code }) =>
    [account_code, kind, amount_out === null ? `+${amount_in}` : `-${amount_out}`, balance, counter_code].join(" "),
  );
const moved = (lines: readonly StatementLine[]) =>
  lines.map(({ kind, amount_out, amount_in, fee, balance }) =>
    [kind, amount_out === null ? `+${amount_in}` : `-${amount_out}`, fee, balance].join(" "),
  );

/** A sweep from BANK-1 to SPARE-1, a settlement of SHOP paid by BANK-1, one that was refused, an adjustment, a deposit, and a sweep taken back. */
beforeAll(async () => {
  office = await makeOffice(db, { settings: { recall_seconds: 60 } });
  shop = await makeMerchant(db, office.tenant, { code: "SHOP", wallet: "1000", deposit_rate: "1", settlement_rate: "0.5" });
  bank = await makeAccount(db, office.tenant, { code: "BANK-1", balance: "5000" });
  spare = await makeAccount(db, office.tenant, { code: "SPARE-1", balance: "0", status: "active" });
  await makeGroup(db, office.tenant, [bank], [shop]);
  const [ann, ben] = [transfersBy(office), transfersBy(office, office.ben)];
  swept = await ann.approve(await ann.transfer(bank, spare, "600.00", { charges_value: "2.50", reference_no: "FT77", remark: "Top up" }));
  settled = await ann.approve(await ann.settle(shop, bank, "200.00", { charges_value: "1.50" }));
  refused = await ben.reject(await ann.settle(shop, bank, "100.00"));
  adjusted = await ann.adjust(shop, "50.00", { reference_no: "ADJ1" });
  await office.credited(shop, { amount: "100.00" });
  await ben.recall(await ann.manual(bank, spare, "30.00"));
});

const lines = [
  "BANK-1 opening +5000.00 5000.00 ",
  "BANK-1 transfer -602.50 4397.50 SPARE-1",
  "SPARE-1 transfer +600.00 600.00 BANK-1",
  "BANK-1 settlement -201.50 4196.00 ",
  "BANK-1 deposit +100.00 4296.00 ",
  "BANK-1 manual-transfer -30.00 4266.00 SPARE-1",
  "SPARE-1 manual-transfer +30.00 630.00 BANK-1",
  "BANK-1 manual-transfer.recall +30.00 4296.00 SPARE-1",
  "SPARE-1 manual-transfer.recall -30.00 600.00 BANK-1",
];

describe("what the house moves itself", () => {
  test("stands in the statements of both accounts, each naming the other, and what was never paid in neither", async () => {
    expect(told(await ofAccounts()).toSorted()).toEqual(lines.toSorted());
  });

  test("stands in the wallet's statement, where a settlement costs its fee when it is held and no longer when it is returned", async () => {
    const { data, meta } = await ofMerchants();
    expect(moved(data)).toEqual([
      "opening +1000.00  1000.00",
      "settlement.hold -201.00 1.00 799.00",
      "settlement.hold -100.50 0.50 698.50",
      "settlement.release +100.50 -0.50 799.00",
      "adjustment +50.00  849.00",
      "deposit +99.00 1.00 948.00",
    ]);
    expect(meta.sums).toMatchObject({ fee: "2.00", previous_balance: "0.00", balance: "948.00", difference: "0.00" });
  });

  test("tells all that is known of it", async () => {
    const [line] = await ofAccounts({ "filter[kind]": "transfer", "filter[account_code]": "bank-1" });
    expect(line).toMatchObject({
      source: "manual",
      transaction: { uuid: swept?.uuid, kind: "transfer" },
      txn_no: swept?.txn_no,
      status: "approved",
      reference_no: "FT77",
      amount: "600.00",
      charges: "2.50",
      charges_type: "fixed",
      charges_borne_by: "house",
      final_amount: "602.50",
      merchant_receive: null,
      merchant_code: null,
      account_uuid: bank?.id,
      counter_uuid: spare?.id,
      counter_bank: "Maybank",
      requested_by: "Ann Lim",
      approved_by: "Ann Lim",
      last_action_by: "Ann Lim",
      remark: "Top up",
      by: "Ann Lim",
      fee: null,
    });
    const [paid] = await ofAccounts({ "filter[kind]": "settlement" });
    expect(paid).toMatchObject({ merchant_code: "SHOP", fee: "1.00", transaction: { uuid: settled?.uuid }, counter_code: null });
    const [, , returned] = (await ofMerchants({ "filter[kind]": "settlement.hold,settlement.release" })).data;
    expect(returned).toMatchObject({
      transaction: { uuid: refused?.uuid },
      status: "rejected",
      rejected_by: "Ben Ooi",
      reject_reason: "Not agreed",
      account_code: "BANK-1",
    });
  });

  test("has a uuid for each of its lines, by which it is read", async () => {
    const all = await ofAccounts();
    expect(new Set(all.map(({ uuid }) => uuid)).size).toBe(lines.length);
    for (const row of all) {
      const params = { uuid: row.uuid };
      const { data } = await accountTransactionHandlers.readAccountStatementLine(office.call(), {
        params,
        query: undefined,
        body: undefined,
      });
      expect(data.row).toEqual(row);
    }
  });
});

describe("it is found", () => {
  const [, out, into, settlement, , ...taken] = lines;
  test.each<[string, Record<string, unknown>, readonly (string | undefined)[]]>([
    ["by type", { "filter[kind]": "transfer,settlement" }, [out, into, settlement]],
    ["by what is never posted for merchants", { "filter[source]": "manual" }, [out, into, settlement, ...taken]],
    ["by what merchants ask for", { "filter[source]": "api" }, ["BANK-1 deposit +100.00 4296.00 "]],
    ["by the other account", { "filter[counter_code]": "spare-1", "filter[kind]": "transfer" }, [out]],
    ["by the other account among others", { "filter[counter_code]": "BANK-1", "filter[amount_from]": "500" }, [into]],
    ["by both accounts", { "filter[counter_code]": "spare-1,BANK-1", "filter[kind]": "transfer" }, [out, into]],
    ["by no such other account", { "filter[counter_code]": "!spare-1", "filter[kind]": "transfer" }, [into]],
    ["by the merchant it is settled with", { "filter[merchant_code]": "SHOP", "filter[source]": "manual" }, [settlement]],
    ["by reference", { "filter[reference_no]": "ft77" }, [out, into]],
    ["by its amount", { "filter[amount_from]": "200", "filter[amount_to]": "200" }, [settlement]],
    ["by a customer it does not have", { "filter[customer_name]": "Harbour" }, []],
  ])("%s", async (_, query, expected) => {
    expect(told(await ofAccounts(query)).toSorted()).toEqual(expected.toSorted());
  });

  test("by its number, its last digits and a text", async () => {
    const number = swept?.txn_no ?? "";
    for (const query of [{ "filter[txn_no]": number.toLowerCase() }, { q: number }, { q: number.slice(-7) }, { q: "FT77" }])
      expect([query, told(await ofAccounts(query)).toSorted()]).toEqual([query, [out, into].toSorted()]);
    const own = (await ofMerchants({ "filter[txn_no]": adjusted?.txn_no ?? "" })).data;
    expect(moved(own)).toEqual(["adjustment +50.00  849.00"]);
    expect(moved((await ofMerchants({ "filter[account_code]": "BANK-1", "filter[source]": "manual" })).data)).toHaveLength(3);
  });
});
