import { beforeAll, describe, expect, test } from "vitest";
import { payoutRoutes } from "../../../src/contract/payouts.ts";
import type { PayoutPlan } from "../../../src/contract/payouts.ts";
import type { Call } from "../../../src/console/api/call.ts";
import { CallFailure } from "../../../src/console/api/failure.ts";
import type { Asked, Paid } from "../../../src/console/screens/withdrawals/composer-plan.ts";
import { createComposer, losesWork } from "../../../src/console/screens/withdrawals/composer-work.ts";
import { inLanguage } from "../in-language.ts";
import { aPayout, aPlan, anAccount, uuidOf } from "./plans.ts";

beforeAll(() => inLanguage("en"));

interface Request {
  readonly path: "plan" | "approve";
  readonly body: Asked & { readonly payout?: string[]; readonly confirmed?: string; readonly rows: { uuid: string; version: number }[] };
  readonly key: string | undefined;
  readonly signal: AbortSignal | undefined;
}

const accounts = [anAccount(801), anAccount(802)];
const [one, two] = [uuidOf(801), uuidOf(802)];

/** A composer before a server that answers as it is told. */
function composing(
  answers: { plan?: (sent: Request) => PayoutPlan | Promise<PayoutPlan>; approve?: (sent: Request) => unknown } = {},
  asked?: Asked,
) {
  const sent: Request[] = [];
  const told = { confirmed: true, questions: 0, settled: [] as string[], ended: 0 };
  const call = (async (route: object, { body }: { body: Request["body"] }, options?: { idempotencyKey?: string; signal?: AbortSignal }) => {
    const path = route === payoutRoutes.planPayouts ? "plan" : "approve";
    const request: Request = { path, body, key: options?.idempotencyKey, signal: options?.signal };
    sent.push(request);
    if (path === "plan") return { data: await (answers.plan?.(request) ?? aPlan([aPayout(1), aPayout(2)], accounts)) };
    const answer = answers.approve?.(request);
    if (answer instanceof Error) throw answer;
    return { data: { outcomes: answer ?? body.rows.map(({ uuid }) => ({ uuid, done: true, row: { uuid, status: "approved" } })) } };
  }) as unknown as Call; // what the composer calls
  const work = createComposer(
    {
      call,
      async confirmed() {
        told.questions += 1;
        return told.confirmed;
      },
      settled: (outcomes) => void told.settled.push(...outcomes.map(({ uuid }) => uuid)),
      ended: () => void (told.ended += 1),
    },
    asked ?? { rows: [1, 2].map((n) => ({ uuid: uuidOf(n), version: 1 })) },
  );
  const idle = async () => {
    while (work.store.getState().busy) await new Promise((resolve) => void setImmediate(resolve));
  };
  const state = () => work.store.getState();
  return { work, sent, told, idle, state, last: () => sent.at(-1) };
}

const row = (at: ReturnType<typeof composing>, n: number) => {
  const found = at.state().plan?.rows.find(({ uuid }) => uuid === uuidOf(n));
  if (found === undefined) throw new Error(`no row ${n}`);
  return found;
};

