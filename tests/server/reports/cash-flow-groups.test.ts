import { expect, test } from "vitest";
import type { CashFlowDetail } from "../../../src/contract/reports.ts";
import { cashFlowRoutes } from "../../../src/contract/reports.ts";
import { cashFlowHandlers } from "../../../src/server/reports/reports.ts";
import { money, moneyText } from "../../../src/values/money.ts";
import { testDatabase } from "../../support/database.ts";
import { makeAccount, makeGroup, makeMerchant } from "../../support/factories.ts";
import type { Office } from "../../support/payments.ts";
import { makeOffice } from "../../support/payments.ts";

const db = testDatabase();
const none = { params: undefined, query: undefined, body: undefined };

/** The rows of the cash flow by a cut, each with what is told of it alone. */
async function details(office: Office, by: "day" | "week"): Promise<CashFlowDetail[]> {
  const query = cashFlowRoutes.listCashFlowDays.query.parse({ "filter[by]": by });
  const { data } = await cashFlowHandlers.listCashFlowDays(office.call(), { ...none, query });
  return Promise.all(
    data.map(async ({ uuid }) => (await cashFlowHandlers.readCashFlowDay(office.call(), { ...none, params: { uuid } })).data),
  );
}

const nameOf = async (group: string): Promise<string> =>
  (await db.owner.query<{ name: string }>("select name from payment_groups where id = $1", [group])).rows[0]?.name ?? "";

test("a cash flow tells its closing by payment group: what is in several counts once, under all of them, and what is in none is told, too", async () => {
  const office = await makeOffice(db);
  const [one, shared, alone] = [
    await makeAccount(db, office.tenant, { balance: "100" }),
    await makeAccount(db, office.tenant, { balance: "70" }),
    await makeAccount(db, office.tenant, { balance: "30" }),
  ];
  const merchant = await makeMerchant(db, office.tenant, { wallet: "0" });
  const [first, second] = [
    await nameOf(await makeGroup(db, office.tenant, [one, shared], [merchant])),
    await nameOf(await makeGroup(db, office.tenant, [shared], [])),
  ];
  // another tenant's groups and accounts
  const other = await makeOffice(db);
  await makeGroup(db, other.tenant, [await makeAccount(db, other.tenant, { balance: "999" })], []);

  const both = [first, second].toSorted().join(" + ");
  const told = [
    { code: first, name: one.code, closing: "100.00" },
    { code: both, name: shared.code, closing: "70.00" },
    { code: null, name: alone.code, closing: "30.00" },
  ];
  for (const by of ["day", "week"] as const) {
    const [newest] = await details(office, by); // oxlint-disable-line no-await-in-loop -- a database of their own
    expect(newest?.groups).toEqual(told);
    expect(moneyText((newest?.groups ?? []).reduce((all, { closing }) => all + money(closing), 0n))).toBe(newest?.row.closing);
  }
  const day = (await details(office, "day"))[0]?.row.day ?? "";
  const { data } = await cashFlowHandlers.summarizeCashFlow(office.call(), { ...none, query: { from: day, to: day } });
  expect([data.closings, data.others]).toEqual([told, null]);

  const before = new Date(Date.parse(day) - 86_400_000).toISOString().slice(0, 10);
  const { data: earlier } = await cashFlowHandlers.summarizeCashFlow(office.call(), { ...none, query: { from: before, to: before } });
  expect(earlier.closings).toEqual([]);
});

test("accounts of one group are told together, with what moved them", async () => {
  const office = await makeOffice(db);
  const accounts = [await makeAccount(db, office.tenant, { balance: "100" }), await makeAccount(db, office.tenant, { balance: "50" })];
  const merchant = await makeMerchant(db, office.tenant, { wallet: "0" });
  const group = await nameOf(await makeGroup(db, office.tenant, accounts, [merchant]));
  await office.credited(merchant, { amount: "25" });
  const [today] = await details(office, "day");
  const codes = accounts
    .map(({ code }) => code)
    .toSorted()
    .join(", ");
  expect(today?.groups).toEqual([{ code: group, name: codes, closing: "175.00" }]);
});
