import { describe, expect, test } from "vitest";
import { plain } from "../../commands/withdrawal-acts.ts";
import { withdrawalCommands } from "../../commands/withdrawals.ts";
import { withdrawalRoutes } from "../../src/contract/withdrawals.ts";
import type { Withdrawal } from "../../src/contract/withdrawals.ts";
import type { Context, PaneState } from "../../src/console/kit/context.ts";
import { createRegistry } from "../../src/console/kit/registry.ts";
import type { Questions, Services } from "../../src/console/kit/services.ts";
import type { WithdrawalDesk } from "../../src/console/screens/withdrawals/desk.ts";
import { aContext, aPane } from "../console/kit/fakes.ts";
import { aWithdrawal, dewi, me } from "../console/withdrawals/rows.ts";

const every = ["view", "process", "take-over", "approve", "second-approve", "reject", "recall", "send-callback"];
const mayAll = { "pas.transaction.withdrawals": every };

const desk: WithdrawalDesk = {
  settings: {
    claim_limit: 10,
    lease_seconds: 90,
    recall_seconds: 5,
    tiers: {},
    reject_reasons: [{ code: "name-mismatch", text: null }],
    sla: { amber_minutes: 5, red_minutes: 10 },
  },
  gone: () => null,
  failing: () => null,
  accounts: () => null,
  age: () => "05:00",
  left: () => 30,
  showHistory() {},
  find() {},
  unfiltered: () => null,
  filterColumn: async () => undefined,
  filterByValue() {},
  follow() {},
  dropFilter() {},
  hasFilters: () => false,
};

/** The record under the cursor, on screen long enough; whatever is changed. */
function on(row: Withdrawal, pane: Partial<PaneState> = {}, more: Partial<Context> = {}): Context {
  return aContext({
    user: me,
    permissions: mayAll,
    now: 1000,
    pane: aPane({ cursor: row, desk, detail: { uuid: row.uuid, version: row.version, paintedAt: 0 }, ...pane }),
    ...more,
  });
}

interface Sent {
  path: string;
  body: { rows: { uuid: string; version: number; confirmed?: unknown; payment_account?: string }[]; reason?: unknown };
  key: string | undefined;
}

/** A server that grants, or answers as it is told; questions are answered as given. */
function house(answers: Partial<Record<string, unknown>> = {}, outcome?: (sent: Sent) => unknown) {
  const sent: Sent[] = [];
  const said: [string, Record<string, string | number> | undefined][] = [];
  const undos: { until: number }[] = [];
  const changed: unknown[] = [];
  const asked: string[] = [];
  const outcomes: Awaited<ReturnType<Questions["bulk"]["asked"]["act"]>>[] = [];
  const services = {
    async call(route: { path: string }, { body }: { body: Sent["body"] }, options?: { idempotencyKey?: string }) {
      const one: Sent = { path: route.path.split("/").at(-1) ?? "", body, key: options?.idempotencyKey };
      sent.push(one);
      const told = outcome?.(one);
      if (told instanceof Error) throw told;
      const rows = body.rows.map(({ uuid, version }) => ({
        uuid,
        done: true,
        row: aWithdrawal({
          uuid,
          version: version + 1,
          ...(one.path === "approve" && { status: "approved", recallable_until: "2026-11-21T06:10:05.000Z" }),
        }),
      }));
      return { data: { outcomes: told ?? rows } };
    },
    async ask(kind: string, question: Questions["bulk"]["asked"]) {
      asked.push(kind);
      if (kind === "bulk") for (const { id } of question.rows) outcomes.push(await question.act(id));
      return answers[kind] ?? null;
    },
    say: (key: string, words?: Record<string, string | number>) => void said.push([key, words]),
    text: (key: string) => key,
    pushUndo: (undo: { until: number }) => void undos.push(undo),
    changed: (_: string, rows: readonly unknown[]) => void changed.push(...rows),
    shell: { togglePane: (pane: string) => void said.push(["toggled", { pane }]) },
  } as unknown as Services; // the doors withdrawals use
  const registry = createRegistry(withdrawalCommands, { services, routedScreens: new Set(["withdrawals"]) });
  const press = async (chord: string, context: Context) => {
    const owner = registry.owner(chord, context);
    if (owner) await registry.run(owner.id, "key", context);
    return owner?.id ?? null;
  };
  return { services, sent, said, undos, changed, asked, outcomes, press, registry };
}

