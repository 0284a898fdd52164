import { expect, test } from "vitest";
import { DepositQuery } from "../../../src/contract/deposits.ts";
import { depositHandlers as act } from "../../../src/server/payments/deposits.ts";
import { testDatabase } from "../../support/database.ts";
import type { Account } from "../../support/factories.ts";
import { makeAccount, makeGroup, makeMerchant } from "../../support/factories.ts";
import { makeOffice } from "../../support/payments.ts";

const db = testDatabase({ pool: 8 });

test("deposits are filtered by the account credited and by their reference", async () => {
  const office = await makeOffice(db);
  const [one, other] = [await makeAccount(db, office.tenant), await makeAccount(db, office.tenant)];
  /** A deposit credited to this account, because its merchant has no other. */
  const credited = async (account: Account, amount: string, reference: string) => {
    const merchant = await makeMerchant(db, office.tenant);
    await makeGroup(db, office.tenant, [account], [merchant]);
    const { id } = await office.deposit(merchant, { amount });
    await db.owner.query("update transactions set reference_no = $2 where id = $1", [id, reference]);
  };
  await credited(one, "100.00", "R-1");
  await credited(other, "250.00", "R-2");
  const amounts = async (query: object) => {
    const asked = DepositQuery.parse({ view: "all", limit: "50", ...query });
    const { data } = await act.listDeposits(office.call(), { query: asked, params: undefined, body: undefined });
    return data.map(({ amount }) => amount);
  };
  expect(await amounts({ "filter[payment_account]": one.id })).toEqual(["100.00"]);
  expect(await amounts({ "filter[reference]": "R-2" })).toEqual(["250.00"]);
  expect(await amounts({ "filter[payment_account]": one.id, "filter[reference]": "R-2" })).toEqual([]);
});
