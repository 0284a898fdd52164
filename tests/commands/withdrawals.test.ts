import { describe, expect, test } from "vitest";
import { withdrawalCommands } from "../../commands/withdrawals/commands.ts";
import { merchantCallbackRoutes } from "../../src/contract/merchant-callbacks.ts";
import { payoutFileRoutes } from "../../src/contract/payout-files.ts";
import { receiptRoutes } from "../../src/contract/receipts.ts";
import { withdrawalRoutes } from "../../src/contract/withdrawals.ts";
import type { Withdrawal } from "../../src/contract/withdrawals.ts";
import type { Context, PaneState } from "../../src/console/kit/commands/context.ts";
import { aWithdrawal, dewi, me } from "../console/withdrawals/rows.ts";
import { desk, fixture, on } from "./withdrawal-fixture.ts";

describe("approving by one key", () => {
  test("one call with its own idempotency key; the recall is offered for the window's time", async () => {
    const at = fixture();
    await at.press("a", on(aWithdrawal()));
    expect(at.sent.map(({ path }) => path)).toEqual(["approve"]);
    expect(at.sent[0]?.key).toMatch(/^[0-9a-f-]{36}$/);
    expect(at.undos).toHaveLength(1);
    expect(at.said[0]?.[0]).toBe("transaction.said.approved-left");
  });

  test("who may approve but not recall is offered no recall, whose key would only be refused", async () => {
    const at = fixture();
    const context = on(aWithdrawal());
    const acts = (context.permissions["pas.transaction.withdrawals"] ?? []).filter((act) => act !== "recall");
    await at.press("a", { ...context, permissions: { "pas.transaction.withdrawals": acts } });
    expect(at.sent.map(({ path }) => path)).toEqual(["approve"]);
    expect(at.undos).toEqual([]);
  });

  test("a free one is claimed by the same request, which goes out again as it was where no answer came", async () => {
    let isLost = true;
    const at = fixture({}, () => (isLost ? Object.assign(new Error("no answer"), { status: 0 }) : undefined));
    const context = on(aWithdrawal({ status: "pending", claim: null }));
    await at.press("a", context).catch(() => undefined);
    isLost = false;
    await at.press("a", context);
    expect(at.sent.map(({ path, body }) => [path, body.rows.map((row) => row.claim)])).toEqual([
      ["approve", [true]],
      ["approve", [true]],
    ]);
    expect(at.sent[1]).toEqual(at.sent[0]);
    expect(at.undos).toHaveLength(1);
  });

  test("a free one whose tier a check raised meanwhile is confirmed and sent as its claim left it", async () => {
    const at = fixture({ money: true, read: { row: aWithdrawal({ version: 4, tier: 2 }) } }, ({ body }) =>
      body.rows[0]?.confirmed === undefined
        ? [{ uuid: body.rows[0]?.uuid, done: false, problem: { code: "withdrawal.confirm-needed", message: "" } }]
        : undefined,
    );
    await at.press("a", on(aWithdrawal({ status: "pending", claim: null })));
    expect(at.asked).toEqual(["money"]);
    expect(at.sent.map(({ body: { rows } }) => rows.map(({ version, claim }) => ({ version, claim })))).toEqual([
      [{ version: 3, claim: true }],
      [{ version: 4, claim: undefined }],
    ]);
    expect(at.said[0]?.[0]).toBe("transaction.said.approved-left");
  });

  test("an answer that never came: the same intent is sent again under the same key", async () => {
    let first = true;
    const at = fixture({}, () => {
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
    const at = fixture();
    await at.press("a", on(aWithdrawal()));
    await at.press("a", on(aWithdrawal({ uuid: "44444444-4444-4444-8444-444444444444" })));
    expect(at.sent[1]?.key).not.toBe(at.sent[0]?.key);
  });

  test("tier 2 asks for amount and payee, and sends what was confirmed; Esc sends nothing", async () => {
    const row = aWithdrawal({ tier: 2 });
    const yes = fixture({ money: true });
    await yes.press("a", on(row));
    expect(yes.asked).toEqual(["money"]);
    expect(yes.sent[0]?.body.rows[0]?.confirmed).toEqual({ amount: "4850.00", holder: "NOR HIDAYAH" });
    const no = fixture();
    await no.press("a", on(row));
    expect(no.sent).toEqual([]);
  });

  test("a check that turned to a warning meanwhile is asked for, then sent under a new key", async () => {
    let refused = false;
    const at = fixture({ money: true }, ({ body }) => {
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
      "transaction.refuse.loading",
    ],
    [
      "an older version is on screen",
      {},
      { detail: { uuid: aWithdrawal().uuid, version: 2, paintedAt: 0 } },
      {},
      "transaction.refuse.loading",
    ],
    ["another record is on screen", {}, { detail: { uuid: dewi.uuid, version: 3, paintedAt: 0 } }, {}, "withdrawal.refuse.not-shown"],
    ["another holds it", { claim: { user: dewi.uuid, name: "Dewi", since: "", until: "" } }, {}, {}, "withdrawal.refuse.claimed"],
    ["it is decided", { status: "approved", approved_by: dewi }, {}, {}, "withdrawal.refuse.approved"],
    ["it is a tombstone", {}, { decision: { ...desk, gone: () => "withdrawal.refuse.gone" } }, {}, "withdrawal.refuse.gone"],
    ["a check fails", {}, { decision: { ...desk, failing: () => "withdrawal.refuse.no-account" } }, {}, "withdrawal.refuse.no-account"],
    ["I gave the first approval", { first_approved_by: { uuid: me, name: "Nurul" } }, {}, {}, "transaction.refuse.second-self"],
    ["the console is offline", {}, {}, { online: false }, "refuse.offline"],
    ["the tenant is being switched", {}, {}, { switching: true }, "refuse.switching"],
    ["I lack the right", {}, {}, { permissions: { "pas.transaction.withdrawals": ["view", "process"] } }, "refuse.no-right"],
  ];
  test.each(dead)("sends nothing while %s, and says so", async (_, row, pane, more, reason) => {
    const at = fixture({ money: true });
    await at.press("a", on(aWithdrawal(row), pane, more));
    expect(at.sent).toEqual([]);
    expect(at.said.map(([key]) => key)).toEqual([reason]);
  });

  test.each(["a", "Shift+a"])("with the detail hidden the first press opens it (%s)", async (chord) => {
    const at = fixture({ read: { accounts: [] } });
    await at.press(chord, on(aWithdrawal(), { detail: null }));
    expect([at.sent, at.asked]).toEqual([[], []]);
    expect(at.said.map(([key]) => key)).toEqual(["toggled", "transaction.said.look-first"]);
  });

  test("a loser is told who won, and the row is looked at again", async () => {
    const at = fixture({}, ({ body }) => [
      { uuid: body.rows[0]?.uuid, done: false, problem: { code: "transaction.already-decided", message: "Dewi has decided it." } },
    ]);
    await at.press("a", on(aWithdrawal()));
    expect(at.said[0]?.[0]).toBe("transaction.said.refused");
    expect(at.changed).toEqual([{ uuid: aWithdrawal().uuid }]);
    expect(at.undos).toEqual([]);
  });
});

describe("rejecting", () => {
  const second = { permissions: { "pas.transaction.withdrawals": ["view", "second-approve"] } };
  const byDewi = aWithdrawal({ claim: null, tier: 3, first_approved_by: dewi });
  test.each([
    ["what waits for the second person is open to them", byDewi, null],
    ["their own first approval is not", { ...byDewi, first_approved_by: { uuid: me, name: "Nurul" } }, "transaction.refuse.second-self"],
    ["nor what nobody approved first", aWithdrawal(), "refuse.no-right"],
  ])("to whoever has the second right only: %s", async (_, row, refused) => {
    const at = fixture({ reason: { code: "name-mismatch" } });
    await at.press("r", on(row, {}, second));
    expect(at.sent.map(({ path }) => path)).toEqual(refused === null ? ["reject"] : []);
    expect(at.said.map(([key]) => key)).toEqual([refused ?? "transaction.said.rejected"]);
  });

  test("asks for the reason and sends it with a key of its own", async () => {
    const at = fixture({ reason: { code: "name-mismatch" } });
    await at.press("r", on(aWithdrawal()));
    expect(at.sent).toMatchObject([{ path: "reject", body: { reason: { code: "name-mismatch" } } }]);
    expect(at.sent[0]?.key).toBeDefined();
  });

  test("Esc sends nothing", async () => {
    const at = fixture();
    await at.press("r", on(aWithdrawal()));
    expect(at.sent).toEqual([]);
  });
});

describe("handing a first approval back", () => {
  const awaiting = { first_approved_by: { uuid: dewi.uuid, name: "Dewi" }, claim: null };
  const run = async (row: Partial<Withdrawal>, answers: Partial<Record<string, unknown>> = {}) => {
    const at = fixture(answers);
    const outcome = await at.registry.run("withdrawal.hand-back", "palette", on(aWithdrawal(row)));
    return { ...at, outcome };
  };

  test("asks why, and sends it under a key of its own", async () => {
    const at = await run(awaiting, { text: "Ask the customer first" });
    expect(at.sent).toMatchObject([{ path: "hand-back", body: { reason: "Ask the customer first" } }]);
    expect(at.sent[0]?.key).toBeDefined();
    expect(at.said.map(([key]) => key)).toEqual(["transaction.said.handed-back"]);
  });

  test("Esc sends nothing", async () => {
    expect((await run(awaiting)).sent).toEqual([]);
  });

  test.each([
    ["nobody approved it first", { claim: null, first_approved_by: null }, "problem.withdrawal.second-not-awaited"],
    ["the first approval is one's own", { ...awaiting, first_approved_by: { uuid: me, name: "Nurul" } }, "transaction.refuse.second-self"],
    ["it is decided", { status: "approved" as const, approved_by: dewi }, "withdrawal.refuse.approved"],
  ])("is refused while %s", async (_, row, reason) => {
    const at = await run(row, { text: "Ask the customer first" });
    expect(at.sent).toEqual([]);
    expect(at.said.map(([key]) => key)).toEqual([reason]);
  });
});

describe("what has no key, and what each right allows", () => {
  test("recall, take-over, send callback, and what changes receipts have none", () => {
    const keyless = withdrawalCommands.filter(({ keys }) => keys === undefined).map(({ id }) => id);
    // views go by the digits' own commands
    expect(keyless.filter((id) => !id.startsWith("withdrawal.view-"))).toEqual([
      "withdrawal.take-over",
      "withdrawal.recall",
      "withdrawal.send-callback",
      "withdrawal.receipt-add",
      "withdrawal.receipt-remove",
    ]);
  });

  test("every command takes its permission from its route", () => {
    const all = { ...withdrawalRoutes, ...receiptRoutes, ...payoutFileRoutes, ...merchantCallbackRoutes };
    const routes = Object.values(all);
    const known = new Set<string>(routes.flatMap(({ permission }) => permission));
    for (const { id, permission } of withdrawalCommands)
      for (const one of [permission].flat()) expect(typeof one === "string" && known.has(one), id).toBe(true);
  });
});
