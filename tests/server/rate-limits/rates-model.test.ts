import fc from "fast-check";
import { expect, test } from "vitest";
import type { Refusal } from "../../../src/contract/problems.ts";
import { expireDue } from "../../../src/server/payments/lapses.ts";
import { depositHandlers as deposits } from "../../../src/server/payments/deposits.ts";
import { withdrawalHandlers as withdrawals } from "../../../src/server/payments/withdrawals.ts";
import { rateLimitGroupHandlers as groups } from "../../../src/server/rate-limits/rate-limit-groups.ts";
import { testDatabase } from "../../support/database.ts";
import { long, replayed } from "../../support/deep.ts";
import { makeAccount, makeGroup, makeMerchant, makeRateGroup } from "../../support/factories.ts";
import type { Account, Merchant } from "../../support/factories.ts";
import { body, done, makeOffice, only } from "../../support/payments.ts";
import type { Office } from "../../support/payments.ts";
import type { Item, Limits, RatesModel, Scope } from "../../support/rates-model.ts";
import { depositStops, isOpen, mayPay, scopes, usage } from "../../support/rates-model.ts";

const db = testDatabase({ pool: 8, patient: true });

interface Real {
  readonly office: Office;
  readonly merchant: Merchant;
  readonly account: Account;
  readonly group: string;
}
type Command = fc.AsyncCommand<RatesModel, Real>;

const columnsOf = (limits: Limits) =>
  Object.fromEntries(
    scopes.flatMap((scope) => {
      const { window, ...rules } = limits[scope];
      const set = Object.entries(rules).map(([rule, value]) => [`${scope}_${rule}`, window === null ? null : value]);
      return [[`${scope}_window_minutes`, window], ...set];
    }),
  ) as Record<string, number | null>;

async function compare(model: RatesModel, { office, group }: Real): Promise<void> {
  const { data } = await groups.readRateLimitUsage(office.call(), { params: { uuid: group }, query: undefined, body: undefined });
  for (const scope of scopes) {
    const rows = data[`${scope}s`].rows.map((row) => [
      `${row.name} ${row.kind}`,
      { count: row.count, open: row.open, amount: Number(row.amount) },
    ]);
    expect(Object.fromEntries(rows), `used by each ${scope}`).toEqual(usage(model, scope));
  }
}

const command = (name: string, run: (model: RatesModel, real: Real) => Promise<void>): Command => ({
  check: () => true,
  async run(model, real) {
    await run(model, real);
    await compare(model, real);
  },
  toString: () => name,
});

const versionOf = async (uuid: string): Promise<number> =>
  (await db.owner.query<{ version: number }>("select version from transactions where id = $1", [uuid])).rows[0]?.version ?? 0;
const refOf = async ({ uuid }: Item) => ({ uuid, version: await versionOf(uuid) });
const nth = (items: readonly Item[], at: number): Item | undefined => items[at % Math.max(1, items.length)];
const text = (amount: number) => `${amount}.00`;

/** A deposit the merchant asks for: made, or refused with the limit and when it gives back. */
const asked = (member: string, amount: number): Command =>
  command(`${member} asks for a deposit of ${amount}`, async (model, { office, merchant }) => {
    const [stop] = depositStops(model, member, amount);
    const made = office.deposit(merchant, { member, amount: text(amount) });
    if (stop === undefined) {
      model.items.push({ uuid: (await made).id, kind: "deposit", member, amount, status: "pending", approvedAt: null, approval: 0 });
      return;
    }
    const refused = await made.then(
      () => null,
      (refusal: Refusal) => refusal,
    );
    const { rows } = await db.owner.query<{ at: Date }>("select approved_at as at from transactions where id = $1", [
      stop.leaves?.uuid ?? null,
    ]);
    const freed = rows[0]?.at;
    expect({ code: refused?.code, ...refused?.detail }).toEqual({
      code: "deposit.rate-limited",
      scope: stop.scope,
      limit: stop.rule,
      maximum: stop.rule === "max_count" ? String(stop.maximum) : text(stop.maximum),
      window_minutes: stop.window,
      resets_at: freed === undefined ? null : new Date(freed.getTime() + stop.window * 60_000).toISOString(),
    });
  });

