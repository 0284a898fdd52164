import { describe, expect, test } from "vitest";
import { makeAccount } from "../support/factories.ts";
import { signIn, testHall } from "../support/hall.ts";
import { atRest } from "./at-rest.ts";
import { makeFloor, sitDown } from "./floor.ts";
import type { Operator } from "./operator.ts";

const hall = testHall();

const rows = (hands: Operator) => hands.page.locator(".grid .rows .row[aria-rowindex]");
const open = async (hands: Operator) => {
  await hands.pressAll("g", "w");
  await rows(hands).first().waitFor();
};
const type = (hands: Operator, text: string) => hands.page.keyboard.type(text);

describe("finding", () => {
  test("a column's filter stands in the address as text, survives a reload, and comes off again", async () => {
    const at = await makeFloor(hall, 3);
    await at.office.withdraw(at.merchant, { amount: "750.00" });
    const hands = await sitDown(hall, at);
    await open(hands);
    await hands.pressAll("ArrowRight", "ArrowRight", "f");
    await hands.page.locator(".sheet input").waitFor();
    await type(hands, "500..1000");
    await hands.press("Enter");
    await expect.poll(() => rows(hands).count()).toBe(1);
    expect(new URL(hands.page.url()).searchParams.get("amount")).toBe("500..1000");
    await hands.page.reload();
    await expect.poll(() => rows(hands).count()).toBe(1);
    await hands.page.keyboard.press("Shift+Backspace");
    await expect.poll(() => rows(hands).count()).toBe(4);
    expect(new URL(hands.page.url()).searchParams.has("amount")).toBe(false);
  });

  test("a second column joins the order by Shift+S, by Shift+Enter in the header too; the address names both, a reload keeps them", async () => {
    const at = await makeFloor(hall, 0);
    for (const [customer_name, amount] of [
      ["Ben", "200.00"],
      ["Ann", "100.00"],
      ["Cat", "100.00"],
      ["Dan", "200.00"],
    ] as const)
      await at.office.withdraw(at.merchant, { amount, customer_name, holder: customer_name });
    const hands = await sitDown(hall, at);
    await open(hands);
    const people = () =>
      rows(hands).evaluateAll((all) =>
        all
          .toSorted((a, b) => Number(a.getAttribute("aria-rowindex")) - Number(b.getAttribute("aria-rowindex")))
          .map((row) => /Ann|Ben|Cat|Dan/.exec(row.textContent)?.[0])
          .join(" "),
      );
    const sort = () => new URL(hands.page.url()).searchParams.get("sort");
    const marks = () => hands.page.locator(".hd [role=columnheader]:is([aria-sort=ascending], [aria-sort=descending])").count();
    await hands.pressAll("ArrowRight", "ArrowRight", "s");
    await expect.poll(sort).toBe("amount");
    // the cursor goes with its row
    await expect.poll(people).toBe("Ann Cat Ben Dan");
    // into the header and on to the customers, wherever the cursor stands
    const title = async () => (await hands.page.locator(".hd .cursor .title").allInnerTexts())[0];
    for (let presses = 0; presses < 5 && (await title()) === undefined; presses++) await hands.page.keyboard.press("ArrowUp");
    for (let presses = 0; presses < 10 && (await title()) !== "Customer"; presses++) await hands.press("ArrowRight");
    expect(await title()).toBe("Customer");
    await hands.page.keyboard.press("Shift+Enter");
    await expect.poll(sort).toBe("amount,customer_name");
    await expect.poll(people).toBe("Ann Cat Ben Dan");
    await hands.page.keyboard.press("ArrowDown");
    await hands.page.keyboard.press("Shift+S");
    await expect.poll(sort).toBe("amount,-customer_name");
    await expect.poll(people).toBe("Cat Ann Dan Ben");
    expect(await marks()).toBe(2);
    await hands.page.reload();
    await expect.poll(people).toBe("Cat Ann Dan Ben");
    expect([sort(), await marks()]).toEqual(["amount,-customer_name", 2]);
  });

  test("the day of a row is that of its zone: a row passes the filter by its own age; the chip's cross takes it off", async () => {
    const at = await makeFloor(hall, 2);
    // some days ago in the evening of UTC: the day after in the zone
    const evening = new Date(Date.now() - 3 * 86_400_000);
    evening.setUTCHours(20, 0, 0, 0);
    const dayAfter = new Date(evening.getTime() + 86_400_000).toISOString().slice(0, 10);
    await hall.db.owner.query(
      "update transactions set created_at = $2 where id = (select id from transactions where tenant_id = $1 order by created_at limit 1)",
      [at.office.tenant.id, evening],
    );
    const hands = await sitDown(hall, at);
    await open(hands);
    await expect.poll(() => rows(hands).count()).toBe(2);
    await hands.press("ArrowRight");
    await hands.page.keyboard.press("Shift+F");
    await expect.poll(() => new URL(hands.page.url()).searchParams.get("created")).toBe(dayAfter);
    await hands.page.locator(".chip .chip-off").waitFor();
    await expect.poll(() => rows(hands).count()).toBe(1);
    await hands.page.locator(".chip .chip-off").click();
    await expect.poll(() => new URL(hands.page.url()).searchParams.has("created")).toBe(false);
    await expect.poll(() => rows(hands).count()).toBe(2);
  });

  test("wherever a time is written, or only an age, the pointer is told it in UTC", async () => {
    const at = await makeFloor(hall, 1);
    await hall.db.owner.query("update transactions set created_at = '2026-11-19T20:30:15Z' where tenant_id = $1", [at.office.tenant.id]);
    const hands = await sitDown(hall, at);
    await open(hands);
    const { page } = hands;
    const whole = "\u20682026-11-20 04:30 AM\u2069 · 2026-11-19 20:30:15 UTC";
    const cell = rows(hands)
      .first()
      .locator("[role=gridcell]", { has: page.locator(".age") });
    await cell.hover();
    await expect.poll(() => cell.getAttribute("title")).toBe(whole);
    await page.locator(`.decide .top [title="${whole}"]`).waitFor();
    const event = page.locator(".sec.last .ln time[datetime]").first();
    const moment = new Date((await event.getAttribute("datetime")) ?? "").toISOString().slice(0, 19).replace("T", " ");
    // its day is written, too
    expect(await event.innerText()).toMatch(/^\d{4}-\d\d-\d\d \d\d:\d\d [AP]M$/);
    expect(await event.getAttribute("title")).toBe(`${moment} UTC`);
    await page.locator("header .pick[title$=' UTC']", { hasText: "+08:00" }).waitFor();
  });

  test("a column without a filter asks which: the member and the account are there; two statuses join one filter", async () => {
    const at = await makeFloor(hall, 1);
    await at.office.withdraw(at.merchant, { member: "VIP-7", amount: "70.00" });
    const hands = await sitDown(hall, at);
    await open(hands);
    await expect.poll(() => rows(hands).count()).toBe(2);
    await hands.page.keyboard.press("End");
    // the claim has a filter, the flags two columns before it have none
    await hands.page.keyboard.press("ArrowLeft");
    await hands.page.keyboard.press("ArrowLeft");
    await hands.press("f");
    await hands.page.locator(".sheet", { hasText: "Filter by what?" }).waitFor();
    const choice = hands.page.locator(".sheet .option", { hasText: "Member" });
    await hands.press((await choice.locator("kbd").innerText()).trim());
    await hands.page.locator(".sheet input").waitFor();
    await type(hands, "VIP-7");
    await hands.press("Enter");
    await expect.poll(() => rows(hands).count()).toBe(1);
    expect(new URL(hands.page.url()).searchParams.get("member")).toBe("VIP-7");
    await hands.page.keyboard.press("Home");
    const filter = () => new URL(hands.page.url()).searchParams.get("status");
    for (const [digit, text, shown] of [
      ["1", "pending", "Status Pending"],
      ["2", "pending,process", "Status Pending, Process"],
      ["1", "process", "Status Process"],
    ] as const) {
      await hands.press("f");
      await hands.page.locator(".sheet .option").first().waitFor();
      await hands.press(digit);
      await expect.poll(filter).toBe(text);
      await hands.page.locator(".chip", { hasText: shown }).waitFor();
    }
  });

  test("what cannot be read as a filter is said, and what was typed stays", async () => {
    const at = await makeFloor(hall, 1);
    const hands = await sitDown(hall, at);
    await open(hands);
    await hands.pressAll("ArrowRight", "ArrowRight", "f");
    await hands.page.locator(".sheet input").waitFor();
    await type(hands, "ten");
    await hands.press("Enter");
    await hands.said(/cannot be read/);
    expect(await hands.page.locator(".sheet input").inputValue()).toBe("ten");
  });

  test("the palette finds a withdrawal by its number and puts the cursor on it", async () => {
    const at = await makeFloor(hall, 3);
    const { txn_no } = await at.office.withdraw(at.merchant, { amount: "333.00" });
    const hands = await sitDown(hall, at);
    await hands.press("k", { mod: true });
    await hands.page.locator("[cmdk-input]").waitFor();
    await type(hands, txn_no);
    await hands.page.locator("[cmdk-item][data-selected=true]", { hasText: txn_no }).waitFor();
    await hands.press("Enter");
    await expect.poll(() => hands.target()).toBe(txn_no);
    await hands.page.locator(".decide", { hasText: "333.00" }).waitFor();
  });

  test("a link to a record leads through sign-in to that record", async () => {
    const at = await makeFloor(hall, 3);
    const { id, txn_no } = await at.office.withdraw(at.merchant);
    const page = await hall.open({ path: `/payment/withdrawals?view=all&record=${id}` });
    await page.waitForURL(
      (url) => url.pathname === "/login" && url.searchParams.get("redirect") === `/payment/withdrawals?view=all&record=${id}`,
    );
    await signIn(page, at.operator);
    await expect.poll(() => page.locator(".stat .aim .id").innerText()).toBe(txn_no);
  });

  test("nothing matching says so and offers the way back", async () => {
    const at = await makeFloor(hall, 1);
    const hands = await sitDown(hall, at);
    await open(hands);
    await hands.press("/");
    await type(hands, "nobody of that name");
    await hands.page.locator(".empty", { hasText: "Nothing matches these filters." }).waitFor();
    const field = hands.page.locator(".find input");
    const isIn = (place: string) => hands.page.evaluate((selector) => document.activeElement?.closest(selector) !== null, place);
    // once to the rows with what was typed, twice clears it
    await hands.press("Escape");
    await expect.poll(() => isIn("[role=grid]")).toBe(true);
    expect(await field.inputValue()).toBe("nobody of that name");
    await hands.press("Escape");
    await expect.poll(() => rows(hands).count()).toBe(1);
    expect(await field.inputValue()).toBe("");
    for (const key of ["Enter", "ArrowDown"]) {
      await hands.press("/");
      expect(await isIn(".find")).toBe(true);
      await hands.press(key);
      expect(await isIn("[role=grid]")).toBe(true);
    }
  });
});