describe("a plan", () => {
  test("is asked for again with everything set by hand so far", async () => {
    const at = composing();
    await at.work.plan();
    at.work.pin([row(at, 1)], two);
    await at.idle();
    at.work.toggleRow(uuidOf(2));
    at.work.toggleAccount(one);
    await at.idle();
    expect(at.last()?.body).toMatchObject({ pins: [{ uuid: uuidOf(1), account: two }], without: { rows: [uuidOf(2)], accounts: [one] } });
  });

  test("that was overtaken by a later one is not shown", async () => {
    let release: (plan: PayoutPlan) => void = () => undefined;
    let n = 0;
    const late = new Promise<PayoutPlan>((resolve) => void (release = resolve));
    const at = composing({ plan: () => ((n += 1) === 1 ? late : aPlan([aPayout(7)], accounts)) });
    const first = at.work.plan();
    await at.work.plan();
    expect(at.sent[0]?.signal?.aborted).toBe(true);
    release(aPlan([aPayout(1)], accounts));
    await first;
    expect(at.state().plan?.rows.map(({ uuid }) => uuid)).toEqual([uuidOf(7)]);
  });

  test("of all that match stays with the withdrawals of the first, whatever comes to match", async () => {
    const at = composing({}, { all: { view: "queue" } });
    await at.work.plan();
    at.work.prefer("sum");
    await at.idle();
    expect(at.sent[0]?.body).toMatchObject({ all: { view: "queue" }, prefer: "number" });
    expect(at.last()?.body).toMatchObject({
      rows: [
        { uuid: uuidOf(1), version: 1 },
        { uuid: uuidOf(2), version: 1 },
      ],
      prefer: "sum",
    });
    expect(at.last()?.body.all).toBeUndefined();
  });

  test("takes the versions there are now only when it is computed anew on purpose", async () => {
    const at = composing({ plan: () => aPlan([aPayout(1, { version: 5 }), aPayout(2)], accounts) });
    await at.work.plan();
    at.work.toggleRow(uuidOf(2));
    await at.idle();
    expect(at.last()?.body.rows.map(({ version }) => version)).toEqual([1, 1]);
    await at.work.plan(true);
    expect(at.last()?.body.rows.map(({ version }) => version)).toEqual([5, 1]);
  });

  test("steps back one adjustment at a time", async () => {
    const at = composing();
    await at.work.plan();
    at.work.pin([row(at, 1)], two);
    await at.idle();
    at.work.toggleRow(uuidOf(2));
    await at.idle();
    expect(losesWork(at.state())).toBe(true);
    expect(at.work.undo()).toBe(true);
    await at.idle();
    expect(at.last()?.body).toMatchObject({ pins: [{ uuid: uuidOf(1), account: two }], without: { rows: [] } });
    expect(at.work.undo()).toBe(true);
    await at.idle();
    expect(losesWork(at.state())).toBe(false);
    expect(at.work.undo()).toBe(false);
  });

  test("that fails says why, and keeps what was set", async () => {
    let fails = false;
    const at = composing({
      plan() {
        if (fails) throw new CallFailure("no-response");
        return aPlan([aPayout(1)], accounts);
      },
    });
    await at.work.plan();
    fails = true;
    at.work.toggleRow(uuidOf(1));
    await at.idle();
    expect(at.state().failure).not.toBeNull();
    expect(at.work.refusal()).toBe("payout.why-not.no-plan");
    fails = false;
    await at.work.plan();
    expect(at.state().failure).toBeNull();
    expect(at.last()?.body.without).toMatchObject({ rows: [uuidOf(1)] });
  });

  test("is computed again when others change one of its withdrawals, and only then", async () => {
    const at = composing();
    await at.work.plan();
    at.work.heard([uuidOf(55)]);
    expect(at.sent).toHaveLength(1);
    at.work.heard([uuidOf(2)]);
    await at.idle();
    expect(at.sent).toHaveLength(2);
  });
});

