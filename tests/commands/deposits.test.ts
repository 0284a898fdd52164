import { describe, expect, test } from "vitest";
import { depositCommands } from "../../commands/deposits/commands.ts";
import type { Deposit } from "../../src/contract/deposits.ts";
import type { Context, PaneState } from "../../src/console/kit/commands/context.ts";
import { aDeposit } from "../console/deposits/rows.ts";
import { aContext, aPane } from "../console/kit/fakes.ts";
import { dewi, me } from "../console/withdrawals/rows.ts";
import { desk, fixtureOf } from "./withdrawal-fixture.ts";
import type { Sent } from "./withdrawal-fixture.ts";

const every = ["view", "create", "process", "take-over", "approve", "second-approve", "reject", "recall", "reopen", "send-callback"];
const fixture = (answers: Partial<Record<string, unknown>> = {}, outcome?: (sent: Sent) => unknown) =>
  fixtureOf({ commands: depositCommands, screen: "deposits", aRow: aDeposit }, answers, outcome);

/** The record under the cursor, on screen long enough; whatever is changed. */
const on = (row: Deposit, pane: Partial<PaneState> = {}, rights: readonly string[] = every): Context =>
  aContext({
    screen: "deposits",
    user: me,
    permissions: { "pas.transaction.deposits": [...rights] },
    now: 1000,
    pane: aPane({
      subject: "deposit",
      cursor: row,
      decision: desk,
      detail: { uuid: row.uuid, version: row.version, paintedAt: 0 },
      ...pane,
    }),
  });

const waiting = aDeposit({ status: "pending", claim: null });
const late = aDeposit({ status: "expired", claim: null });

describe("a deposit that waits for its payment", () => {
  test.each(["a", "Shift+a", "t", "h"])("cannot be decided, claimed or put off yet (%s): that it is not paid is said", async (chord) => {
    const at = fixture({ amount: { amount: "1.00", reason: "less" } });
    await at.press(chord, on(waiting));
    expect(at.sent).toEqual([]);
    expect(at.said.map(([key]) => key)).toEqual(["deposit.refuse.early"]);
  });

  test("can be rejected", async () => {
    const at = fixture({ reason: { code: "name-mismatch" } });
    await at.press("r", on(waiting));
    expect(at.sent.map(({ path }) => path)).toEqual(["reject"]);
  });

  test("is marked as paid with its reference, or without where none is known; Esc marks nothing", async () => {
    for (const [typed, sent] of [
      ["REF-88", { reference_no: "REF-88" }],
      ["", {}],
    ] as const) {
      const at = fixture({ text: typed });
      await at.press("p", on(waiting));
      expect(at.sent.map(({ path, body }) => [path, body.rows])).toEqual([
        ["process", [{ uuid: waiting.uuid, version: waiting.version, ...sent }]],
      ]);
      expect(at.sent[0]?.key).toMatch(/^[0-9a-f-]{36}$/);
      expect(at.said.map(([key]) => key)).toEqual(["deposit.said.processed"]);
    }
    const left = fixture();
    await left.press("p", on(waiting));
    expect(left.sent).toEqual([]);
  });
});

test("one that is paid already is not marked again", async () => {
  const at = fixture({ text: "REF-88" });
  await at.press("p", on(aDeposit()));
  expect([at.sent, at.said.map(([key]) => key)]).toEqual([[], ["problem.deposit.not-pending"]]);
});

describe("approving with the amount that arrived", () => {
  const arrived = { amount: "950.00", reason: "the bank kept 50" };

  test("asks once, against what was asked, and sends amount, reason and confirmation in one call", async () => {
    const at = fixture({ amount: arrived });
    await at.press("Shift+a", on(aDeposit({ tier: 2 })));
    expect(at.asked).toEqual(["amount"]);
    expect(at.questions[0]).toMatchObject({ expected: "1000.00", currency: "MYR" });
    expect(at.sent.map(({ path, body }) => [path, body.rows])).toEqual([
      ["approve", [{ uuid: aDeposit().uuid, version: 3, ...arrived, confirmed: { amount: "950.00", payer: aDeposit().customer_name } }]],
    ]);
  });

  test("is open where the amount is what fails, and not before the record has been seen", async () => {
    const failing = { ...desk, failing: () => ({ key: "transaction.refuse.check", words: { check: "line" } }) as const };
    const at = fixture({ amount: arrived });
    await at.press("a", on(aDeposit(), { decision: failing }));
    expect(at.sent).toEqual([]);
    await at.press("Shift+a", on(aDeposit(), { decision: failing }));
    expect(at.sent).toHaveLength(1);
    const unseen = fixture({ amount: arrived });
    await unseen.press("Shift+a", on(aDeposit(), { detail: { uuid: aDeposit().uuid, version: 3, paintedAt: 900 } }));
    expect([unseen.sent, unseen.said.map(([key]) => key)]).toEqual([[], ["deposit.refuse.unread"]]);
  });

  test("with the detail hidden the first press opens it", async () => {
    const at = fixture({ amount: arrived });
    await at.press("Shift+a", on(aDeposit(), { detail: null }));
    expect([at.sent, at.asked]).toEqual([[], []]);
    expect(at.said.map(([key]) => key)).toEqual(["toggled", "transaction.said.look-first"]);
  });

  test("is not open for the second person: the first has named the amount", async () => {
    const at = fixture({ amount: arrived });
    await at.press("Shift+a", on(aDeposit({ tier: 3, claim: null, first_approved_by: dewi })));
    expect([at.sent, at.said.map(([key]) => key)]).toEqual([[], ["deposit.refuse.arrived-chosen"]]);
  });
});

