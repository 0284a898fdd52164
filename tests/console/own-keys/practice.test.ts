import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { withdrawalCommands } from "../../../commands/withdrawals/commands.ts";
import { commands } from "../../../commands/index.ts";
import { setAmountDecimals } from "../../../src/console/kit/look/amounts.ts";
import { createKeyEngine } from "../../../src/console/kit/keys/keys.ts";
import { comesLater } from "../../../src/console/kit/commands/command-list.ts";
import { createRegistry } from "../../../src/console/kit/commands/registry.ts";
import type { Registry } from "../../../src/console/kit/commands/registry.ts";
import { createBestResult, isBetter } from "../../../src/console/own-keys/practice/best-result.ts";
import { checksOf, fakeWithdrawals } from "../../../src/console/own-keys/practice/fake-withdrawals.ts";
import { practiceColumns } from "../../../src/console/own-keys/practice/practice-columns.ts";
import { practiceCommands } from "../../../src/console/own-keys/practice/practice-commands.ts";
import type { TenantRules } from "../../../src/console/own-keys/practice/tenant-rules.ts";
import { PracticeRun } from "../../../src/console/own-keys/practice/practice-run.ts";
import type { Questions } from "../../../src/console/kit/commands/services.ts";
import { aContext, notingServices, usKey } from "../kit/fakes.ts";
import type { Deeds } from "../kit/fakes.ts";

const rejections = ["name-mismatch", "over-limit", "duplicate"];
const plain: TenantRules = { reasons: rejections.map((code) => ({ code, text: null })), confirmFrom: null };

const clean = { decided: 20, seconds: 60, over: 0, wrong: 0 };

/** The real commands' registry, and a practice queue made from it; sheets are answered at once with the given reason. */
function practising(rebind: Parameters<Registry["rebind"]>[0] = { keys: {}, lettersOff: false }, rules: TenantRules = plain) {
  const real = createRegistry([...withdrawalCommands, ...commands.filter((part) => !comesLater(part))], {
    services: notingServices().services,
    routedScreens: new Set(),
  });
  real.rebind(rebind);
  let time = 0;
  const run = new PracticeRun(rules, () => time);
  const asked: Deeds = [];
  const undos: (() => Promise<void>)[] = [];
  const questions: [string, Questions["reason"]["asked"]][] = [];
  let reason = "name-mismatch";
  const { services: noting } = notingServices(asked);
  const services = new Proxy(noting, {
    get(deps, service) {
      if (service === "ask")
        return async (kind: string, question: Questions["reason"]["asked"]) => {
          questions.push([kind, question]);
          return kind === "money" ? true : { code: reason };
        };
      if (service === "pushUndo") return (undo: { back(): Promise<void> }) => undos.push(undo.back);
      if (service === "undoLast") return () => undos.pop()?.();
      return Reflect.get(deps, service);
    },
  });
  let left = 0;
  const registry = createRegistry(
    practiceCommands(real, run, () => (left += 1)),
    { services, routedScreens: new Set() },
  );
  const engine = createKeyEngine({
    registry,
    read: () => aContext({ now: time }),
    say: () => undefined,
    onHint: () => undefined,
    apple: false,
  });
  async function press(...keys: string[]): Promise<void> {
    for (const key of keys) {
      time += 1000;
      run.pressed();
      engine.press(usKey(key));
      // oxlint-disable-next-line no-await-in-loop -- one key after the other
      await vi.advanceTimersByTimeAsync(0);
    }
  }
  return {
    run,
    press,
    asked,
    questions,
    left: () => left,
    pick: (code: string) => (reason = code),
    hurry: () => {
      engine.press(usKey("a"));
    },
  };
}