/** Money that has arrived counts even above the limits. */
const byHand = (member: string, amount: number): Command =>
  command(`a deposit of ${amount} by ${member} is entered by hand`, async (model, { office, merchant, account }) => {
    const form = { merchant: merchant.id, payment_account: account.id, amount: text(amount), member, customer_name: "Tan Wei Ming" };
    const { data } = await deposits.createManualDeposit(office.call(), body(form));
    model.items.push({ uuid: data.uuid, kind: "deposit", member, amount, status: "process", approvedAt: null, approval: 0 });
  });

/** A withdrawal is created whatever the limits: which account will pay it is not known. */
const withdrawn = (member: string, amount: number): Command =>
  command(`${member} asks for a withdrawal of ${amount}`, async (model, { office, merchant }) => {
    const { uuid } = await office.claimed(merchant, { member, amount: text(amount) });
    model.items.push({ uuid, kind: "withdrawal", member, amount, status: "process", approvedAt: null, approval: 0 });
  });

const approved = (at: number): Command =>
  command(`approves #${at}`, async (model, { office }) => {
    const item = nth(model.items.filter(isOpen), at);
    if (item === undefined) return;
    if (item.kind === "withdrawal") {
      const outcome = only(await withdrawals.approveWithdrawals(office.call(), body({ rows: [await refOf(item)] })));
      if (!mayPay(model, item)) return expect(outcome).toMatchObject({ problem: { code: "payment-account.unfit" } });
      expect(outcome.done).toBe(true);
    } else {
      if (item.status === "pending") await deposits.processDeposits(office.call(), body({ rows: [await refOf(item)] }));
      const confirmed = { amount: text(item.amount), payer: "Tan Wei Ming" };
      const rows = [{ ...(await refOf(item)), claim: true as const, confirmed }];
      const first = done(only(await deposits.approveDeposits(office.call(), body({ rows }))));
      // what nothing proves needs a second person
      if (first.status === "process") {
        const again = [{ ...(await refOf(item)), confirmed }];
        done(only(await deposits.secondApproveDeposits(office.call(office.ben), body({ rows: again }))));
      }
    }
    Object.assign(item, { status: "approved", approvedAt: model.now, approval: ++model.approvals });
  });

const rejected = (at: number): Command =>
  command(`rejects #${at}`, async (model, { office }) => {
    const item = nth(model.items.filter(isOpen), at);
    if (item === undefined) return;
    const given = body({ rows: [await refOf(item)], reason: { code: "duplicate" } });
    const { data } =
      item.kind === "deposit"
        ? await deposits.rejectDeposits(office.call(), given)
        : await withdrawals.rejectWithdrawals(office.call(), given);
    expect(data.outcomes[0]?.done).toBe(true);
    item.status = "rejected";
  });

/** Back among the open ones, whenever it was approved. */
const recalled = (at: number): Command =>
  command(`recalls #${at}`, async (model, { office }) => {
    const item = nth(
      model.items.filter(({ status }) => status === "approved"),
      at,
    );
    if (item === undefined) return;
    await db.owner.query("update transactions set recallable_until = now() + interval '1 hour' where id = $1", [item.uuid]);
    const given = body({ rows: [await refOf(item)] });
    const { data } =
      item.kind === "deposit"
        ? await deposits.recallDeposits(office.call(), given)
        : await withdrawals.recallWithdrawals(office.call(), given);
    expect(data.outcomes[0]?.done).toBe(true);
    Object.assign(item, { status: "process", approvedAt: null });
  });

const expired = command("what waits for its money expires", async ({ items }, { office: { tenant, deps } }) => {
  await db.owner.query("update transactions set expires_at = now() where tenant_id = $1 and status = 'pending' and kind = 'deposit'", [
    tenant.id,
  ]);
  await expireDue(deps, tenant.id, 1000);
  for (const item of items) if (item.status === "pending") item.status = "expired";
});

