import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { RouteName } from "../../../src/contract/index.ts";
import { localDay } from "../../../src/server/payments/limits.ts";
import type { ContenderAnswer } from "../../support/contenders.ts";
import { all, asMerchant, contenders, units } from "../../support/contenders.ts";
import type { Operator } from "../../support/crew.ts";
import { makeCrew } from "../../support/crew.ts";
import { testDatabase } from "../../support/database.ts";
import { long } from "../../support/deep.ts";
import { makeAccount, makeGroup, makeRateGroup } from "../../support/factories.ts";
import type { Account } from "../../support/factories.ts";
import type { Served } from "../../support/http.ts";
import { serve } from "../../support/http.ts";
import type { SigningMerchant } from "../../support/merchants.ts";
import { makeSigningMerchant } from "../../support/merchants.ts";
import type { Office } from "../../support/payments.ts";
import { makeOffice } from "../../support/payments.ts";
import { makeClock } from "../../support/clock.ts";
import { adjustmentForm, settlementForm, transferForm } from "../../support/transfers.ts";

const db = testDatabase({ pool: 24, patient: true });
let served: Served;
let clock: Awaited<ReturnType<typeof makeClock>>;
beforeAll(async () => {
  clock = await makeClock(db);
  served = await serve(db);
});
afterAll(() => served.app.close());

const rights = ["pas.account.accounts.transfer", "pas.merchant.merchants.adjust-wallet", "pas.merchant.merchants.settle"];
const amount = "10.00";
const room = `${units * 10}.00`;

interface Scene {
  readonly office: Office;
  readonly crew: readonly Operator[];
  readonly merchant: SigningMerchant;
  /** The one they contend for, and one with money and room without end. */
  readonly account: Account;
  readonly other: Account;
}

async function scene(
  columns: Readonly<Record<string, unknown>> = {},
  { wallet = "1000000", rates }: { wallet?: string; rates?: Readonly<Record<string, unknown>> } = {},
): Promise<Scene> {
  const office = await makeOffice(db, { settings: { claim_limit: 100, recall_seconds: 0 } });
  const merchant = await makeSigningMerchant(db, office.deps, office.tenant, { wallet });
  const limited = rates && { rate_limit_group_id: await makeRateGroup(db, office.tenant, rates) };
  const account = await makeAccount(db, office.tenant, { ...columns, ...limited });
  await makeGroup(db, office.tenant, [account], [merchant]);
  const crew = await makeCrew(db, served, office, 8, rights);
  return { office, crew, merchant, account, other: await makeAccount(db, office.tenant) };
}

/** One attempt to take ten. `prepared`: what it needs before the contest. */
type Act = (scene: Scene, n: number) => Promise<() => Promise<ContenderAnswer>>;

const operatorOf = ({ crew }: Scene, n: number): Operator => {
  const operator = crew[n % crew.length];
  if (!operator) throw new Error("there is a crew");
  return operator;
};
const byStaff =
  (route: RouteName, bodyOf: (scene: Scene) => object): Act =>
  async (scene, n) =>
  async () => {
    const { status, code } = await operatorOf(scene, n).ask(route, bodyOf(scene));
    return { status, code: code ?? "" };
  };
const byMerchant =
  (path: "createDeposit" | "createWithdrawal"): Act =>
  async ({ merchant }) =>
  () =>
    asMerchant(served, merchant, path, amount);

const transfersOut = byStaff("createTransfer", ({ account, other }) => transferForm(account, other, amount));
const transfersIn = byStaff("createTransfer", ({ account, other }) => transferForm(other, account, amount));
const settles = byStaff("createSettlement", ({ merchant, account }) => settlementForm(merchant, account, amount));
const adjusts = byStaff("adjustWallet", ({ merchant }) => adjustmentForm(merchant, amount, { direction: "debit" }));
const approving =
  (requestOf: (n: number) => { member?: string; amount?: string }): Act =>
  async (scene, n) => {
    const { id: uuid, version } = await scene.office.withdraw(scene.merchant, {
      amount,
      account_number: `${90_000_000 + n}`,
      member: `M${n}`,
      ...requestOf(n),
    });
    return async () => {
      const { status, done, code } = await operatorOf(scene, n).act(
        "approve",
        { uuid, version },
        { claim: true, payment_account: scene.account.id },
      );
      return { status, code: done ? "" : code };
    };
  };
const approves = approving(() => ({}));

const outgoing = [approves, transfersOut, settles];
const used = async ({ office, account }: Scene, kind: "deposit" | "withdrawal", period: "day" | "month") => {
  const { rows } = await db.owner.query<{ starts: string; used: number }>(
    `select starts::text, used::float8 as used from limit_usage
      where tenant_id = $1 and payment_account_id = $2 and kind = $3 and period = $4 and used > 0 order by starts`,
    [office.tenant.id, account.id, kind, period],
  );
  return rows;
};

interface Pot {
  readonly of: string;
  readonly make: () => Promise<Scene>;
  readonly acts: readonly Act[];
  readonly refused: readonly string[];
  /** What 63 have taken of it. */
  readonly taken: (scene: Scene) => Promise<unknown>;
}

const limit = (kind: "deposit" | "withdrawal", period: "day" | "month"): Pot => {
  const column = `${kind}_${period === "day" ? "daily" : "monthly"}_limit`;
  return {
    of: column,
    make: () => scene({ [column]: room }),
    acts: kind === "deposit" ? [byMerchant("createDeposit"), transfersIn] : outgoing,
    refused: ["payment-account.over-limit", "account.none-found"],
    taken: async (at) => (await used(at, kind, period)).map((row) => row.used),
  };
};