describe("many at once", () => {
  test("marked rows are approved after one confirmation; what must be approved by itself is left out and stays", async () => {
    const at = await makeFloor(hall, 2, 1);
    const payee = { customer_name: "Muhammad Hafiz bin Abdul Rahman", holder: "SITI AMINAH BINTI YUSOF" };
    await at.office.withdraw(at.merchant, { amount: "100.00", ...payee });
    const hands = await sitDown(hall, at);
    await open(hands);
    await hands.page.keyboard.press("Control+a");
    await hands.press("a");
    await hands.page.locator(".bulk", { hasText: "tier 2: approve it separately" }).first().waitFor();
    // the reasons stand in one column, however long a name before them is
    const reasons = hands.page.locator(".bulk-rows li > .grow");
    const begins = await reasons.evaluateAll((all) => all.map((one) => Math.round(one.getBoundingClientRect().left)));
    expect([begins.length, new Set(begins).size]).toEqual([2, 1]);
    await hands.press("Enter");
    await hands.press("Enter", { mod: true });
    await hands.page.locator(".bulk-counts", { hasText: "Done 2" }).waitFor();
    await hands.press("Escape");
    await expect.poll(() => rows(hands).count()).toBe(2);
    const { rows: found } = await hall.db.owner.query(
      "select status, count(*)::integer as n from transactions where tenant_id = $1 group by 1 order by 1",
      [at.office.tenant.id],
    );
    expect(found).toEqual([
      { status: "approved", n: 2 },
      { status: "pending", n: 2 },
    ]);
  });

  test("Mod+A twice marks all that match, loaded or not; one that another holds is left out of the rejection and stays", async () => {
    const at = await makeFloor(hall, 103);
    const dewi = await sitDown(hall, { operator: await hall.employ(at.office, "Dewi Wulandari") });
    await open(dewi);
    await dewi.press("t");
    await dewi.said(/Claimed/);
    const hands = await sitDown(hall, at);
    await open(hands);
    await hands.page.keyboard.press("Control+a");
    await hands.page.locator(".everything", { hasText: "100" }).waitFor();
    await hands.page.keyboard.press("Control+a");
    await hands.page.locator(".stat", { hasText: "103 marked" }).waitFor();
    await hands.press("r");
    await hands.page.locator(".sheet", { hasText: "103" }).waitFor();
    await hands.pressAll("1", "Enter");
    await hands.page.locator(".bulk", { hasText: "Dewi Wulandari" }).waitFor();
    await hands.press("Enter", { mod: true });
    // 102 acts in six requests, one after the other: the test's own limit is theirs
    await hands.page.locator(".bulk-counts", { hasText: "Done 102" }).waitFor({ timeout: 0 });
    await hands.press("Escape");
    await expect.poll(() => rows(hands).count()).toBe(1);
    const { rows: found } = await hall.db.owner.query(
      "select status, count(*)::integer as n from transactions where tenant_id = $1 group by 1 order by 1",
      [at.office.tenant.id],
    );
    expect(found).toEqual([
      { status: "process", n: 1 },
      { status: "rejected", n: 102 },
    ]);
  });

  test("a claim of many that is stopped ends with the slice under way: the rest is not sent, is said to be left out, and stays marked", async () => {
    const at = await makeFloor(hall, 45, 0, { claim_limit: 100 });
    const hands = await sitDown(hall, at);
    await open(hands);
    const { page } = hands;
    let slices = 0;
    const held = Promise.withResolvers<void>();
    await page.route(/\/withdrawals\/claim$/, async (route) => {
      slices += 1;
      if (slices === 2) await held.promise;
      await route.fallback();
    });
    await page.keyboard.press("Control+a");
    await page.locator(".stat .aim.many").waitFor();
    await hands.press("t");
    await page.locator(".bulk").waitFor();
    const second = page.waitForRequest((request) => request.url().endsWith("/withdrawals/claim") && slices === 1);
    await hands.press("Enter", { mod: true });
    await second;
    await page.locator(".bulk-counts", { hasText: "Done 20" }).waitFor();
    await hands.press("Escape");
    held.resolve();
    await page.locator(".bulk-counts", { hasText: "Done 40" }).waitFor();
    await page.locator(".bulk-rows li", { hasText: "stopped" }).nth(4).waitFor();
    expect(await page.locator(".bulk-rows li").count()).toBe(5);
    await hands.press("Escape");
    await page.locator(".bulk").waitFor({ state: "detached" });
    await page.locator(".stat", { hasText: "5 marked" }).waitFor();
    const { rows: claimed } = await hall.db.owner.query("select 1 from transactions where tenant_id = $1 and claimed_by is not null", [
      at.office.tenant.id,
    ]);
    expect([slices, claimed.length]).toEqual([2, 40]);
  });
});

