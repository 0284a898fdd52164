import { describe, expect, test } from "vitest";
import { expireDue } from "../../src/server/payments/lapses.ts";
import { depositHandlers } from "../../src/server/payments/deposits.ts";
import { aLine, bookLine } from "../support/bank-lines.ts";
import { testHall } from "../support/hall.ts";
import { body, only } from "../support/payments.ts";
import { atRest } from "./at-rest.ts";
import { tabTo } from "./clerk.ts";
import type { Floor } from "./floor.ts";
import { makeFloor, sitDown } from "./floor.ts";
import type { Operator } from "./operator.ts";
import { saveView } from "./save-view.ts";

const hall = testHall();

const acts = ["view", "create", "process", "approve", "reject", "reopen", "receipt", "recall"].map(
  (act) => `pas.transaction.deposits.${act}`,
);
const rights = [...acts, "pas.transaction.withdrawals.view", "pas.account.accounts.view", "pas.merchant.merchants.view"];

/** A tenant whose customers have reported so many deposits as paid. */
async function paidFloor(count: number, settings: object = {}): Promise<Floor> {
  const at = await makeFloor(hall, 0, 0, settings);
  const operator = await hall.employ(at.office, "Nurul Aisyah", rights);
  for (let n = 1; n <= count; n++) {
    // oxlint-disable-next-line no-await-in-loop -- their order is the queue's
    const { id: uuid, version } = await at.office.deposit(at.merchant, { amount: "100.00", customer_name: `Payer ${n}`, member: `M${n}` });
    // oxlint-disable-next-line no-await-in-loop -- as above
    const outcome = only(await depositHandlers.processDeposits(at.office.call(), body({ rows: [{ uuid, version }] })));
    if (!outcome.done) throw new Error(`not in process: ${outcome.problem.code}`);
  }
  return { ...at, operator };
}

const open = async (hands: Operator) => {
  await hands.pressAll("g", "d");
  await hands.page.waitForURL((url) => url.pathname === "/payment/deposits");
  // the grid of the screen before may still stand there, with the focus
  await hands.page.locator("[data-side=main] [role=grid][aria-label=Deposits]:focus").waitFor();
};

async function found({ office }: Floor) {
  const { rows } = await hall.db.owner.query<{ status: string; amount: string; asked: string | null; source: string }>(
    "select status, amount::numeric(20,2)::text as amount, asked_amount::numeric(20,2)::text as asked, source from transactions where tenant_id = $1 and kind = 'deposit' order by created_at",
    [office.tenant.id],
  );
  return rows;
}

