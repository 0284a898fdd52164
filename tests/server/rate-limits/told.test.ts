import { expect, test, describe } from "vitest";
import { depositHandlers } from "../../../src/server/payments/deposits.ts";
import { withdrawalHandlers } from "../../../src/server/payments/withdrawals.ts";
import { rateLimitGroupHandlers as act } from "../../../src/server/rate-limits/rate-limit-groups.ts";
import { testDatabase } from "../../support/database.ts";
import { makeAccount, makeGroup, makeMerchant, makeRateGroup } from "../../support/factories.ts";
import type { Account, Merchant } from "../../support/factories.ts";
import { body, makeOffice, only } from "../../support/payments.ts";
import type { Office } from "../../support/payments.ts";
import type { Refusal } from "../../../src/contract/problems.ts";

const db = testDatabase();

interface Scene {
  readonly office: Office;
  readonly merchant: Merchant;
  readonly account: Account;
  readonly group: string;
}

/** With one account under these limits. */
async function scene(limits: Readonly<Record<string, unknown>>): Promise<Scene> {
  const office = await makeOffice(db, { settings: { claim_limit: 100, recall_seconds: 0 } });
  const merchant = await makeMerchant(db, office.tenant, { wallet: "100000", name: "Night Market" });
  const group = await makeRateGroup(db, office.tenant, limits);
  const account = await makeAccount(db, office.tenant, { code: "TILL", holder: "House Sdn Bhd", rate_limit_group_id: group });
  await makeGroup(db, office.tenant, [account], [merchant]);
  return { office, merchant, account, group };
}

/** Deposits that were credited so many minutes ago. */
async function creditedAgo({ office, merchant }: Scene, minutes: readonly number[], amount = "100.00", member = "M1"): Promise<Date[]> {
  const times = [];
  for (const ago of minutes) {
    // oxlint-disable-next-line no-await-in-loop -- one after the other, as they are approved
    const { uuid } = await office.credited(merchant, { amount, member });
    // oxlint-disable-next-line no-await-in-loop -- as above
    const { rows } = await db.owner.query<{ approved_at: Date }>(
      `update transactions set created_at = created_at - make_interval(mins => $2), approved_at = approved_at - make_interval(mins => $2)
        where id = $1 returning approved_at`,
      [uuid, ago],
    );
    times.push(rows[0]?.approved_at ?? new Date(Number.NaN));
  }
  return times;
}

/** Why a deposit is refused; null: it is made. */
const refusal = ({ office, merchant }: Scene, amount = "100.00", member = "M1") =>
  office.deposit(merchant, { amount, member }).then(
    () => null,
    ({ code, detail }: Refusal) => ({ code, detail }),
  );
const later = (at: Date | undefined, minutes: number) => new Date((at?.getTime() ?? Number.NaN) + minutes * 60_000).toISOString();
const reject = async ({ office }: Scene, { id: uuid, version }: { id: string; version: number }) => {
  const rows = [{ uuid, version }];
  const outcome = only(await depositHandlers.rejectDeposits(office.call(), body({ rows, reason: { code: "duplicate" } })));
  if (!outcome.done) throw new Error(outcome.problem.code);
};

const scopes = ["account", "member"] as const;

