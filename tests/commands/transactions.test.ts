import { describe, expect, test } from "vitest";
import { plain } from "../../commands/transactions/decision-acts.ts";
import { withdrawalRoutes } from "../../src/contract/withdrawals.ts";
import type { Withdrawal } from "../../src/contract/withdrawals.ts";
import type { Context, PaneState } from "../../src/console/kit/commands/context.ts";
import { CallFailure } from "../../src/console/api/failure.ts";
import { aWithdrawal, dewi } from "../console/withdrawals/rows.ts";
import { fixture, on } from "./withdrawal-fixture.ts";
import type { Sent } from "./withdrawal-fixture.ts";

describe("many rows", () => {
  const uuid = (n: number) => `44444444-4444-4444-8444-${String(n).padStart(12, "0")}`;
  const rows = Array.from({ length: 45 }, (_, n) => aWithdrawal({ uuid: uuid(n) }));
  const release = async (some: readonly Withdrawal[], untried: string, gone: ReadonlySet<string> = new Set()) => {
    const at = fixture({}, ({ body }) =>
      body.rows.map((row) =>
        row.uuid === untried
          ? { uuid: row.uuid, done: false, problem: { code: "request.not-tried", message: "" } }
          : { uuid: row.uuid, done: true, row: aWithdrawal({ uuid: row.uuid }) },
      ),
    );
    const services = at.services;
    const marks = new Set(some.map((row) => row.uuid));
    const grid = {
      toggleMark: (id: string) => void (marks.has(id) ? marks.delete(id) : marks.add(id)),
      markedRows: () => some.filter(({ uuid: id }) => marks.has(id) && !gone.has(id)),
      marksEverything: () => null,
    };
    const context = on(rows[0] ?? aWithdrawal(), { grid: grid as unknown as NonNullable<PaneState["grid"]> }); // what a bulk act uses
    const [first, ...rest] = some;
    if (first === undefined) throw new Error("no rows");
    const texts = { title: "command.withdrawal.release", done: "transaction.said.released" } as const;
    const act = { subject: "withdrawal", route: withdrawalRoutes.releaseWithdrawals, against: () => null, ...texts } as const;
    await plain(act, [first, ...rest], services, context);
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

  test("those that left the list meanwhile are not marked anew", async () => {
    const at = await release(rows, uuid(30), new Set([uuid(1), uuid(2)]));
    // their marks went with them, and nothing puts others in their place
    expect([...at.marks].toSorted()).toEqual([uuid(1), uuid(2), uuid(30)]);
  });

  test("in one request, one not tried is said to be left, not refused", async () => {
    const at = await release(rows.slice(0, 3), uuid(2));
    expect(at.said).toEqual([["sheet.bulk.summary", { done: 2, failed: 0, skipped: 1 }]]);
  });
});

describe("two hundred rows", () => {
  const uuid = (n: number) => `55555555-5555-4555-8555-${String(n).padStart(12, "0")}`;
  const free = (some = 200, from = 0) =>
    Array.from({ length: some }, (_, n) => aWithdrawal({ uuid: uuid(from + n), status: "pending", claim: null }));
  const grid = { toggleMark: () => undefined, markedRows: () => [], marksEverything: () => null } as unknown as NonNullable<
    PaneState["grid"]
  >; // what a bulk act uses
  const marking = (marked: readonly Withdrawal[]): Context => on(marked[0] ?? aWithdrawal(), { marked, grid });
  const refused = (id: string) => ({ uuid: id, done: false, problem: { code: "withdrawal.claimed", message: "Dewi has it." } });
  const done = (id: string) => ({ uuid: id, done: true, row: aWithdrawal({ uuid: id, version: 9 }) });
  const sizes = (sent: readonly Sent[]) => sent.map(({ path, body }) => [path, body.rows.length]);

  test("free ones are claimed and approved by ten requests, each with its own key and an outcome for each row", async () => {
    const at = fixture({}, ({ body }) => body.rows.map((row) => (row.uuid === uuid(33) ? refused(row.uuid) : done(row.uuid))));
    await at.press("a", marking(free()));
    expect(sizes(at.sent)).toEqual(Array.from({ length: 10 }, () => ["approve", 20]));
    expect(at.sent.flatMap(({ body }) => body.rows).every((row) => row.claim === true)).toBe(true);
    expect(new Set(at.sent.map(({ key }) => key ?? "none")).size).toBe(10);
    expect(at.outcomes).toHaveLength(200);
    expect(at.outcomes.filter((outcome) => !outcome.done)).toEqual([{ id: uuid(33), done: false, left: false, why: "Dewi has it." }]);
  });

  test("one's own are approved as they are, without another claim", async () => {
    const at = fixture();
    await at.press("a", marking(free(40).map((row) => aWithdrawal({ uuid: row.uuid }))));
    expect(sizes(at.sent)).toEqual(Array.from({ length: 2 }, () => ["approve", 20]));
    expect(at.sent.flatMap(({ body }) => body.rows).some((row) => row.claim !== undefined)).toBe(false);
  });

  test("those that await a second approval go out by requests of their own", async () => {
    const awaiting = (n: number) => ({ claim: null, tier: 1, first_approved_by: { uuid: dewi.uuid, name: "Dewi" }, uuid: uuid(n) });
    const at = fixture();
    await at.press("a", marking(free(4, 300).map((row, n) => (n % 2 === 0 ? row : aWithdrawal(awaiting(300 + n))))));
    expect(sizes(at.sent)).toEqual([
      ["approve", 2],
      ["second-approve", 2],
    ]);
  });

  test("they are rejected by ten requests with one reason", async () => {
    const at = fixture({ reason: { code: "name-mismatch" } });
    await at.press("r", marking(free()));
    expect(sizes(at.sent)).toEqual(Array.from({ length: 10 }, () => ["reject", 20]));
    expect(at.sent.every(({ body }) => JSON.stringify(body.reason) === '{"code":"name-mismatch"}')).toBe(true);
  });

  test("a slice that got no answer is told row by row; it goes out again as it was, under its key, though more is marked by then", async () => {
    let lose = true;
    const at = fixture({ reason: { code: "name-mismatch" } }, ({ body }) =>
      lose && body.rows.some((row) => row.uuid === uuid(525)) ? new CallFailure("no-response") : undefined,
    );
    const rows = free(45, 500);
    await at.press("r", marking(rows));
    const lost = rows.slice(20, 40);
    expect(at.outcomes.filter((outcome) => !outcome.done)).toEqual(
      lost.map((row) => ({ id: row.uuid, done: false, why: "failure.no-response" })),
    );
    lose = false;
    const before = at.sent.find(({ body }) => body.rows.some((row) => row.uuid === uuid(525)));
    at.sent.splice(0);
    await at.press("r", marking([...free(3, 600), ...lost]));
    expect(at.sent.map(({ body }) => body.rows.length)).toEqual([20, 3]);
    expect(at.sent[0]).toEqual(before);
    expect(at.sent[1]?.key).not.toBe(before?.key);
  });

  test("a slice that got no answer is not sent again for rows that are no longer meant", async () => {
    const at = fixture({ reason: { code: "name-mismatch" } }, () => Object.assign(new Error("no answer"), { status: 0 }));
    const rows = free(20, 700);
    await at.press("r", marking(rows));
    await at.press("r", marking(rows.slice(0, 19)));
    expect(at.sent.map(({ body }) => body.rows.length)).toEqual([20, 19]);
    expect(at.sent[1]?.key).not.toBe(at.sent[0]?.key);
  });
});