describe("an operator at the deposits", () => {
  test("works the queue by keys alone: each is approved once, and the next stands there", async () => {
    const at = await paidFloor(6);
    const hands = await sitDown(hall, at);
    await open(hands);
    await hands.watch();
    await hands.press("q");
    let before = "";
    for (let n = 0; n < 5; n++) {
      before = await hands.look(before);
      await hands.press("a");
    }
    await hands.look(before);
    expect(hands.presses).toBeLessThanOrEqual(8);
    expect(await hands.watched()).toEqual({ onBody: 0, pointers: 0 });
    await expect
      .poll(async () => (await found(at)).map(({ status }) => status))
      .toEqual([...Array.from({ length: 5 }, () => "approved"), "process"]);
  });

  test("takes an approval back with z while its seconds run: the deposit is in process again, the money back, its callback not sent", async () => {
    const at = await paidFloor(2, { recall_seconds: 60 });
    const money = async () => [
      await at.office.balance("wallet", at.merchant.id),
      await at.office.balance("payment-account", at.account.id),
    ];
    const untouched = await money();
    const hands = await sitDown(hall, at);
    await open(hands);
    await hands.press("q");
    const first = await hands.look();
    await hands.press("a");
    await hands.look(first);
    await expect.poll(money).not.toEqual(untouched);
    // the answer has come too: `z` takes the newest back that is known here
    await hands.page.locator(".stat .undo", { hasText: first.slice(-6) }).waitFor();
    await hands.press("z");
    await hands.page.locator(".decide .id", { hasText: first }).waitFor();
    await expect.poll(money).toEqual(untouched);
    expect((await found(at)).map(({ status }) => status)).toEqual(["process", "process"]);
    const { rows } = await hall.db.owner.query("select state from outbox where tenant_id = $1", [at.office.tenant.id]);
    expect(rows).toEqual([{ state: "cancelled" }]);
  });

  test("saves what is filtered as a view on a digit: it is there after a reload, and a row another decides under the cursor stays as a tombstone", async () => {
    const at = await paidFloor(2);
    await at.office.deposit(at.merchant, { amount: "900.00", customer_name: "Large Payer", member: "M9" });
    const hands = await sitDown(hall, at, "us", { path: "/payment/deposits?view=all&amount=50..500" });
    const { page } = hands;
    const rows = () => page.locator("[data-side=main] .grid .rows .row[aria-rowindex]");
    await expect.poll(() => rows().count()).toBe(2);
    await page.locator("[data-side=main] [role=grid][aria-label=Deposits]:focus").waitFor();
    await saveView(hands, "Small ones", "8");
    await hands.press("7");
    await expect.poll(() => rows().count()).toBe(3);
    await page.reload();
    await page.locator(".tabs [role=tab]", { hasText: "Small ones" }).waitFor();
    await expect.poll(() => rows().count()).toBe(3);
    await hands.press("8");
    await expect.poll(() => rows().count()).toBe(2);
    await page.locator(".tabs [aria-selected=true]", { hasText: "Small ones" }).waitFor();

    await hands.press("1");
    await page.locator(".tabs [aria-selected=true]", { hasText: "To decide" }).waitFor();
    await page.locator(".decide .amt", { hasText: "100.00" }).waitFor();
    // the live line stands again since the reload
    await atRest(page);
    const shown = await hands.target();
    // a tombstone stands 3 s by this clock
    await page.evaluate(() => {
      const now = Date.now();
      Date.now = () => now;
    });
    const { rows: versions } = await hall.db.owner.query<{ uuid: string; version: number }>(
      "select id as uuid, version from transactions where tenant_id = $1 and txn_no = $2",
      [at.office.tenant.id, shown],
    );
    const call = { ...at.office.call(at.office.ann), deps: { ...at.office.deps, publisher: hall.server().deps.publisher } };
    const reason = { code: "duplicate" } as const;
    const outcome = only(await depositHandlers.rejectDeposits(call, body({ rows: versions, reason })));
    expect(outcome.done).toBe(true);
    await page.locator(".row.tombstone", { hasText: shown.slice(-6) }).waitFor();
    // its keys say who took it
    await hands.press("a");
    await hands.said(/Ann Lim has just rejected this deposit|This deposit is no longer in the list/);
  });

  test("marks one as paid with its reference, then approves it with the amount that arrived: both amounts stay in view", async () => {
    const at = await paidFloor(0);
    await at.office.deposit(at.merchant, { amount: "100.00" });
    const hands = await sitDown(hall, at);
    const { page } = hands;
    await open(hands);
    // waiting for its payment
    await hands.press("3");
    await page.locator(".decide .amt", { hasText: "100.00" }).waitFor();
    await hands.press("p");
    await page.locator(".sheet input:focus").waitFor();
    await page.keyboard.type("REF-2611");
    await hands.press("Enter");
    await hands.said(/waits to be decided/);
    await hands.pressAll("1", "q");
    await hands.look();
    await page.keyboard.press("Shift+A");
    await page.locator(".sheet input:focus").waitFor();
    await page.keyboard.type("95.50");
    await page.locator(".sheet-amounts", { hasText: "−4.50" }).waitFor();
    // plain Enter moves no money
    await hands.press("Enter");
    await page.keyboard.press("Tab");
    await page.keyboard.type("the bank kept a charge");
    await hands.press("Enter", { mod: true });
    await hands.said(/1 approved|Approved/);
    expect(await found(at)).toEqual([{ status: "approved", amount: "95.50", asked: "100.00", source: "api" }]);
    await hands.press("Escape");
    await page.goto(`${hall.url()}/payment/deposits?view=all`);
    await page.locator(".decide .amt", { hasText: "Asked 100.00" }).waitFor();
  });

  test("sees late money as its bank line comes, and reopens it with a reason, from the palette", async () => {
    const at = await paidFloor(0);
    const operator = await hall.employ(at.office, "Siti Hajar", [...rights, "pas.transaction.bank-transactions.view"]);
    for (const amount of ["100.00", "200.00"]) await at.office.deposit(at.merchant, { amount });
    await hall.db.owner.query("update transactions set expires_at = now() - interval '1 minute' where tenant_id = $1", [
      at.office.tenant.id,
    ]);
    await expireDue(at.office.deps, at.office.tenant.id, 10);
    const hands = await sitDown(hall, { operator }, "us", { path: "/payment/deposits?view=late" });
    const { page } = hands;
    // nothing of it is late money while no line fits
    await page.locator("[data-side=main] .empty").waitFor();
    const comes = async (amount: string) => {
      const line = await bookLine({ db: hall.db, tenant: at.office.tenant }, at.account.id, aLine({ amount }));
      hall.server().deps.publisher.changed(at.office.tenant.id, "bankLine", [line.id]);
    };
    await comes("200.00");
    await page.locator(".decide .amt", { hasText: "200.00" }).waitFor();
    // by now the live line stands: the second comes by its event alone
    await comes("100.00");
    await page.locator(".pill", { hasText: "1 new" }).waitFor();
    await page.locator(".decide .st", { hasText: "Expired" }).waitFor();
    await page.keyboard.press("Control+k");
    await page.keyboard.type("reopen");
    await page.locator("[cmdk-item][data-selected=true]", { hasText: "Reopen for late money" }).waitFor();
    await hands.press("Enter");
    await page.locator(".sheet textarea:focus").waitFor();
    await page.keyboard.type("the money came at 9:40");
    await hands.press("Enter", { mod: true });
    await hands.said(/Reopened/);
    expect((await found(at)).map(({ status, amount }) => [amount, status])).toEqual([
      ["100.00", "expired"],
      ["200.00", "process"],
    ]);
  });
});

test("a deposit made by hand is written by keys; nothing proves it, so it waits for a second person", async () => {
  const at = await paidFloor(0);
  const hands = await sitDown(hall, at);
  const { page } = hands;
  await open(hands);
  await hands.press("c");
  await page.locator(".sheet [role=combobox]:focus").waitFor();
  const choose = async (typed: string) => {
    await page.keyboard.type(typed);
    await page.locator(".sheet [role=option]").first().waitFor();
    await hands.press("Enter");
  };
  await choose(at.merchant.name);
  for (const [label, typed] of [
    [/^Amount/, "250.00"],
    [/^Member/, "M-77"],
    [/^Customer name/, "Lim Mei Hua"],
  ] as const) {
    await tabTo(page, label);
    await page.keyboard.press("Control+a");
    await page.keyboard.type(typed);
  }
  await tabTo(page, /^Payment account/);
  await choose(at.account.code);
  await hands.press("Enter", { mod: true });
  await hands.said(/Created/);
  expect(await found(at)).toEqual([{ status: "process", amount: "250.00", asked: null, source: "manual" }]);
  await page.locator(".decide", { hasText: "Lim Mei Hua" }).waitFor();
  await page.locator(".ck.is-warn", { hasText: "Proof of the payment" }).waitFor();
});