describe("live", () => {
  test("what arrives waits behind the pill and moves nothing until l", async () => {
    const at = await makeFloor(hall, 2);
    const hands = await sitDown(hall, at);
    await open(hands);
    await hands.page.locator(".stat").getByText("Live", { exact: true }).waitFor();
    await atRest(hands.page);
    const before = await hands.target();
    const { id } = await at.office.withdraw(at.merchant, { amount: "77.00" });
    await announce(at.office.tenant.id, [id]);
    await hands.page.locator(".pill", { hasText: "1 new" }).waitFor();
    expect(await rows(hands).count()).toBe(2);
    expect(await hands.target()).toBe(before);
    await hands.press("l");
    await expect.poll(() => rows(hands).count()).toBe(3);
    expect(await hands.target()).toBe(before);

    // with nothing waiting the same key holds the rows still, and lets them follow again
    await hands.press("l");
    await hands.page.locator(".pill", { hasText: "Paused" }).waitFor();
    await hall.db.owner.query("update transactions set remark = 'seen', version = version + 1 where id = $1", [id]);
    await announce(at.office.tenant.id, [id]);
    await hands.page.locator(".pill", { hasText: "1 change" }).waitFor();
    await hands.press("l");
    await hands.page.locator(".pill").waitFor({ state: "detached" });
  });

  test("a claim by another shows their initials; acts on it say who holds it", async () => {
    const at = await makeFloor(hall, 2);
    const dewi = await hall.employ(at.office, "Dewi Wulandari");
    const hers = await sitDown(hall, { operator: dewi });
    await open(hers);
    const mine = await sitDown(hall, at);
    await open(mine);
    await hers.press("t");
    await mine.page.locator(".grid .av", { hasText: "DW" }).waitFor();
    await mine.page.locator(".decide .tag", { hasText: "Dewi Wulandari" }).waitFor();
    await mine.press("a");
    await mine.said(/Dewi Wulandari has claimed this withdrawal/);
    expect(await mine.page.locator(".acts .btn.go").getAttribute("aria-disabled")).toBe("true");
  });
});

