import { describe, expect, test } from "vitest";
import { clashes, createRegistry } from "../../../../src/console/kit/commands/registry.ts";
import type { AnyCommand } from "../../../../src/console/kit/commands/command.ts";
import { aCommand, aContext, aPane, aRow, notingGrid, notingServices } from "../fakes.ts";

function registryOf(commands: readonly AnyCommand[], routed: readonly "deposits"[] = []) {
  const { services, deeds } = notingServices();
  return { registry: createRegistry(commands, { services, routedScreens: new Set(routed) }), said: deeds };
}

const right = "pas.transaction.withdrawals.approve";
const permissions = { "pas.transaction.withdrawals": ["approve"] };
const approve = (deeds: unknown[] = []): AnyCommand =>
  aCommand(deeds, {
    id: "withdrawal.approve",
    scope: "pane",
    subject: "withdrawal",
    takes: "many",
    permission: right,
    danger: "money",
    keys: ["a"],
  });
const here = { pane: aPane({ cursor: aRow("w1") }), permissions };

describe("a command is judged", () => {
  const { registry } = registryOf([approve()]);
  const judge = (change: Parameters<typeof aContext>[0]) => registry.judge(approve(), aContext({ ...here, ...change }));

  test("ready with the right, a row and a line", () => expect(judge({})).toEqual({ state: "ready" }));
  test("absent where the pane shows something else", () =>
    expect(judge({ pane: aPane({ subject: "deposit" }) })).toEqual({ state: "absent" }));
  test("absent without the right, with the right's name", () =>
    expect(judge({ permissions: {} })).toEqual({ state: "absent", reason: { key: "refuse.no-right", words: { permission: right } } }));
  test("absent for nobody: nothing runs before sign-in", () => expect(judge({ user: null })).toEqual({ state: "absent" }));
  test("refused while offline", () => expect(judge({ online: false })).toEqual({ state: "refused", reason: "refuse.offline" }));
  test("refused while the tenant is being switched", () =>
    expect(judge({ switching: true })).toEqual({ state: "refused", reason: "refuse.switching" }));
  test("refused without a row", () => expect(judge({ pane: aPane() })).toEqual({ state: "refused", reason: "refuse.no-row" }));

  test("a row's command that moves no money is disabled during a switch too, but works offline", () => {
    const { danger: _, ...harmless } = approve();
    expect(registry.judge(harmless, aContext({ ...here, switching: true })).state).toBe("refused");
    expect(registry.judge(harmless, aContext({ ...here, online: false })).state).toBe("ready");
  });
  test("one without rows that changes data at once is disabled during a switch too", () => {
    const take = aCommand([], { id: "withdrawal.take-next", changes: true });
    expect(registry.judge(take, aContext({ switching: true }))).toEqual({ state: "refused", reason: "refuse.switching" });
    const look = aCommand([], { id: "list.find" });
    expect(registry.judge(look, aContext({ switching: true })).state).toBe("ready");
  });
  test("of several permissions any one is enough", () => {
    const either = { ...approve(), permission: ["pas.transaction.withdrawals.reject", right] } as const;
    expect(registry.judge(either, aContext(here)).state).toBe("ready");
  });
  test("its own reason comes last", () => {
    const refusing = aCommand([], { ...approve(), refuse: (rows) => (rows.length > 0 ? "refuse.no-marks" : null) });
    expect(registry.judge(refusing, aContext(here))).toEqual({ state: "refused", reason: "refuse.no-marks" });
  });
  test("a command to a screen without a route is absent", () => {
    const go = aCommand([], { id: "go.deposits", leadsTo: "deposits" });
    expect(registryOf([go]).registry.judge(go, aContext()).state).toBe("absent");
    expect(registryOf([go], ["deposits"]).registry.judge(go, aContext()).state).toBe("ready");
  });
});