describe("matching a bank line", () => {
  const line = {
    uuid: dewi.uuid,
    version: 1,
    amount: "1000.00",
    direction: "credit",
    payment_account: { code: "UOB-01" },
    counterparty: null,
  };
  const lines = [{ score: { total: 90 }, line: { ...line, reference: null, description: "" } }];
  const by = (...acts: string[]) => {
    const context = on(aDeposit());
    return { ...context, permissions: { ...context.permissions, "pas.transaction.bank-transactions": acts } };
  };

  test("can be taken back at once by whoever may unmatch", async () => {
    const at = fixture({ read: lines, choice: line.uuid });
    await at.press("m", by("view", "match", "unmatch"));
    expect(at.sent.map(({ path }) => path)).toEqual(["match"]);
    expect(at.undos).toHaveLength(1);
    await at.undos[0]?.back();
    expect(at.sent.map(({ path, body }) => [path, body.rows.map(({ uuid }) => uuid)]).at(-1)).toEqual(["unmatch", [line.uuid]]);
    expect(at.changed.slice(-1)).toEqual([{ uuid: aDeposit().uuid }]);
  });

  test("is not begun without the right to see bank lines, because the lines that fit are read first", async () => {
    const at = fixture({ read: lines, choice: line.uuid });
    await at.press("m", by("match"));
    expect([at.sent, at.said.map(([key]) => key)]).toEqual([[], ["refuse.no-right"]]);
  });

  test("is not offered back to whoever may not", async () => {
    const at = fixture({ read: lines, choice: line.uuid });
    await at.press("m", by("view", "match"));
    expect([at.sent.length, at.undos]).toEqual([1, []]);
  });
});

test("an approval of tier 2 repeats amount and payer, and what the merchant receives", async () => {
  const at = fixture({ money: true });
  await at.press("a", on(aDeposit({ tier: 2 })));
  expect(at.questions[0]).toMatchObject({ amount: "1,000.00", payee: aDeposit().customer_name, account: "deposit.ask.account" });
  expect(at.sent[0]?.body.rows[0]?.confirmed).toEqual({ amount: "1000.00", payer: aDeposit().customer_name });
});

describe("late money", () => {
  const reopen = async (row: Deposit, rights: readonly string[]) => {
    const at = fixture({ text: "arrived at 9:40" });
    await at.registry.run("deposit.reopen", "palette", on(row, {}, rights));
    return { sent: at.sent, said: at.said.map(([key]) => key) };
  };

  test("is reopened with a reason, by who has the right", async () => {
    const { sent, said } = await reopen(late, every);
    expect(sent.map(({ path, body }) => [path, body.rows, body.reason])).toEqual([
      ["reopen", [{ uuid: late.uuid, version: late.version }], "arrived at 9:40"],
    ]);
    expect(said).toEqual(["deposit.said.reopened"]);
    expect(await reopen(late, ["view", "process", "approve"])).toEqual({ sent: [], said: ["refuse.no-right"] });
  });

  test("one that has not expired is not reopened", async () => {
    expect(await reopen(aDeposit(), every)).toEqual({ sent: [], said: ["problem.deposit.not-expired"] });
  });
});

test("c opens the form of a deposit made by hand", async () => {
  let opened = 0;
  const at = fixture();
  await at.press("c", on(aDeposit(), { decision: { ...desk, create: () => void (opened += 1) } }));
  expect(opened).toBe(1);
});

test("an act without its right names the right where its key is pressed", async () => {
  const at = fixture({ text: "REF-88" });
  await at.press("p", on(waiting, {}, ["view"]));
  expect(at.sent).toEqual([]);
  expect(at.said).toEqual([["refuse.no-right", { permission: "pas.transaction.deposits.process" }]]);
});