test("a list on its way, one that failed and one that is empty look unlike each other", async () => {
  const at = await makeFloor(hall, 1);
  const hands = await sitDown(hall, at);
  await open(hands);
  const lists = /v1\/withdrawals\?/;
  let answer = (): void => undefined;
  const held = new Promise<void>((resolve) => (answer = resolve));
  let sent: "failed" | "empty" = "failed";
  await hands.page.route(lists, async (route) => {
    if (sent === "failed") await held;
    if (sent === "failed") await route.fulfill({ status: 500, json: { message: "The server failed.", code: "server.failed" } });
    else await route.fulfill({ json: { data: [], meta: { next: null, previous: null, count: 0, sums: { amount: "0.00" } } } });
  });
  const shown = async () => ({
    skeleton: await hands.page.locator(".list-pane .skeleton").count(),
    failed: await hands.page.locator(".list-pane .empty", { hasText: "could not be loaded" }).count(),
    done: await hands.page.locator(".list-pane .empty", { hasText: "No withdrawal is waiting" }).count(),
  });
  await hands.page.reload();
  await expect.poll(shown).toEqual({ skeleton: 1, failed: 0, done: 0 });
  answer();
  await expect.poll(shown).toEqual({ skeleton: 0, failed: 1, done: 0 });
  sent = "empty";
  await hands.page.keyboard.press("Shift+R");
  await expect.poll(shown).toEqual({ skeleton: 0, failed: 0, done: 1 });
});