const pots: readonly Pot[] = [
  {
    of: "a wallet",
    make: () => scene({}, { wallet: room }),
    acts: [byMerchant("createWithdrawal"), settles, adjusts],
    refused: ["merchant.insufficient-balance"],
    taken: async ({ office, merchant }) => [units * 10 - Number(await office.balance("wallet", merchant.id))],
  },
  {
    of: "a payable balance",
    make: () => scene({ balance: room }),
    acts: outgoing,
    refused: ["payment-account.insufficient"],
    async taken({ office, account }) {
      const { rows } = await db.owner.query<{ payable: number }>(
        `select account_payable(a.tenant_id, a.id, l.balance, a.hold_amount, a.reserve_amount)::float8 as payable from payment_accounts a
          join ledger_accounts l on l.tenant_id = a.tenant_id and l.id = a.ledger_account_id where a.tenant_id = $1 and a.id = $2`,
        [office.tenant.id, account.id],
      );
      return rows.map(({ payable }) => units * 10 - payable);
    },
  },
  limit("withdrawal", "day"),
  limit("withdrawal", "month"),
  limit("deposit", "day"),
  limit("deposit", "month"),
];

/** Prepares all, then starts all at once; answers how many were accepted, and as what the others were refused. */
async function contest(at: Scene, acts: readonly Act[], first = 0): Promise<{ accepted: number; refused: string[] }> {
  const start = await prepared(at, acts, first);
  return counted(await start());
}
async function prepared(at: Scene, acts: readonly Act[], first: number) {
  const attempts = await all((n) => {
    const act = acts[n % acts.length];
    if (!act) throw new Error("there are acts");
    return act(at, first + n);
  });
  return () => Promise.all(attempts.map((attempt) => attempt()));
}
const counted = (answers: readonly ContenderAnswer[]) => ({
  accepted: answers.filter(({ code }) => code === "").length,
  refused: [...new Set(answers.map(({ code }) => code).filter((code) => code !== ""))],
});

describe("64 contenders by several acts at once for room for 63", () => {
  const rounds = Array.from({ length: long({ share: 2 * pots.length, whole: 200 }) }, (_, n) =>
    pots.slice(n % pots.length, (n % pots.length) + 1).map((pot) => ({ round: n + 1, ...pot })),
  ).flat();

  test.each(rounds)("round $round, of $of: 63 are accepted, never 64", async ({ make, acts, refused, taken }) => {
    const at = await make();
    const { accepted, refused: codes } = await contest(at, acts);
    expect({ accepted, others: codes.filter((code) => !refused.includes(code)) }).toEqual({ accepted: units, others: [] });
    expect(codes).toHaveLength(1);
    // by none of the acts is anything left to take
    const late = await Promise.all(acts.map(async (act, n) => (await act(at, contenders + n))()));
    expect(late.filter(({ code }) => !refused.includes(code))).toEqual([]);
    expect(await taken(at)).toEqual([units * 10]);
  });
});

const rates = { max_count: units, turnover: room, max_amount: amount } as const;
const rateCases = (["account", "member"] as const).flatMap(
  (scope) => (Object.keys(rates) as (keyof typeof rates)[]).map((rule) => ({ scope, rule })), // Object.keys widens
);

describe("64 approvals for a rate limit with room for 63, while transfers and settlements move the same account", () => {
  const rounds = Array.from({ length: long({ share: rateCases.length, whole: 60 }) }, (_, n) =>
    rateCases.slice(n % rateCases.length, (n % rateCases.length) + 1).map((one) => ({ round: n + 1, ...one })),
  ).flat();

  test.each(rounds)(
    "round $round, by $rule of one $scope: 63 are approved, and what moves money takes none of it",
    async ({ scope, rule }) => {
      const at = await scene({}, { rates: { [`${scope}_window_minutes`]: 60, [`${scope}_${rule}`]: rates[rule] } });
      const approve = approving((n) => ({
        ...(scope === "member" && { member: "BUSY" }),
        ...(rule === "max_amount" && n === 0 && { amount: "10.01" }),
      }));
      const moves = [transfersOut, settles, transfersIn];
      const [approvals, moved] = await Promise.all([prepared(at, [approve], 0), prepared(at, moves, contenders)]);
      const [answers, others] = await Promise.all([approvals(), moved()]);
      expect(counted(answers)).toEqual({ accepted: units, refused: ["payment-account.unfit"] });
      expect(counted(others)).toEqual({ accepted: contenders, refused: [] });
    },
  );
});

describe("across the end of a period in the currency's zone", () => {
  test.each([
    { period: "day", end: "day", again: true },
    { period: "month", end: "day", again: false },
    { period: "month", end: "month", again: true },
  ] as const)("of a full $period, at the end of the $end: there is room again: $again", async ({ period, end, again }) => {
    const zone = 480;
    await clock.be(clock.beforeEnd(end, zone));
    const { make, acts } = limit("withdrawal", period);
    const at = await make();
    expect(await contest(at, acts)).toMatchObject({ accepted: units });
    const full = await used(at, "withdrawal", period);
    // some press before the end and are heard before or after it, the others press after it
    const [early, late] = [await prepared(at, acts, contenders), await prepared(at, acts, 2 * contenders)];
    const underway = early();
    await clock.be(clock.afterEnd(end, zone));
    const answers = [...(await late()), ...(await underway)];
    expect(counted(answers).accepted).toBe(again ? units : 0);
    const now = await used(at, "withdrawal", period);
    expect(now).toEqual(again ? [...full, { starts: localDay(clock.afterEnd(end, zone), zone), used: units * 10 }] : full);
  });
});
