import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { all, approveAtOnce, asMerchant, claimedWithdrawals, tally, units } from "../../support/contenders.ts";
import { makeCrew } from "../../support/crew.ts";
import { testDatabase } from "../../support/database.ts";
import { long } from "../../support/deep.ts";
import { makeAccount, makeGroup, makeRateGroup } from "../../support/factories.ts";
import type { Served } from "../../support/http.ts";
import { serve } from "../../support/http.ts";
import { makeSigningMerchant } from "../../support/merchants.ts";
import { makeOffice } from "../../support/payments.ts";

const db = testDatabase({ pool: 24, patient: true });
let served: Served;
beforeAll(async () => {
  served = await serve(db);
});
afterAll(() => served.app.close());

const scopes = ["account", "member"] as const;
/** Each has room for 63 of 64 transactions of 10.00; of the last, the first is one cent too large. */
const rules = { max_count: units, turnover: units * 10, max_amount: "10.00" } as const;
const cases = scopes.flatMap(
  (scope) => (Object.keys(rules) as (keyof typeof rules)[]).map((rule) => ({ scope, rule })), // Object.keys widens
);
const amountOf = (rule: keyof typeof rules) => (n: number) => (rule === "max_amount" && n === 0 ? "10.01" : "10.00");
/** A round is one case with its 64 contenders. */
const rounds = Array.from({ length: long({ share: 20, whole: 200 }) }, (_, n) =>
  cases.slice(n % cases.length, (n % cases.length) + 1).map((one) => ({ round: n + 1, ...one })),
).flat();

/** One account under one limit. */
async function scene(scope: (typeof scopes)[number], rule: keyof typeof rules) {
  const office = await makeOffice(db, { settings: { claim_limit: 100, recall_seconds: 0 } });
  const merchant = await makeSigningMerchant(db, office.deps, office.tenant, { wallet: "1000000" });
  const group = await makeRateGroup(db, office.tenant, { [`${scope}_window_minutes`]: 60, [`${scope}_${rule}`]: rules[rule] });
  await makeGroup(db, office.tenant, [await makeAccount(db, office.tenant, { rate_limit_group_id: group })], [merchant]);
  const made = async (statuses: readonly string[]) => {
    const { rows } = await db.owner.query<{ n: number; sum: string }>(
      "select count(*)::integer as n, coalesce(sum(amount), 0)::text as sum from transactions where tenant_id = $1 and status = any($2)",
      [office.tenant.id, statuses],
    );
    return { count: rows[0]?.n, amount: Number(rows[0]?.sum) };
  };
  return { office, merchant, made, of: scope === "member" ? { member: "BUSY" } : {} };
}

describe("64 contenders for a rate limit with room for 63", () => {
  test.each(rounds)("round $round, deposits by $rule of one $scope: 63 are made, never 64", async ({ scope, rule }) => {
    const { merchant, made, of } = await scene(scope, rule);
    const amount = amountOf(rule);
    const answers = await all((n) => asMerchant(served, merchant, "createDeposit", amount(n), of));
    expect(tally(answers)).toEqual({ 200: units, "deposit.rate-limited": 1 });
    expect(await made(["pending"])).toEqual({ count: units, amount: units * 10 });
  });

  test.each(rounds.slice(0, long({ share: cases.length, whole: 60 })))(
    "round $round, approvals of withdrawals by $rule of one $scope: 63 are paid, one stays",
    async ({ scope, rule }) => {
      const { office, merchant, made, of } = await scene(scope, rule);
      const crew = await makeCrew(db, served, office, 16);
      const amount = amountOf(rule);
      const claimed = await claimedWithdrawals(office, merchant, crew, (n) => ({ ...of, amount: amount(n) }));
      expect(await approveAtOnce(claimed)).toEqual({ 200: units, "payment-account.unfit": 1 });
      expect(await made(["approved"])).toEqual({ count: units, amount: units * 10 });
      expect((await made(["process"])).count).toBe(1);
    },
  );
});