test("a list that does not come says so with the request's id; Shift+R tries again", async () => {
  const at = await makeFloor(hall, 2);
  const hands = await sitDown(hall, at);
  const lists = /v1\/withdrawals\?/;
  await hands.page.route(lists, (route) =>
    route.fulfill({
      status: 500,
      headers: { "x-request-id": "0b6e5f0c-1111-4222-8333-444455556666" },
      json: { message: "The server failed. The request was not carried out.", code: "server.failed" },
    }),
  );
  await hands.page.reload();
  await hands.page.locator(".empty", { hasText: "The withdrawals could not be loaded." }).waitFor();
  await hands.page.locator(".empty", { hasText: "0b6e5f0c-1111-4222-8333-444455556666" }).waitFor();
  await hands.page.unroute(lists);
  await hands.page.keyboard.press("Shift+R");
  await expect.poll(() => rows(hands).count()).toBe(2);
});

describe("without a right", () => {
  test("who may only look sees no act, and its key says which right is missing", async () => {
    const at = await makeFloor(hall, 1);
    const looking = await hall.employ(at.office, "Lê Thị Hương", ["pas.transaction.withdrawals.view"]);
    const hands = await sitDown(hall, { operator: looking });
    await open(hands);
    await hands.page.locator(".decide").waitFor();
    await hands.press("a");
    await hands.said(/You lack the right pas\.transaction\.withdrawals\.approve/);
    expect(await hands.page.locator(".acts .btn").count()).toBe(0);
  });

  test("who may not even look is told so, and is offered no way there", async () => {
    const at = await makeFloor(hall, 0);
    const nobody = await hall.employ(at.office, "Arif Budiman", ["profile.view"]);
    const page = await hall.open({ as: nobody, path: "/payment/withdrawals" });
    await page.waitForURL((url) => url.pathname === "/forbidden");
    await page.locator(".app .stat .mode").waitFor();
    expect(await page.locator(".nav a").count()).toBe(0);
  });
});