describe("a confirmation", () => {
  const many = Array.from({ length: 45 }, (_, n) => aPayout(n + 1, { tier: n === 0 ? 2 : 1 }));
  const approvals = (at: ReturnType<typeof composing>) => at.sent.filter(({ path }) => path === "approve");

  test("sends the plan once, in slices of twenty in its order, however often it is pressed", async () => {
    const at = composing({ plan: () => aPlan(many, accounts, { tier: 2 }) });
    await at.work.plan();
    await Promise.all([at.work.confirm(), at.work.confirm()]);
    await at.work.confirm();
    expect(at.told.questions).toBe(1);
    expect(approvals(at).map(({ body }) => body.rows.length)).toEqual([20, 20, 5]);
    expect(approvals(at).flatMap(({ body }) => body.rows.map(({ uuid }) => uuid))).toEqual(many.map(({ uuid }) => uuid));
    expect(new Set(approvals(at).map(({ key }) => key)).size).toBe(3);
    expect(approvals(at)[2]?.body).toMatchObject({ payout: many.map(({ uuid }) => uuid), confirmed: "4500.00" });
    expect(approvals(at)[0]?.body.rows[0]).toEqual({
      uuid: uuidOf(1),
      version: 1,
      payment_account: one,
      confirmed: { amount: "100.00", holder: "HOLDER 1" },
    });
    expect(approvals(at)[0]?.body.rows[1]).toEqual({ uuid: uuidOf(2), version: 1, payment_account: one });
    expect([at.state().stage, at.told.ended, at.told.settled.length]).toEqual(["over", 1, 45]);
  });

  test("that is taken back sends nothing", async () => {
    const at = composing();
    at.told.confirmed = false;
    await at.work.plan();
    await at.work.confirm();
    expect(approvals(at)).toEqual([]);
    expect(at.state().stage).toBe("planning");
  });

  test("is refused while the plan is computed, and where nothing can be paid", async () => {
    const at = composing({ plan: () => aPlan([aPayout(1, { account: null, ground: null })], accounts) });
    void at.work.plan();
    expect(at.work.refusal()).toBe("payout.why-not.computing");
    await at.work.confirm();
    await at.idle();
    expect(at.work.refusal()).toBe("payout.why-not.nothing");
    await at.work.confirm();
    expect(approvals(at)).toEqual([]);
  });

  test("what got no answer is sent again as it was, under the same key; what was refused is not", async () => {
    let isLost = true;
    const at = composing({
      plan: () => aPlan(many, accounts),
      approve({ body: { rows } }) {
        if (rows[0]?.uuid === uuidOf(21) && isLost) return new CallFailure("no-response");
        if (rows[0]?.uuid !== uuidOf(1)) return undefined;
        return rows.map(({ uuid }) => ({ uuid, done: false, problem: { code: "payment-account.over-limit", message: "over" } }));
      },
    });
    await at.work.plan();
    await at.work.confirm();
    const as = (n: number): Paid["as"] | undefined => at.state().paid.get(uuidOf(n))?.as;
    expect([as(1), as(21), as(41)]).toEqual(["failed", "unanswered", "done"]);
    expect(at.work.refusal()).toBeNull();
    isLost = false;
    await at.work.confirm();
    expect([as(1), as(21), as(41)]).toEqual(["failed", "done", "done"]);
    const [, lost, , again] = approvals(at);
    expect(approvals(at)).toHaveLength(4);
    expect([again?.key, again?.body]).toEqual([lost?.key, lost?.body]);
    expect(at.work.refusal()).toBe("payout.why-not.over");
  });

  test("can be stopped: the slices after the one on its way are not sent", async () => {
    const at = composing({
      plan: () => aPlan(many, accounts),
      approve: () => void at.work.stop(),
    });
    await at.work.plan();
    await at.work.confirm();
    expect(approvals(at)).toHaveLength(1);
    expect([...at.state().paid.values()].filter(({ as }) => as === "stopped")).toHaveLength(25);
  });

  test("leaves nothing to be set by hand while the payouts go, and afterwards", async () => {
    const at = composing({ approve: () => void at.work.toggleRow(uuidOf(2)) });
    await at.work.plan();
    await at.work.confirm();
    at.work.toggleRow(uuidOf(1));
    expect(at.work.undo()).toBe(false);
    expect(at.state().adjusted.withoutRows.size).toBe(0);
  });

  test("of what a second person must approve says so of each", async () => {
    const at = composing({
      approve: ({ body: { rows } }) => rows.map(({ uuid }) => ({ uuid, done: true, row: { uuid, status: "process" } })),
    });
    await at.work.plan();
    await at.work.confirm();
    expect([...at.state().paid.values()]).toEqual([{ as: "second" }, { as: "second" }]);
  });
});
