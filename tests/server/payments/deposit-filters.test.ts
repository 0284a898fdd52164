import { expect, test } from "vitest";
import { DepositQuery } from "../../../src/contract/deposits.ts";
import { depositHandlers as act } from "../../../src/server/payments/deposits.ts";
import { testDatabase } from "../../support/database.ts";
import { makeAccount, makeGroup, makeMerchant } from "../../support/factories.ts";
import { makeOffice } from "../../support/payments.ts";

const db = testDatabase({ pool: 8 });

test("deposits are filtered by the account credited and by their reference", async () => {
  const office = await makeOffice(db);
  const merchant = await makeMerchant(db, office.tenant);
  const [one, other] = [await makeAccount(db, office.tenant), await makeAccount(db, office.tenant)];
  await makeGroup(db, office.tenant, [one, other], [merchant]);
  const rows = [await office.deposit(merchant, { amount: "100.00" }), await office.deposit(merchant, { amount: "250.00" })];
  const place = (at: number, account: string, reference: string) =>
    db.owner.query("update transactions set payment_account_id = $2, reference_no = $3 where id = $1", [rows[at]?.id, account, reference]);
  await place(0, one.id, "R-1");
  await place(1, other.id, "R-2");
  const amounts = async (query: object) => {
    const asked = DepositQuery.parse({ view: "all", limit: "50", ...query });
    const { data } = await act.listDeposits(office.call(), { query: asked, params: undefined, body: undefined });
    return data.map(({ amount }) => amount);
  };
  expect(await amounts({ "filter[payment_account]": one.id })).toEqual(["100.00"]);
  expect(await amounts({ "filter[reference]": "R-2" })).toEqual(["250.00"]);
  expect(await amounts({ "filter[payment_account]": one.id, "filter[reference]": "R-2" })).toEqual([]);
});