describe.each(scopes)("a merchant whose deposit a limit of one %s refuses is told", (scope) => {
  const limits = (rules: object) => ({
    [`${scope}_window_minutes`]: 60,
    ...Object.fromEntries(Object.entries(rules).map(([rule, value]) => [`${scope}_${rule}`, value])),
  });

  test("that so many are allowed in so many minutes, and when the oldest leaves them: from then on one more is made", async () => {
    const at = await scene(limits({ max_count: 3 }));
    const times = await creditedAgo(at, [50, 30, 10]);
    expect(await refusal(at)).toEqual({
      code: "deposit.rate-limited",
      detail: { scope, limit: "max_count", maximum: "3", window_minutes: 60, resets_at: later(times[0], 60) },
    });
    await db.owner.query("update transactions set approved_at = approved_at - interval '10 minutes' where tenant_id = $1", [
      at.office.tenant.id,
    ]);
    expect(await refusal(at)).toBeNull();
  });

  test("what they may come to, and when enough of it has left", async () => {
    const at = await scene(limits({ turnover: "350" }));
    const times = await creditedAgo(at, [50, 30, 10]);
    expect(await refusal(at, "50.00")).toBeNull();
    // of 350 allowed 350 are used: for 150 the two oldest must go
    expect(await refusal(at, "150.00")).toEqual({
      code: "deposit.rate-limited",
      detail: { scope, limit: "turnover", maximum: "350.00", window_minutes: 60, resets_at: later(times[1], 60) },
    });
  });

  test("how much one may be, which no time changes", async () => {
    const at = await scene(limits({ max_amount: "500", max_count: 1 }));
    expect(await refusal(at, "500.01")).toEqual({
      code: "deposit.rate-limited",
      detail: { scope, limit: "max_amount", maximum: "500.00", window_minutes: 60, resets_at: null },
    });
    expect(await refusal(at, "500.00")).toBeNull();
  });

  test("of no time while open ones alone use it up, which a rejection gives back at once", async () => {
    const at = await scene(limits({ max_count: 2 }));
    const first = await at.office.deposit(at.merchant, {});
    await at.office.deposit(at.merchant, {});
    expect(await refusal(at)).toMatchObject({ detail: { limit: "max_count", resets_at: null } });
    await reject(at, first);
    expect(await refusal(at)).toBeNull();
  });

  test("nothing of a group that is turned off: it refuses nothing", async () => {
    const at = await scene({ ...limits({ max_count: 1, max_amount: "100" }), status: "inactive" });
    await at.office.deposit(at.merchant, {});
    expect(await refusal(at, "900.00")).toBeNull();
  });
});

test("of several accounts the merchant is told the one that is free again first, and of its limits the one that stands longest", async () => {
  const at = await scene({ account_window_minutes: 60, account_max_count: 1, member_window_minutes: 240, member_max_count: 1 });
  const [time] = await creditedAgo(at, [5]);
  expect(await refusal(at)).toMatchObject({ detail: { scope: "member", resets_at: later(time, 240) } });
  expect(await refusal(at, "100.00", "M2")).toMatchObject({ detail: { scope: "account", resets_at: later(time, 60) } });
  const quick = await makeRateGroup(db, at.office.tenant, { account_window_minutes: 30, account_max_count: 1 });
  const other = await makeAccount(db, at.office.tenant, { rate_limit_group_id: quick });
  await makeGroup(db, at.office.tenant, [other], [at.merchant]);
  const [second] = await creditedAgo(at, [5], "100.00", "M3");
  expect(await refusal(at, "100.00", "M2")).toMatchObject({
    detail: { scope: "account", window_minutes: 30, resets_at: later(second, 30) },
  });
});

test("where something else stands in the way of every account, no limit is named", async () => {
  const at = await scene({ account_window_minutes: 60, account_max_count: 1 });
  await at.office.deposit(at.merchant, {});
  await db.owner.query("update payment_accounts set deposit_maximum = 50 where id = $1", [at.account.id]);
  expect(await refusal(at)).toMatchObject({ code: "account.none-found" });
});