describe("what it acts on", () => {
  const marked = aPane({ cursor: aRow("w1"), marked: [aRow("w2"), aRow("w3")] });

  test("the marked rows, else the row under the cursor", async () => {
    const deeds: unknown[] = [];
    const { registry } = registryOf([approve(deeds)]);
    await registry.run("withdrawal.approve", "key", aContext({ ...here, pane: marked }));
    await registry.run("withdrawal.approve", "key", aContext(here));
    expect(deeds).toEqual([
      ["withdrawal.approve", aRow("w2"), aRow("w3")],
      ["withdrawal.approve", aRow("w1")],
    ]);
  });
  test("a command for one row does not guess among several", () => {
    const one = { ...approve(), takes: "one" } as const;
    const { registry } = registryOf([one]);
    expect(registry.judge(one, aContext({ ...here, pane: marked }))).toEqual({
      state: "refused",
      reason: { key: "refuse.one-row", words: { count: 2 } },
    });
  });
});

describe("running", () => {
  test("judges again: a command ready when it was drawn may be refused when pressed", async () => {
    const deeds: unknown[] = [];
    const { registry, said } = registryOf([approve(deeds)]);
    expect(await registry.run("withdrawal.approve", "button", aContext({ ...here, online: false }))).toBe("refused");
    expect(deeds).toEqual([]);
    expect(said).toEqual([["say", "refuse.offline", {}, "warn"]]);
  });
  test("a failure that nobody has reported is reported", async () => {
    const failing = aCommand([], { ...approve(), run: () => Promise.reject(new Error("bug")) });
    const { registry, said } = registryOf([failing]);
    const report = console.error;
    const reported: unknown[] = [];
    console.error = (error: unknown) => void reported.push(error);
    expect(await registry.run(failing.id, "key", aContext(here))).toBe("failed");
    console.error = report;
    expect(reported).toEqual([new Error("bug")]);
    expect(said).toEqual([["say", "failure.unexpected", {}, "fail"]]);
  });
  test("a failure the operator has seen as a toast is not reported twice", async () => {
    const failure = Object.assign(new Error("409"), { reported: true });
    const failing = aCommand([], { ...approve(), run: () => Promise.reject(failure) });
    const { registry, said } = registryOf([failing]);
    await registry.run(failing.id, "key", aContext(here));
    expect(said).toEqual([]);
  });
  test("the same act waits for its end, unless each run acts on something else", async () => {
    for (const overlaps of [false, true]) {
      const ending = Promise.withResolvers<void>();
      const deeds: unknown[] = [];
      const slow = aCommand([], {
        ...approve(),
        ...(overlaps && { overlaps }),
        run: (rows) => {
          deeds.push(rows);
          return ending.promise;
        },
      });
      const { registry } = registryOf([slow]);
      const first = registry.run(slow.id, "key", aContext(here));
      const second = registry.run(slow.id, "key", aContext(here));
      ending.resolve();
      expect([await first, await second]).toEqual(["ran", overlaps ? "ran" : "running"]);
      expect(deeds).toHaveLength(overlaps ? 2 : 1);
    }
  });
  test("two commands with one id throw at start", () => {
    expect(() => registryOf([approve(), approve()])).toThrow("withdrawal.approve");
  });
});

describe("who owns a key", () => {
  const outer = aCommand([], { id: "console.thing", keys: ["Enter"] });
  const inGrid = aCommand([], { id: "grid.open", scope: "grid", keys: ["Enter"] });
  const inHeader = aCommand([], { id: "header.sort", scope: "header", keys: ["Enter"] });
  const inDialog = aCommand([], { id: "dialog.accept", scope: "dialog", act: "accept", keys: ["Enter"] });
  const { registry } = registryOf([outer, inGrid, inHeader, inDialog]);
  const owner = (change: Parameters<typeof aContext>[0]) => registry.owner("Enter", aContext(change))?.id ?? null;

  test("the innermost scope that applies", () => {
    expect(owner({})).toBe("console.thing");
    expect(owner({ pane: aPane() })).toBe("grid.open");
    expect(owner({ pane: aPane({ grid: notingGrid([], { header: true }) }) })).toBe("header.sort");
  });
  test("a dialog hides all others, even for a key it does not use", () => {
    expect(owner({ pane: aPane(), dialog: { name: "reason", acts: { accept: () => undefined } } })).toBe("dialog.accept");
    expect(owner({ pane: aPane(), dialog: { name: "money", acts: {} } })).toBeNull();
  });
  test("whatever the rights", () => {
    const forbidden = approve();
    expect(
      registryOf([forbidden, aCommand([], { id: "console.a", keys: ["a"] })]).registry.owner("a", aContext({ ...here, permissions: {} })),
    ).toBe(forbidden);
  });
});