beforeEach(() => void vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

describe("the practice queue", () => {
  test("has twenty withdrawals, the same each time, whose checks show the right decision", () => {
    const rows = fakeWithdrawals();
    expect(rows).toEqual(fakeWithdrawals());
    expect(new Set(rows.map(({ uuid }) => uuid)).size).toBe(20);
    for (const row of rows) {
      const results = checksOf(row).map(({ result }) => result);
      const wanted = row.right === "approve" ? "pass" : row.right === "wait" ? "unknown" : "fail";
      expect(results.includes(wanted) && (wanted !== "pass" || results.every((result) => result === "pass")), row.uuid).toBe(true);
    }
  });

  test.each([
    [0, "1,250", "182,400 ≥ 0"],
    [2, "1,250.00", "182,400.00 ≥ 0"],
    [3, "1,250.000", "182,400.000 ≥ 0"],
  ])("writes amounts with the %i decimals of the currency one works in", (decimals, amount, balance) => {
    setAmountDecimals(decimals);
    const [row] = fakeWithdrawals();
    if (!row) throw new Error("there are twenty");
    const shown = practiceColumns().find(({ id }) => id === "amount");
    expect(shown?.text(row)).toBe(amount);
    expect(checksOf(row).map(({ value }) => value)).toContain(balance);
    setAmountDecimals(2);
  });

  test("decided correctly: nothing wrong, no extra key", async () => {
    const { run, press, pick } = practising();
    for (let guard = 0; guard < 60 && run.getState().endedAt === null; guard++) {
      const right = run.getState().current?.right ?? "approve";
      if (right === "approve") await press("a");
      else if (right === "wait") await press("h");
      else {
        pick(right);
        await press("r");
        run.pressed();
        run.pressed(); // the reason's digit and Enter belong to the sheet
      }
    }
    expect(run.result()).toMatchObject({ decided: 20, over: 0, wrong: 0 });
    expect(run.getState().mistakes).toEqual([]);
  });

  test("approving what fails, and rejecting for another reason, are wrong decisions", async () => {
    const { run, press, pick } = practising();
    await press("a", "a", "a");
    expect(run.getState().mistakes.map(({ right }) => right)).toEqual(["name-mismatch"]);
    pick("duplicate");
    await press("a", "a", "r");
    expect(run.getState().mistakes.map(({ right }) => right)).toEqual(["name-mismatch", "over-limit"]);
  });

  test("the tenant's reasons are on the digits, and from its amount on an approval is confirmed", async () => {
    const rules = {
      reasons: [
        { code: "house", text: "Ask the house" },
        { code: "duplicate", text: null },
      ],
      confirmFrom: "1250.00",
    };
    const { run, press, pick, questions } = practising(undefined, rules);
    await press("a");
    await press("a");
    expect(questions.map(([kind]) => kind)).toEqual(["money"]);
    pick("house");
    await press("r");
    expect(questions.at(-1)?.[1].presets).toEqual([
      { code: "house", text: "Ask the house" },
      { code: "duplicate", text: "reason.duplicate" },
    ]);
    // the tenant has no reason for a payee with another name
    expect(run.getState()).toMatchObject({ decided: 3, mistakes: [] });
  });

  test("z undoes the decision, and the mistake with it", async () => {
    const { run, press } = practising();
    await press("a", "a", "a", "z");
    expect(run.getState()).toMatchObject({ decided: 2, mistakes: [] });
    expect(run.getState().current?.right).toBe("name-mismatch");
    expect(run.getState().current?.status).toBe("process");
  });

  test("h moves it to the end, where its missing check has arrived", async () => {
    const { run, press } = practising();
    await press("a", "a", "n", "a", "a", "n", "a");
    const waiting = run.getState().current;
    expect(waiting?.right).toBe("wait");
    await press("h");
    expect(run.source.at(19)).toMatchObject({ uuid: waiting?.uuid, right: "approve", status: "process" });
  });

  test("n skips and t claims; both cost a key and decide nothing", async () => {
    const { run, press } = practising();
    await press("t", "n");
    expect(run.getState()).toMatchObject({ decided: 0, presses: 2 });
    expect(run.source.at(0)?.claimed).toBe(true);
    expect(run.getState().current).toBe(run.source.at(1));
  });

  test("approving right after a record appears is refused, as on the withdrawals screen", async () => {
    const { run, press, hurry } = practising();
    await press("a");
    hurry();
    await vi.advanceTimersByTimeAsync(0);
    expect(run.getState().decided).toBe(1);
  });

  test("uses the keys as they are bound now", async () => {
    const { run, press } = practising({ keys: { "withdrawal.approve": ["y"] }, lettersOff: false });
    await press("a");
    expect(run.getState().decided).toBe(0);
    await press("y");
    expect(run.getState().decided).toBe(1);
  });

  test("uses no service but sheets, messages and undo; Esc leaves", async () => {
    const { press, asked, left } = practising();
    await press("a", "r", "h", "n", "t", "z", "Escape");
    expect(asked.filter(([service]) => !["say"].includes(service))).toEqual([]);
    expect(left()).toBe(1);
  });
});

test("fewer mistakes come before speed, and speed before key presses", () => {
  expect(isBetter(clean, null)).toBe(true);
  expect(isBetter(clean, { ...clean, wrong: 1, seconds: 10 })).toBe(true);
  expect(isBetter({ ...clean, seconds: 59, over: 9 }, clean)).toBe(true);
  expect(isBetter({ ...clean, over: 1 }, clean)).toBe(false);
  expect(isBetter(clean, clean)).toBe(false);
});

test("the best result belongs to the user, stays in the browser, and only a better one replaces it", () => {
  const kept = new Map<string, string>();
  const storage = { getItem: (key: string) => kept.get(key) ?? null, setItem: (key: string, value: string) => void kept.set(key, value) };
  let user: string | null = "aisyah";
  const make = () => createBestResult(() => user, storage as Storage); // what of it is used
  const best = make();
  expect([best.offer(clean), best.offer({ ...clean, wrong: 2 }), best.offer({ ...clean, seconds: 50 })]).toEqual([true, false, true]);
  expect([best.read(), make().read()]).toEqual([
    { ...clean, seconds: 50 },
    { ...clean, seconds: 50 },
  ]);
  user = "ben";
  expect(best.read()).toBeNull();
  expect(best.offer({ ...clean, wrong: 3 })).toBe(true);
  user = null;
  expect([best.read(), best.offer(clean)]).toEqual([null, false]);
});