describe("usage", () => {
  const read = async ({ office, group }: Scene) =>
    (await act.readRateLimitUsage(office.call(), { params: { uuid: group }, query: undefined, body: undefined })).data;

  test("there is none before anything is used, and none of a scope without a window", async () => {
    const at = await scene({ account_window_minutes: 60, account_max_count: 3 });
    expect(await read(at)).toMatchObject({ accounts: { rows: [], more: false }, members: { rows: [], more: false } });
    await at.office.deposit(at.merchant, {});
    expect((await read(at)).members.rows).toEqual([]);
  });

  test("of an account: what is used, what is left and when the oldest gives its part back, deposits and withdrawals by themselves", async () => {
    const at = await scene({ account_window_minutes: 60, account_max_count: 4, account_turnover: "1000" });
    const [time] = await creditedAgo(at, [50, 20]);
    await at.office.deposit(at.merchant, { amount: "250.00" });
    const withdrawn = await at.office.claimed(at.merchant, { amount: "40.00" });
    only(
      await withdrawalHandlers.approveWithdrawals(at.office.call(), body({ rows: [{ uuid: withdrawn.uuid, version: withdrawn.version }] })),
    );
    const { rows } = (await read(at)).accounts;
    expect(rows).toMatchObject([
      { kind: "withdrawal", name: "TILL", of: "House Sdn Bhd", count: 1, open: 0, amount: "40.00", left_count: 3, left_amount: "960.00" },
      {
        uuid: at.account.id,
        kind: "deposit",
        count: 3,
        open: 1,
        amount: "450.00",
        left_count: 1,
        left_amount: "550.00",
        reached: false,
        resets_at: later(time, 60),
      },
    ]);
  });

  test("of customers: each counts all that is theirs at the merchant, the latest first; a limit used up is told", async () => {
    const at = await scene({ member_window_minutes: 60, member_max_count: 2 });
    await creditedAgo(at, [70, 40], "100.00", "EARLY");
    const other = await makeAccount(db, at.office.tenant, { status: "inactive" });
    await makeGroup(db, at.office.tenant, [other], [at.merchant]);
    const swap = "update payment_accounts set status = case status when 'active' then 'inactive' else 'active' end where tenant_id = $1";
    await db.owner.query(swap, [at.office.tenant.id]);
    await creditedAgo(at, [30], "100.00", "LATE");
    await db.owner.query(swap, [at.office.tenant.id]);
    await creditedAgo(at, [10], "100.00", "LATE");
    expect((await read(at)).members.rows).toMatchObject([
      { name: "LATE", of: "Night Market", kind: "deposit", count: 2, left_count: 0, left_amount: null, reached: true },
      { name: "EARLY", count: 1, left_count: 1, reached: false },
    ]);
  });

  test("of rejected and expired ones is none", async () => {
    const at = await scene({ account_window_minutes: 60, member_window_minutes: 60, member_max_count: 2 });
    await reject(at, await at.office.deposit(at.merchant, {}));
    expect(await read(at)).toMatchObject({ accounts: { rows: [] }, members: { rows: [] } });
  });
});

describe("before limits are saved", () => {
  const reached = async ({ office }: Scene, query: object) =>
    (await act.readRateLimitsReached(office.call(), { query, params: undefined, body: undefined })).data;

  test("it is told how many accounts and customers they would refuse, and how many were larger than one may be", async () => {
    const at = await scene({});
    await creditedAgo(at, [40, 20], "100.00", "M1");
    await creditedAgo(at, [10], "300.00", "M2");
    expect(
      await reached(at, {
        group: at.group,
        account_window_minutes: 60,
        account_max_count: 3,
        member_window_minutes: 60,
        member_turnover: "200",
      }),
    ).toEqual({
      accounts: { count: 1, codes: ["TILL"] },
      members: 2,
      larger: 0,
    });
    expect(await reached(at, { group: at.group, account_window_minutes: 60, account_max_count: 4, account_max_amount: "250" })).toEqual({
      accounts: { count: 0, codes: [] },
      members: 0,
      larger: 1,
    });
    expect(await reached(at, { group: at.group, account_window_minutes: 15, account_max_count: 2 })).toMatchObject({
      accounts: { count: 0 },
    });
  });

  test("accounts can be named instead: those of another tenant count for nothing", async () => {
    const [at, theirs] = [await scene({}), await scene({})];
    await theirs.office.deposit(theirs.merchant, {});
    await at.office.deposit(at.merchant, {});
    const limits = { account_window_minutes: 60, account_max_count: 1 };
    expect(await reached(at, { accounts: [at.account.id], ...limits })).toMatchObject({ accounts: { count: 1 } });
    expect(await reached(at, { accounts: [theirs.account.id], ...limits })).toMatchObject({ accounts: { count: 0 } });
  });
});