/** As a sibling process would: these tests create rows beside the server. */
async function announce(tenant: string, uuids: string[]): Promise<void> {
  hall.server().deps.publisher.changed(tenant, "withdraw", uuids);
  await hall.server().deps.publisher.flush();
}

describe("what moves money is confirmed by Mod+Enter alone", () => {
  test("another paying account: a digit chooses it, Enter does nothing, Mod+Enter pays from it", async () => {
    const at = await makeFloor(hall, 1);
    const other = await makeAccount(hall.db, at.office.tenant, { code: "OTHER" });
    const hands = await sitDown(hall, at);
    await open(hands);
    await hands.press("t");
    await hands.look();
    await hands.page.keyboard.press("Shift+A");
    await hands.page.locator(".sheet .option", { hasText: "OTHER" }).waitFor();
    const digit = await hands.page.locator(".sheet .option", { hasText: "OTHER" }).locator("kbd").innerText();
    await hands.press(digit);
    await hands.page.locator(".sheet .option.on", { hasText: "OTHER" }).waitFor();
    await hands.press("Enter");
    expect(await hands.page.locator(".sheet .option.on", { hasText: "OTHER" }).count()).toBe(1);
    const paid = async () =>
      (
        await hall.db.owner.query<{ id: string }>(
          "select payment_account_id as id from transactions where status = 'approved' and tenant_id = $1",
          [at.office.tenant.id],
        )
      ).rows;
    expect(await paid()).toEqual([]);
    await hands.press("Enter", { mod: true });
    await expect.poll(paid).toEqual([{ id: other.id }]);
  });

  test("a second person sees who approved first and from where it is paid, and hands it back with a reason, by keys", async () => {
    const at = await makeFloor(hall, 0);
    const { office } = at;
    await office.withdraw(at.merchant, { amount: "60000.00" });
    await office.withdraw(at.merchant, { amount: "70.00" });
    const hands = await sitDown(hall, at);
    await open(hands);
    await hands.press("t");
    await hands.look();
    await hands.press("a");
    await hands.page.locator(".sheet-money", { hasText: "Pays from ACC" }).waitFor();
    await hands.press("Enter", { mod: true });
    // behind what came later, since from now on it waits for somebody else
    await hands.page.locator(".row[aria-rowindex='3']", { hasText: "2nd" }).waitFor();
    const boss = await sitDown(hall, {
      operator: await hall.employ(office, "Suresh Pillai", [
        "pas.transaction.withdrawals.view",
        "pas.transaction.withdrawals.second-approve",
      ]),
    });
    await open(boss);
    await boss.press("j");
    await boss.page.locator(".decide .tag", { hasText: "First approved by Nurul Aisyah. Waits for a second person." }).waitFor();
    await boss.page.keyboard.press("Shift+H");
    await boss.page.locator(".sheet textarea").waitFor();
    await type(boss, "Ask the customer first");
    await boss.press("Enter", { mod: true });
    await boss.page.locator(".detail-pane", { hasText: "first approval handed back by Suresh Pillai · Ask the customer first" }).waitFor();
    await boss.page.locator(".decide .tag", { hasText: "Waits for a second person" }).waitFor({ state: "detached" });
    const { rows: left } = await hall.db.owner.query("select status from transactions where tenant_id = $1 order by amount desc", [
      office.tenant.id,
    ]);
    expect(left[0]).toEqual({ status: "pending" });
  });
});
