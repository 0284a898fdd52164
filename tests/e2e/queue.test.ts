import { beforeAll, describe, expect, test } from "vitest";
import { testHall } from "../support/hall.ts";
import type { Office } from "../support/payments.ts";
import type { Floor } from "./floor.ts";
import { makeFloor, sitDown } from "./floor.ts";

const hall = testHall();

async function decided(office: Office): Promise<Record<string, number>> {
  const { rows } = await hall.db.owner.query<{ status: string; count: string }>(
    "select status, count(*) from transactions where tenant_id = $1 group by status",
    [office.tenant.id],
  );
  return Object.fromEntries(rows.map(({ status, count }) => [status, Number(count)]));
}

async function acts(office: Office, act: string): Promise<number> {
  const { rows } = await hall.db.owner.query<{ count: string }>(
    "select count(*) from transaction_events where tenant_id = $1 and act = $2",
    [office.tenant.id, act],
  );
  return Number(rows[0]?.count);
}

describe("an operator clears the queue", () => {
  let busy: Floor;
  beforeAll(async () => {
    busy = await makeFloor(hall, 47, 5);
  });

  test("50 withdrawals, five of tier 2, with at most 63 key presses and no pointer, each decided once", async () => {
    const hands = await sitDown(hall, busy);
    await hands.pressAll("g", "w");
    await hands.page.locator("[role=grid] [role=row][aria-rowindex='2']").waitFor();
    await hands.watch();
    await hands.press("q");
    let before = "";
    for (let n = 0; n < 50; n++) {
      before = await hands.look(before);
      // before the key, after which the next may be shown already
      const isDoubtful = (await hands.page.locator(".decide .tag.warn").count()) > 0;
      await hands.press("a");
      if (isDoubtful) {
        await hands.page.locator("[role=alertdialog]").waitFor();
        await hands.press("Enter", { mod: true });
      }
    }
    await hands.look(before);
    expect(hands.presses).toBeLessThanOrEqual(63);
    expect(await hands.watched()).toEqual({ onBody: 0, pointers: 0 });
    await expect.poll(() => decided(busy.office)).toEqual({ approved: 50, process: 1, pending: 1 });
    expect(await acts(busy.office, "approve")).toBe(50);
    const { rows } = await hall.db.owner.query<{ keys: string; effects: string }>(
      `select count(distinct k.key) as keys, count(distinct k.transaction_id) as effects from idempotency_keys k
        join transactions t on t.id = k.transaction_id where k.tenant_id = $1 and t.status = 'approved' and k.event_n = t.events`,
      [busy.office.tenant.id],
    );
    expect(rows[0]).toEqual({ keys: "50", effects: "50" });
  });
});

test("g w q, typed without a pause from another screen, takes the oldest there", async () => {
  const at = await makeFloor(hall, 2);
  const hands = await sitDown(hall, at);
  await hands.pressAll("g", "h");
  await hands.page.waitForURL((url) => url.pathname === "/dashboard");
  await hands.page.locator(".stat .mode").waitFor();
  await hands.pressAll("g", "w", "q");
  expect(await hands.look()).not.toBe("");
  expect(await acts(at.office, "claim")).toBe(1);
});

test("q before the list has come: the cursor stands on what was taken, though another's stands above it", async () => {
  const at = await makeFloor(hall, 0);
  await at.office.claimed(at.merchant);
  const { txn_no } = await at.office.withdraw(at.merchant);
  const hands = await sitDown(hall, at);
  const { page } = hands;
  await hands.pressAll("g", "h");
  await page.waitForURL((url) => url.pathname === "/dashboard");
  const taken = page.waitForResponse((response) => response.url().endsWith("/take-next"));
  const list = page.waitForRequest(/v1\/withdrawals\?/);
  await page.route(/v1\/withdrawals\?/, async (route) => {
    await taken;
    await route.continue();
  });
  await hands.pressAll("g", "w");
  await list;
  // what was missed is asked for, too, before the list has come: the counters are the first of it
  const missed = page.waitForRequest(/\/notification\/details$/);
  await page.evaluate(() => document.dispatchEvent(new Event("visibilitychange")));
  await missed;
  await hands.press("q");
  expect(await hands.look()).toBe(txn_no);
});

describe("one press, one decision", () => {
  test("a held down for two seconds decides one", async () => {
    const at = await makeFloor(hall, 5);
    const hands = await sitDown(hall, at);
    await hands.pressAll("g", "w", "q");
    const first = await hands.look();
    await hands.press("a", { held: 60 });
    await hands.look(first);
    expect(await acts(at.office, "approve")).toBe(1);
  });

  test("a right after a record appears is refused: it has not been read", async () => {
    const at = await makeFloor(hall, 3);
    const hands = await sitDown(hall, at);
    await hands.pressAll("g", "w", "q");
    const first = await hands.look();
    // pressed by the page itself in the frame in which the next record is named: no wire is as quick every time
    const watching = await hands.page.evaluateHandle(
      (known) => ({
        tooSoon: new Promise<void>((pressed) => {
          const look = () => {
            const named = document.querySelector<HTMLElement>(".stat .aim .id")?.innerText ?? "";
            if (named === "" || named === known) return void requestAnimationFrame(look);
            document.activeElement?.dispatchEvent(
              new KeyboardEvent("keydown", { key: "a", code: "KeyA", bubbles: true, cancelable: true }),
            );
            pressed();
          };
          look();
        }),
      }),
      first,
    );
    await hands.press("a");
    await watching.evaluate(({ tooSoon }) => tooSoon);
    await hands.said(/only just appeared|still loading|not on screen/);
    expect(await acts(at.office, "approve")).toBe(1);
  });
});

