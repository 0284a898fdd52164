import { describe, expect, test } from "vitest";
import type { Withdrawal } from "../../../src/contract/withdrawals.ts";
import { depositHandlers } from "../../../src/server/payments/deposits.ts";
import { withdrawalHandlers } from "../../../src/server/payments/withdrawals.ts";
import { testDatabase } from "../../support/database.ts";
import { makeAccount, makeGroup, makeMerchant, makeRateGroup } from "../../support/factories.ts";
import type { Merchant } from "../../support/factories.ts";
import { body, makeOffice, only } from "../../support/payments.ts";
import type { Office } from "../../support/payments.ts";

const db = testDatabase();

/** With one account under these limits. */
async function scene(limits: Readonly<Record<string, unknown>>): Promise<{ office: Office; merchant: Merchant }> {
  const office = await makeOffice(db, { settings: { claim_limit: 100, recall_seconds: 0 } });
  const merchant = await makeMerchant(db, office.tenant, { wallet: "100000" });
  const account = await makeAccount(db, office.tenant, { rate_limit_group_id: await makeRateGroup(db, office.tenant, limits) });
  await makeGroup(db, office.tenant, [account], [merchant]);
  return { office, merchant };
}

/** "paid", or why not. */
async function pay(office: Office, { uuid, version }: Pick<Withdrawal, "uuid" | "version">): Promise<string> {
  const outcome = only(await withdrawalHandlers.approveWithdrawals(office.call(), body({ rows: [{ uuid, version }] })));
  return outcome.done ? "paid" : outcome.problem.code;
}

const payAll = async (office: Office, rows: readonly Withdrawal[]) => {
  const answers = [];
  // oxlint-disable-next-line no-await-in-loop -- in this order
  for (const row of rows) answers.push(await pay(office, row));
  return answers;
};

const openAtOnce = async (office: Office, merchant: Merchant, amounts: readonly string[], member = "M1") => {
  const rows = [];
  // oxlint-disable-next-line no-await-in-loop -- in this order
  for (const amount of amounts) rows.push(await office.claimed(merchant, { amount, member }));
  return rows;
};

/** Lets an hour pass over what a tenant has open and has approved. */
const anHourLater = ({ tenant }: Office) =>
  db.owner.query(
    "update transactions set created_at = created_at - interval '61 minutes', approved_at = approved_at - interval '61 minutes' where tenant_id = $1",
    [tenant.id],
  );

const scopes = ["member", "account"] as const;
const threeAnHour = (scope: (typeof scopes)[number]) => ({ [`${scope}_window_minutes`]: 60, [`${scope}_max_count`]: 3 });
const fifteenHundredAnHour = (scope: (typeof scopes)[number]) => ({ [`${scope}_window_minutes`]: 60, [`${scope}_turnover`]: "1500" });

describe.each(scopes)("withdrawals under limits of one %s", (scope) => {
  test("four are open and three an hour allowed: three are paid, the fourth an hour after them", async () => {
    const { office, merchant } = await scene(threeAnHour(scope));
    const rows = await openAtOnce(office, merchant, ["500.00", "500.00", "500.00", "500.00"]);
    expect(await payAll(office, rows)).toEqual(["paid", "paid", "paid", "payment-account.unfit"]);
    await anHourLater(office);
    expect(await payAll(office, rows.slice(3))).toEqual(["paid"]);
  });

  test("four have been open for more than an hour: three are paid all the same, and the fourth waits", async () => {
    const { office, merchant } = await scene(threeAnHour(scope));
    const rows = await openAtOnce(office, merchant, ["500.00", "500.00", "500.00", "500.00"]);
    await anHourLater(office);
    expect(await payAll(office, rows)).toEqual(["paid", "paid", "paid", "payment-account.unfit"]);
  });

  test("they come to more than the turnover of an hour: what fits is paid, the rest an hour later", async () => {
    const { office, merchant } = await scene(fifteenHundredAnHour(scope));
    const rows = await openAtOnce(office, merchant, ["700.00", "800.00", "0.01"]);
    await anHourLater(office);
    expect(await payAll(office, rows)).toEqual(["paid", "paid", "payment-account.unfit"]);
    await anHourLater(office);
    expect(await payAll(office, rows.slice(2))).toEqual(["paid"]);
  });

  test("one is larger than any may be: it is refused, the others are paid", async () => {
    const { office, merchant } = await scene({ ...threeAnHour(scope), [`${scope}_max_amount`]: "900" });
    const [large, ...others] = await openAtOnce(office, merchant, ["900.01", "900.00", "1.00"]);
    expect(await payAll(office, others)).toEqual(["paid", "paid"]);
    expect(large && (await pay(office, large))).toBe("payment-account.unfit");
  });
});