describe("approving by one key", () => {
  test("one call with its own idempotency key; the recall is offered for the window's time", async () => {
    const at = house();
    await at.press("a", on(aWithdrawal()));
    expect(at.sent.map(({ path }) => path)).toEqual(["approve"]);
    expect(at.sent[0]?.key).toMatch(/^[0-9a-f-]{36}$/);
    expect(at.undos).toHaveLength(1);
    expect(at.said[0]?.[0]).toBe("withdrawal.said.approved-left");
  });

  test("a free one is claimed first", async () => {
    const at = house();
    await at.press("a", on(aWithdrawal({ status: "pending", claim: null })));
    expect(at.sent.map(({ path }) => path)).toEqual(["claim", "approve"]);
  });

  test("an answer that never came: the same intent is sent again under the same key", async () => {
    let first = true;
    const at = house({}, () => {
      if (!first) return undefined;
      first = false;
      return Object.assign(new Error("no answer"), { status: 0 });
    });
    const context = on(aWithdrawal());
    await at.press("a", context).catch(() => undefined);
    await at.press("a", context);
    expect(at.sent).toHaveLength(2);
    expect(at.sent[1]?.key).toBe(at.sent[0]?.key);
  });

  test("after an answer, another decision has another key", async () => {
    const at = house();
    await at.press("a", on(aWithdrawal()));
    await at.press("a", on(aWithdrawal({ uuid: "44444444-4444-4444-8444-444444444444" })));
    expect(at.sent[1]?.key).not.toBe(at.sent[0]?.key);
  });

  test("tier 2 asks for amount and payee, and sends what was confirmed; Esc sends nothing", async () => {
    const row = aWithdrawal({ tier: 2 });
    const yes = house({ money: true });
    await yes.press("a", on(row));
    expect(yes.asked).toEqual(["money"]);
    expect(yes.sent[0]?.body.rows[0]?.confirmed).toEqual({ amount: "4850.00", holder: "NOR HIDAYAH" });
    const no = house();
    await no.press("a", on(row));
    expect(no.sent).toEqual([]);
  });

  test("a check that turned to a warning meanwhile is asked for, then sent under a new key", async () => {
    let refused = false;
    const at = house({ money: true }, ({ body }) => {
      if (refused) return undefined;
      refused = true;
      return [{ uuid: body.rows[0]?.uuid, done: false, problem: { code: "withdrawal.confirm-needed", message: "" } }];
    });
    await at.press("a", on(aWithdrawal()));
    expect(at.sent).toHaveLength(2);
    expect(at.sent[1]?.body.rows[0]?.confirmed).toBeDefined();
    expect(at.sent[1]?.key).not.toBe(at.sent[0]?.key);
  });

  const dead: [why: string, row: Partial<Withdrawal>, pane: Partial<PaneState>, more: Partial<Context>, reason: string][] = [
    [
      "it has not been on screen for 350 ms",
      {},
      { detail: { uuid: aWithdrawal().uuid, version: 3, paintedAt: 700 } },
      {},
      "withdrawal.refuse.unread",
    ],
    [
      "its checks are not on screen",
      {},
      { detail: { uuid: aWithdrawal().uuid, version: 3, paintedAt: null } },
      {},
      "withdrawal.refuse.loading",
    ],
    [
      "an older version is on screen",
      {},
      { detail: { uuid: aWithdrawal().uuid, version: 2, paintedAt: 0 } },
      {},
      "withdrawal.refuse.loading",
    ],
    ["another record is on screen", {}, { detail: { uuid: dewi.uuid, version: 3, paintedAt: 0 } }, {}, "withdrawal.refuse.not-shown"],
    ["another holds it", { claim: { user: dewi.uuid, name: "Dewi", since: "", until: "" } }, {}, {}, "withdrawal.refuse.claimed"],
    ["it is decided", { status: "approved", approved_by: dewi }, {}, {}, "withdrawal.refuse.approved"],
    ["it is a tombstone", {}, { desk: { ...desk, gone: () => "withdrawal.refuse.gone" } }, {}, "withdrawal.refuse.gone"],
    ["a check fails", {}, { desk: { ...desk, failing: () => "withdrawal.refuse.no-account" } }, {}, "withdrawal.refuse.no-account"],
    ["I gave the first approval", { first_approved_by: { uuid: me, name: "Nurul" } }, {}, {}, "withdrawal.refuse.second-self"],
    ["the console is offline", {}, {}, { online: false }, "refuse.offline"],
    ["the tenant is being switched", {}, {}, { switching: true }, "refuse.switching"],
    ["I lack the right", {}, {}, { permissions: { "pas.transaction.withdrawals": ["view", "process"] } }, "refuse.no-right"],
  ];
  test.each(dead)("sends nothing while %s, and says so", async (_, row, pane, more, reason) => {
    const at = house({ money: true });
    await at.press("a", on(aWithdrawal(row), pane, more));
    expect(at.sent).toEqual([]);
    expect(at.said.map(([key]) => key)).toEqual([reason]);
  });

  test("with the detail hidden the first press opens it", async () => {
    const at = house();
    await at.press("a", on(aWithdrawal(), { detail: null }));
    expect(at.sent).toEqual([]);
    expect(at.said.map(([key]) => key)).toEqual(["toggled", "withdrawal.said.look-first"]);
  });

  test("a loser is told who won, and the row is looked at again", async () => {
    const at = house({}, ({ body }) => [
      { uuid: body.rows[0]?.uuid, done: false, problem: { code: "transaction.already-decided", message: "Dewi has decided it." } },
    ]);
    await at.press("a", on(aWithdrawal()));
    expect(at.said[0]?.[0]).toBe("withdrawal.said.refused");
    expect(at.changed).toEqual([{ uuid: aWithdrawal().uuid }]);
    expect(at.undos).toEqual([]);
  });
});

