import { describe, expect, test } from "vitest";
import { payoutRoutes } from "../../src/contract/payouts.ts";
import { accountKeys } from "../../src/console/screens/withdrawals/composer-plan.ts";
import type { DialogAct } from "../../src/console/kit/commands/context.ts";
import type { RecordRow } from "../../src/console/kit/commands/desks.ts";
import { aWithdrawal, dewi } from "../console/withdrawals/rows.ts";
import { fixture, on } from "./withdrawal-fixture.ts";

const other = "44444444-4444-4444-8444-444444444444";
const dewis = { user: dewi.uuid, name: dewi.name, since: "2026-11-21T06:00:00.000Z", until: "2026-11-21T06:01:30.000Z" };

/** The list as it lends the composer, which notes what it was opened with. */
function composing() {
  const opened: (readonly RecordRow[])[] = [];
  return { opened, lent: { payouts: { compose: (rows: readonly RecordRow[]) => void opened.push(rows) } } };
}

describe("Shift+C", () => {
  test("opens the composer with what is marked, else with the row under the cursor", async () => {
    const at = fixture();
    const { opened, lent } = composing();
    const rows = [aWithdrawal(), aWithdrawal({ uuid: other, tier: 3 })];
    expect(await at.press("Shift+c", on(aWithdrawal(), { ...lent, marked: rows }))).toBe("withdrawal.compose");
    await at.press("Shift+c", on(aWithdrawal(), lent));
    expect(opened.map((some) => some.map(({ uuid }) => uuid))).toEqual([rows.map(({ uuid }) => uuid), [aWithdrawal().uuid]]);
    expect(at.sent).toEqual([]);
  });

  test("is refused where it would take none: decided, another's, first approved already", async () => {
    const at = fixture();
    const { opened, lent } = composing();
    for (const row of [
      aWithdrawal({ status: "rejected", rejected_by: dewi }),
      aWithdrawal({ claim: dewis }),
      aWithdrawal({ first_approved_by: dewi }),
    ])
      // oxlint-disable-next-line no-await-in-loop -- one press after the other
      await at.press("Shift+c", on(row, lent));
    expect(opened).toEqual([]);
    expect(at.said.map(([key]) => key)).toEqual([
      "withdrawal.refuse.rejected",
      "withdrawal.refuse.claimed",
      "withdrawal.refuse.second-awaited",
    ]);
  });

  test("needs the right to approve, and for what is nobody's yet the right to process", async () => {
    const at = fixture();
    const { opened, lent } = composing();
    const area = "pas.transaction.withdrawals";
    await at.press("Shift+c", on(aWithdrawal(), lent, { permissions: { [area]: ["view", "process"] } }));
    const mayApprove = { permissions: { [area]: ["view", "approve"] } };
    await at.press("Shift+c", on(aWithdrawal({ status: "pending", claim: null }), lent, mayApprove));
    expect(opened).toEqual([]);
    expect(at.said).toEqual([
      ["refuse.no-right", { permission: payoutRoutes.planPayouts.permission }],
      ["refuse.no-right", { permission: `${area}.process` }],
    ]);
    await at.press("Shift+c", on(aWithdrawal(), lent, mayApprove));
    expect(opened).toHaveLength(1);
  });
});

describe("in the composer", () => {
  const open = (acts: Partial<Record<DialogAct, () => void>>) => on(aWithdrawal(), {}, { dialog: { name: "payout", acts } });

  test("a key does what the composer lends, and nothing of the list behind it", async () => {
    const at = fixture();
    const done: string[] = [];
    const acts = {
      down: () => void done.push("down"),
      "leave-out": () => void done.push("leave-out"),
      "choose-a": () => void done.push("a"),
    };
    for (const key of ["j", "x", "a", "r", "t"])
      // oxlint-disable-next-line no-await-in-loop -- one press after the other
      await at.press(key, open(acts));
    expect(done).toEqual(["down", "leave-out", "a"]);
    expect(at.sent).toEqual([]);
  });

  test("every key of an account but the digits has its command", () => {
    const at = fixture();
    const acts = Object.fromEntries(accountKeys.map((key) => [`choose-${key}`, () => undefined]));
    const letters = accountKeys.filter((key) => !/\d/.test(key));
    expect(letters.map((key) => at.registry.owner(key, open(acts))?.id)).toEqual(letters.map((key) => `payout.choose-${key}`));
  });
});