describe("what can be taken back, and what cannot be paid", () => {
  test("z within the window: back in process, hold and account restored, no callback sent", async () => {
    const at = await makeFloor(hall, 2, 0, { recall_seconds: 60 });
    const money = async () => [
      await at.office.balance("hold", at.merchant.id),
      await at.office.balance("payment-account", at.account.id),
      await at.office.balance("wallet", at.merchant.id),
    ];
    const untouched = await money();
    const hands = await sitDown(hall, at);
    await hands.pressAll("g", "w", "q");
    const first = await hands.look();
    await hands.press("a");
    await hands.look(first);
    await expect.poll(money).not.toEqual(untouched);
    // the answer has come too: `z` takes the newest back that is known here
    await hands.page.locator(".stat .undo", { hasText: first.slice(-6) }).waitFor();
    await hands.press("z");
    await hands.page.waitForFunction((id) => document.querySelector<HTMLElement>(".decide .id")?.innerText === id, first);
    await expect.poll(money).toEqual(untouched);
    expect(await decided(at.office)).toEqual({ process: 2 });
    const { rows } = await hall.db.owner.query(
      "select o.state, count(a.n) as tries from outbox o left join callback_attempts a on a.outbox_id = o.id where o.tenant_id = $1 group by o.state",
      [at.office.tenant.id],
    );
    expect(rows).toEqual([{ state: "cancelled", tries: "0" }]);
  });

  test.each(["us", "ru", "ar"])("r 1 Enter rejects and frees the hold, on the %s layout", async (layout) => {
    const at = await makeFloor(hall, 2);
    const hands = await sitDown(hall, at, layout);
    await hands.pressAll("g", "w", "q");
    const first = await hands.look();
    await hands.press("r");
    await hands.page.locator(".sheet").waitFor();
    await hands.pressAll("1", "Enter");
    await hands.look(first);
    expect(await decided(at.office)).toEqual({ rejected: 1, process: 1 });
    const { rows } = await hall.db.owner.query("select reject_reason from transactions where tenant_id = $1 and status = 'rejected'", [
      at.office.tenant.id,
    ]);
    expect(rows).toEqual([{ reject_reason: "name-mismatch" }]);
    expect(await at.office.balance("hold", at.merchant.id)).toBe("100.00");
  });

  test("r 1 Enter, typed on while the page is busy, rejects: no key meant for the sheet reaches the rows", async () => {
    const at = await makeFloor(hall, 2);
    const hands = await sitDown(hall, at);
    await hands.pressAll("g", "w", "q");
    const first = await hands.look();
    // the sheets are there
    await hands.press("r");
    await hands.page.locator(".sheet").waitFor();
    await hands.press("Escape");
    await hands.page.locator(".sheet").waitFor({ state: "detached" });
    const busy = hands.page.evaluate(
      () =>
        new Promise<void>((done) => {
          setTimeout(() => {
            const until = performance.now() + 1_000;
            while (performance.now() < until);
            done();
          });
        }),
    );
    await Promise.all(["r", "1", "Enter"].map((key) => hands.press(key)));
    await busy;
    await hands.look(first);
    expect(await decided(at.office)).toEqual({ rejected: 1, process: 1 });
  });

  test.each(["ru", "ar"])("approving, confirming and taking back work on the %s layout", async (layout) => {
    const at = await makeFloor(hall, 1, 1, { recall_seconds: 60 });
    const hands = await sitDown(hall, at, layout);
    await hands.pressAll("g", "w", "q");
    const first = await hands.look();
    await hands.press("a");
    await hands.page.locator("[role=alertdialog]").or(hands.page.locator(".stat .undo")).first().waitFor();
    if (await hands.page.locator("[role=alertdialog]").count()) await hands.press("Enter", { mod: true });
    const second = await hands.look(first);
    await hands.press("a");
    await hands.page.waitForFunction(
      (known) =>
        document.querySelector("[role=alertdialog]") !== null || document.querySelector<HTMLElement>(".stat .aim .id")?.innerText !== known,
      second,
    );
    if (await hands.page.locator("[role=alertdialog]").count()) await hands.press("Enter", { mod: true });
    await expect.poll(() => decided(at.office)).toEqual({ approved: 2 });
    // the answer has come too: `z` takes the newest back that is known here
    await hands.page.locator(".stat .undo", { hasText: second.slice(-6) }).waitFor();
    await hands.press("z");
    await expect.poll(() => decided(at.office)).toEqual({ approved: 1, process: 1 });
  });
});