test("an earlier open withdrawal keeps its place: of four the last is refused before the first is decided, and paid when one is rejected", async () => {
  const { office, merchant } = await scene(threeAnHour("member"));
  const [first, second, third, fourth] = await openAtOnce(office, merchant, ["10.00", "20.00", "30.00", "40.00"]);
  if (!first || !second || !third || !fourth) throw new Error("four are open");
  expect(await pay(office, fourth)).toBe("payment-account.unfit");
  expect(await payAll(office, [third, second])).toEqual(["paid", "paid"]);
  expect(await pay(office, fourth)).toBe("payment-account.unfit");
  const rejected = await withdrawalHandlers.rejectWithdrawals(
    office.call(),
    body({ rows: [{ uuid: first.uuid, version: first.version }], reason: { code: "duplicate" } }),
  );
  expect(only(rejected).done).toBe(true);
  expect(await pay(office, fourth)).toBe("paid");
});

describe.each(scopes)("deposits under limits of one %s", (scope) => {
  const create = async (office: Office, merchant: Merchant, amount = "500.00") =>
    office.deposit(merchant, { amount }).then(
      (row) => row,
      ({ code }: { code: string }) => code,
    );
  const approve = async (office: Office, { id: uuid, version }: { id: string; version: number }) => {
    const processed = only(await depositHandlers.processDeposits(office.call(), body({ rows: [{ uuid, version }] })));
    if (!processed.done) throw new Error(processed.problem.code);
    const { version: next, amount, customer_name: payer } = processed.row;
    const row = { uuid, version: next, claim: true as const, confirmed: { amount, payer } };
    expect(only(await depositHandlers.approveDeposits(office.call(), body({ rows: [row] }))).done).toBe(true);
  };
  const many = async (office: Office, merchant: Merchant, count: number) => {
    const made = [];
    for (let n = 0; n < count; n++) {
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      const row = await create(office, merchant);
      if (typeof row === "string") throw new Error(row);
      made.push(row);
    }
    return made;
  };

  test("three an hour allowed: while three are open there is no fourth, however long they have been", async () => {
    const { office, merchant } = await scene(threeAnHour(scope));
    await many(office, merchant, 3);
    await anHourLater(office);
    expect(await create(office, merchant)).toBe("deposit.rate-limited");
  });

  test("one that is approved late counts from then on", async () => {
    const { office, merchant } = await scene(threeAnHour(scope));
    const made = await many(office, merchant, 3);
    await anHourLater(office);
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    for (const row of made) await approve(office, row);
    expect(await create(office, merchant)).toBe("deposit.rate-limited");
    await anHourLater(office);
    expect(await create(office, merchant)).toMatchObject({ status: "pending" });
  });

  test("the turnover of an hour counts what is open and what was approved", async () => {
    const { office, merchant } = await scene(fifteenHundredAnHour(scope));
    const [first] = await many(office, merchant, 2);
    if (first) await approve(office, first);
    expect(await create(office, merchant, "500.01")).toBe("deposit.rate-limited");
    expect(await create(office, merchant, "500.00")).toMatchObject({ amount: "500.0000" });
  });
});