describe("clashes", () => {
  const on = (id: `${string}.${string}`, keys: [string, ...string[]], more: Partial<AnyCommand> = {}): AnyCommand =>
    aCommand([], { id, keys, ...more });

  test("equal chords in one scope are found, however they are spelt", () => {
    expect(clashes([on("a.a", ["Shift+A"]), on("b.b", ["Shift+a"])])).toEqual([
      { chords: ["Shift+a", "Shift+a"], ids: ["a.a", "b.b"], kind: "equal" },
    ]);
  });
  test("a chord that starts another is found across scopes", () => {
    expect(clashes([on("a.a", ["g"], { scope: "grid" }), on("b.b", ["g w"])]).map(({ kind }) => kind)).toEqual(["prefix"]);
  });
  test("different subjects, screens or scopes may share a chord", () => {
    expect(clashes([on("a.a", ["n"], { subject: "deposit" }), on("b.b", ["n"], { subject: "withdrawal" })])).toEqual([]);
    expect(clashes([on("a.a", ["n"], { screen: "users" }), on("b.b", ["n"], { screen: "vendors" })])).toEqual([]);
    expect(clashes([on("a.a", ["Enter"], { scope: "grid" }), on("b.b", ["Enter"], { scope: "header" })])).toEqual([]);
  });
});

describe("other keys", () => {
  const rebound = () => {
    const { registry } = registryOf([
      approve(),
      aCommand([], { id: "withdrawal.claim", scope: "pane", subject: "withdrawal", keys: ["t"] }),
    ]);
    registry.rebind({ keys: { "withdrawal.approve": ["y", "g y"] }, lettersOff: false });
    return registry;
  };

  test("replace the command's own everywhere, and the old ones have no command", () => {
    const registry = rebound();
    expect(registry.get("withdrawal.approve")?.keys).toEqual(["y", "g y"]);
    expect(registry.list().find(({ id }) => id === "withdrawal.approve")?.keys).toEqual(["y", "g y"]);
    expect(registry.owner("y", aContext(here))?.id).toBe("withdrawal.approve");
    expect(registry.owner("a", aContext(here))).toBeNull();
    expect(registry.continuations(["g"], aContext(here)).map(({ chord }) => chord)).toEqual(["g y"]);
  });
  test("still run the same act under the same right", async () => {
    const deeds: unknown[] = [];
    const { registry } = registryOf([approve(deeds)]);
    registry.rebind({ keys: { "withdrawal.approve": ["y"] }, lettersOff: false });
    await registry.run(registry.owner("y", aContext(here))?.id ?? "", "key", aContext(here));
    expect(deeds).toEqual([["withdrawal.approve", aRow("w1")]]);
    expect(await registry.run("withdrawal.approve", "key", aContext({ ...here, permissions: {} }))).toBe("absent");
  });
  test("are published, and can be reset", () => {
    const registry = rebound();
    let published = 0;
    const stop = registry.subscribe(() => (published += 1));
    registry.rebind({ keys: {}, lettersOff: false });
    stop();
    registry.rebind({ keys: {}, lettersOff: true });
    expect(published).toBe(1);
    expect(registry.standard().map(({ keys }) => keys)).toEqual([["a"], ["t"]]);
    expect(registry.list().map(({ keys }) => keys)).toEqual([undefined, undefined]);
  });
});