const reopened = (at: number): Command =>
  command(`reopens #${at}`, async ({ items }, { office }) => {
    const item = nth(
      items.filter(({ status }) => status === "expired"),
      at,
    );
    if (item === undefined) return;
    const given = body({ rows: [await refOf(item)], reason: "it came late" });
    expect(only(await deposits.reopenDeposits(office.call(), given)).done).toBe(true);
    item.status = "process";
  });

const passes = (minutes: number): Command =>
  command(`${minutes} minutes pass`, async (model, { office }) => {
    await db.owner.query(
      `update transactions set created_at = created_at - make_interval(mins => $2), approved_at = approved_at - make_interval(mins => $2)
        where tenant_id = $1`,
      [office.tenant.id, minutes],
    );
    model.now += minutes;
  });

const becomes = (limits: Limits, on: boolean): Command =>
  command(`the limits become ${JSON.stringify(limits)}${on ? "" : ", turned off"}`, async (model, { group }) => {
    const columns = columnsOf(limits);
    const set = Object.keys(columns).map((name, n) => `${name} = $${n + 3}`);
    await db.owner.query(`update rate_limit_groups set status = $2, ${set.join(", ")} where id = $1`, [
      group,
      on ? "active" : "inactive",
      ...Object.values(columns),
    ]);
    Object.assign(model, { limits, on });
  });

const member = fc.constantFrom("M1", "M2", "M3");
const amount = fc.constantFrom(100, 200, 300);
const at = fc.nat(20);
const limitsOf = fc.record({
  window: fc.option(fc.constantFrom(20, 60), { freq: 5 }),
  max_count: fc.option(fc.constantFrom(1, 2, 3, 5), { freq: 2 }),
  turnover: fc.option(fc.constantFrom(300, 500, 900), { freq: 2 }),
  max_amount: fc.option(fc.constantFrom(200, 300), { freq: 1 }),
});
const limits = fc.record<Record<Scope, typeof limitsOf extends fc.Arbitrary<infer T> ? T : never>>({ account: limitsOf, member: limitsOf });
const asks = fc.tuple(member, amount).map(([one, sum]) => asked(one, sum));
const commands: fc.Arbitrary<Command>[] = [
  asks,
  asks,
  asks,
  fc.tuple(member, amount).map(([one, sum]) => byHand(one, sum)),
  fc.tuple(member, amount).map(([one, sum]) => withdrawn(one, sum)),
  fc.tuple(member, amount).map(([one, sum]) => withdrawn(one, sum)),
  at.map(approved),
  at.map(approved),
  at.map(approved),
  at.map(rejected),
  at.map(recalled),
  fc.constant(expired),
  at.map(reopened),
  fc.constantFrom(10, 20, 40).map(passes),
  fc.tuple(limits, fc.boolean()).map(([to, on]) => becomes(to, on)),
];

test(
  "random deposits, withdrawals, decisions, hours and limits do what a small model says: each refusal names the limit and when it gives back, and the usage told is what counts",
  { timeout: 36_000_000 },
  async () => {
    const { numRuns, maxCommands } = long({ share: { numRuns: 8, maxCommands: 40 }, whole: { numRuns: 600, maxCommands: 60 } });
    const { replayPath, ...seed } = replayed();
    await fc.assert(
      fc.asyncProperty(
        fc.commands(commands, { maxCommands, size: "max", ...(replayPath !== undefined && { replayPath }) }),
        limits,
        async (sequence, first) => {
          const office = await makeOffice(db, { settings: { claim_limit: 100, recall_seconds: 60 } });
          const merchant = await makeMerchant(db, office.tenant, { wallet: "100000" });
          const group = await makeRateGroup(db, office.tenant, columnsOf(first));
          const account = await makeAccount(db, office.tenant, { code: "TILL", rate_limit_group_id: group });
          await makeGroup(db, office.tenant, [account], [merchant]);
          const real = { office, merchant, account, group };
          await fc.asyncModelRun(() => ({ model: { now: 0, approvals: 0, limits: first, on: true, items: [] }, real }), sequence);
        },
      ),
      { numRuns, ...seed },
    );
  },
);