describe("rejecting", () => {
  test("asks for the reason and sends it with a key of its own", async () => {
    const at = house({ reason: { code: "name-mismatch" } });
    await at.press("r", on(aWithdrawal()));
    expect(at.sent).toMatchObject([{ path: "reject", body: { reason: { code: "name-mismatch" } } }]);
    expect(at.sent[0]?.key).toBeDefined();
  });

  test("Esc sends nothing", async () => {
    const at = house();
    await at.press("r", on(aWithdrawal()));
    expect(at.sent).toEqual([]);
  });
});

describe("handing a first approval back", () => {
  const awaiting = { first_approved_by: { uuid: dewi.uuid, name: "Dewi" }, claim: null };
  const run = async (row: Partial<Withdrawal>, answers: Partial<Record<string, unknown>> = {}) => {
    const at = house(answers);
    const outcome = await at.registry.run("withdrawal.hand-back", "palette", on(aWithdrawal(row)));
    return { ...at, outcome };
  };

  test("asks why, and sends it under a key of its own", async () => {
    const at = await run(awaiting, { text: "Ask the customer first" });
    expect(at.sent).toMatchObject([{ path: "hand-back", body: { reason: "Ask the customer first" } }]);
    expect(at.sent[0]?.key).toBeDefined();
    expect(at.said.map(([key]) => key)).toEqual(["withdrawal.said.handed-back"]);
  });

  test("Esc sends nothing", async () => {
    expect((await run(awaiting)).sent).toEqual([]);
  });

  test.each([
    ["nobody approved it first", { claim: null, first_approved_by: null }, "problem.withdrawal.second-not-awaited"],
    ["the first approval is one's own", { ...awaiting, first_approved_by: { uuid: me, name: "Nurul" } }, "withdrawal.refuse.second-self"],
    ["it is decided", { status: "approved" as const, approved_by: dewi }, "withdrawal.refuse.approved"],
  ])("is refused while %s", async (_, row, reason) => {
    const at = await run(row, { text: "Ask the customer first" });
    expect(at.sent).toEqual([]);
    expect(at.said.map(([key]) => key)).toEqual([reason]);
  });
});

describe("many rows", () => {
  const uuid = (n: number) => `44444444-4444-4444-8444-${String(n).padStart(12, "0")}`;
  const rows = Array.from({ length: 45 }, (_, n) => aWithdrawal({ uuid: uuid(n) }));
  const release = async (some: readonly Withdrawal[], untried: string) => {
    const at = house({}, ({ body }) =>
      body.rows.map((row) =>
        row.uuid === untried
          ? { uuid: row.uuid, done: false, problem: { code: "request.not-tried", message: "" } }
          : { uuid: row.uuid, done: true, row: aWithdrawal({ uuid: row.uuid }) },
      ),
    );
    const services = at.services;
    const marks = new Set(some.map((row) => row.uuid));
    const grid = { toggleMark: (id: string) => void marks.delete(id), marksEverything: () => null };
    const context = on(rows[0] ?? aWithdrawal(), { grid: grid as unknown as NonNullable<PaneState["grid"]> }); // what a bulk act uses
    const [first, ...rest] = some;
    if (first === undefined) throw new Error("no rows");
    const texts = { title: "command.withdrawal.release", done: "withdrawal.said.released" } as const;
    await plain(withdrawalRoutes.releaseWithdrawals, [first, ...rest], () => null, texts, services, context);
    return { ...at, marks };
  };

  test("go out in slices of twenty under a key each; one not tried is left and stays marked", async () => {
    const at = await release(rows, uuid(30));
    expect(at.sent.map(({ body }) => body.rows.length)).toEqual([20, 20, 5]);
    expect(new Set(at.sent.map(({ key }) => key ?? "none")).size).toBe(3);
    expect(at.outcomes.filter(({ done }) => done)).toHaveLength(44);
    expect(at.outcomes[30]).toMatchObject({ done: false, left: true });
    expect([...at.marks]).toEqual([uuid(30)]);
  });

  test("in one request, one not tried is said to be left, not refused", async () => {
    const at = await release(rows.slice(0, 3), uuid(2));
    expect(at.said).toEqual([["sheet.bulk.summary", { done: 2, failed: 0, skipped: 1 }]]);
  });
});

describe("what has no key, and what each right allows", () => {
  test("recall, take-over and send callback have none", () => {
    const keyless = withdrawalCommands.filter(({ keys }) => keys === undefined).map(({ id }) => id);
    // views go by the digits' own commands
    expect(keyless.filter((id) => !id.startsWith("withdrawal.view-"))).toEqual([
      "withdrawal.take-over",
      "withdrawal.recall",
      "withdrawal.send-callback",
    ]);
  });

  test("every command takes its permission from its route", () => {
    const known = new Set<string>(Object.values(withdrawalRoutes).flatMap(({ permission }) => permission));
    for (const { id, permission } of withdrawalCommands) for (const one of [permission].flat()) expect(known.has(one), id).toBe(true);
  });
});
