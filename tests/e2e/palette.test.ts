import type { Page } from "playwright";
import { expect, test } from "vitest";
import { testHall } from "../support/hall.ts";
import { makeFloor, sitDown } from "./floor.ts";
import type { Operator } from "./operator.ts";

const hall = testHall();

const list = (page: Page) => page.locator("[role=grid] [role=row][aria-rowindex='2']");
const input = (page: Page) => page.locator("[cmdk-input]");
const chosen = (page: Page, text: string | RegExp) => page.locator("[cmdk-item][data-selected=true]", { hasText: text });

async function atWork(rows = 3): Promise<{ hands: Operator; page: Page; at: Awaited<ReturnType<typeof makeFloor>> }> {
  const at = await makeFloor(hall, rows);
  const hands = await sitDown(hall, at);
  await hands.pressAll("g", "w");
  await list(hands.page).waitFor();
  return { hands, page: hands.page, at };
}

async function start(hands: Operator, words: string, command: string): Promise<void> {
  await hands.press("k", { mod: true });
  await input(hands.page).fill(words);
  await chosen(hands.page, command).waitFor();
  await hands.press("Enter");
}

async function rejections(tenant: string): Promise<unknown[]> {
  const { rows } = await hall.db.owner.query("select reason from transaction_events where tenant_id = $1 and act = 'reject'", [tenant]);
  return rows;
}

/** A second tenant the operator may work in too. */
async function secondTenant(at: Awaited<ReturnType<typeof makeFloor>>): Promise<Awaited<ReturnType<typeof makeFloor>>> {
  const there = await makeFloor(hall, 1);
  await hall.db.owner.query("insert into memberships (tenant_id, user_id) values ($1, $2)", [there.office.tenant.id, at.operator.id]);
  await hall.db.owner.query(
    `with g as (insert into user_groups (tenant_id, code, name, permissions) values ($1, 'guest', 'Guest', $2) returning id)
      insert into membership_groups (tenant_id, user_id, group_id) select $1, $3, id from g`,
    [there.office.tenant.id, ["pas.transaction.withdrawals.view"], at.operator.id],
  );
  return there;
}

const shot = async (page: Page, name: string): Promise<void> => {
  const folder = process.env["SHOTS"];
  if (folder !== undefined) await page.screenshot({ path: `${folder}/${name}.png` });
};

test("typing moves nothing but the rows: the palette is as tall with one result, and with none, as with all", async () => {
  const { hands, page } = await atWork();
  await hands.press("k", { mod: true });
  const count = () => page.locator("[cmdk-item]").count();
  await expect.poll(count).toBeGreaterThan(10);
  const box = () => page.locator(".pal").boundingBox();
  const foot = () => page.locator(".pal .ft").boundingBox();
  const places = [await box(), await foot()];
  expect(places[0]?.height).toBe(696);
  await input(page).fill("view: all withdrawals");
  await expect.poll(count).toBe(1);
  expect([await box(), await foot()]).toEqual(places);
  await input(page).fill("zzzzzzzz");
  await page.locator(".pal [role=status] .none", { hasText: "zzzzzzzz" }).waitFor();
  expect([await box(), await foot()]).toEqual(places);
});

test("reject from the palette asks its reason there; Esc goes back to what was typed, and Enter rejects once", async () => {
  const { hands, page, at } = await atWork();
  await hands.press("q");
  const first = await hands.look();
  await start(hands, "reject", "Reject");
  await page.locator(".pal .asked").waitFor();
  await page
    .locator("[cmdk-item]", { hasText: "In your own words" })
    .or(page.locator("[cmdk-item]", { hasText: "own words" }))
    .first()
    .waitFor();
  await shot(page, "palette-reason");
  expect(await page.locator(".sheet").count()).toBe(0);
  await hands.press("Escape");
  await expect.poll(() => input(page).inputValue()).toBe("reject");
  expect(await rejections(at.office.tenant.id)).toEqual([]);
  await chosen(page, "Reject").waitFor();
  await hands.press("Enter");
  await page.locator(".pal .asked").waitFor();
  await hands.page.keyboard.press("Backspace");
  await expect.poll(() => input(page).inputValue()).toBe("reject");
  await chosen(page, "Reject").waitFor();
  await hands.press("Enter");
  await page.locator(".pal .asked").waitFor();
  await hands.press("1");
  await page.locator("[cmdk-item][data-selected=true] kbd", { hasText: "1" }).waitFor();
  await hands.press("Enter");
  await page.locator(".pal").waitFor({ state: "detached" });
  await hands.look(first);
  expect(await rejections(at.office.tenant.id)).toHaveLength(1);
  expect(await page.evaluate(() => document.activeElement === document.body)).toBe(false);
});

test("the tenant is chosen in the palette; Backspace on nothing leads back to what was typed", async () => {
  const { hands, page, at } = await atWork();
  const there = await secondTenant(at);
  await page.reload();
  await list(page).waitFor();
  await start(hands, "switch ten", "Switch tenant");
  await page.getByPlaceholder("Switch to which tenant?").waitFor();
  await shot(page, "palette-tenant");
  await page.keyboard.press("Backspace");
  await expect.poll(() => input(page).inputValue()).toBe("switch ten");
  await chosen(page, "Switch tenant").waitFor();
  await hands.press("Enter");
  await page.getByPlaceholder("Switch to which tenant?").waitFor();
  const { rows } = await hall.db.owner.query<{ name: string }>("select name from tenants where id = $1", [there.office.tenant.id]);
  await input(page).fill(rows[0]?.name ?? "");
  await chosen(page, rows[0]?.name ?? "").waitFor();
  await hands.press("Enter");
  await page.locator(".head .tenant", { hasText: rows[0]?.name ?? "" }).waitFor();
  // what was used is there before anything is typed, in every browser of the person
  await hands.press("k", { mod: true });
  await page.locator("[cmdk-group]", { hasText: "Used recently" }).locator("[cmdk-item]", { hasText: "Switch tenant" }).waitFor();
});

test("a record opened from the palette is there again before anything is typed; pasted numbers lead to the list of them all", async () => {
  const { hands, page, at } = await atWork();
  const { rows } = await hall.db.owner.query<{ txn_no: string; code: string }>(
    "select t.txn_no, m.code from transactions t join merchants m on m.id = t.merchant_id where t.tenant_id = $1",
    [at.office.tenant.id],
  );
  const [{ txn_no: number, code } = { txn_no: "", code: "" }, other] = rows;
  await hands.press("k", { mod: true });
  await input(page).fill(number);
  await chosen(page, number).waitFor();
  await hands.press("Enter");
  // pressed before the answer came, Enter waits for it
  await page.locator(".pal").waitFor({ state: "detached" });
  await page.locator(".decide .id", { hasText: number.slice(-6) }).waitFor();
  await hands.press("k", { mod: true });
  const again = page.locator("[cmdk-group]", { hasText: "Opened recently" }).locator("[cmdk-item]", { hasText: number });
  await expect.poll(() => again.count()).toBe(1);
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.evaluate((text) => navigator.clipboard.writeText(text), `${number}\n${other?.txn_no}\n`);
  await page.keyboard.press("Control+V");
  await expect.poll(() => input(page).inputValue()).toBe(`${number} ${other?.txn_no}`);
  const records = page.locator("[cmdk-group]", { hasText: "Records" }).locator("[cmdk-item]");
  await expect.poll(() => records.count()).toBe(3);
  // each says whose it is and since when
  expect((await records.first().locator(".sb").innerText()).replaceAll(/[\u2068\u2069]/g, "")).toMatch(
    new RegExp(` · ${code} · \\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d [AP]M$`),
  );
  await shot(page, "palette-records");
  await records.last().click();
  await page.locator(".pal").waitFor({ state: "detached" });
  await expect.poll(() => page.locator("[role=grid] [role=row][aria-rowindex]").count()).toBe(3);
  expect(new URL(page.url()).searchParams.get("q")).toBe(`${number} ${other?.txn_no}`);
});

test("somebody new is offered the practice queue once, beside the work; refused, it is not offered again", async () => {
  const { hands, page, at } = await atWork();
  const offer = page.locator(".practice-offer");
  await offer.waitFor();
  expect(await page.evaluate(() => document.activeElement?.closest("[role=grid]") !== null)).toBe(true);
  await shot(page, "practice-offer");
  const kept = page.waitForResponse((response) => response.request().postData()?.includes("practised") === true);
  await offer.getByRole("button", { name: "No, thanks" }).click();
  await offer.waitFor({ state: "detached" });
  await kept;
  // rows of another height tell when the page knows what is kept
  await hall.db.owner.query(`update user_preferences set parts = parts || '{"density": "compact"}' where user_id = $1`, [at.operator.id]);
  const height = () => page.locator(".grid").evaluate((grid) => getComputedStyle(grid).getPropertyValue("--grid-row"));
  const before = await height();
  await page.reload();
  await list(page).waitFor();
  await expect.poll(height).not.toBe(before);
  await hands.press("d");
  await hands.press("d");
  expect(await offer.count()).toBe(0);
});

test("a button shows its key until the key was used five times, and always where that is wished", async () => {
  const { hands, page } = await atWork(9);
  const next = page.locator(".acts .btn", { hasText: "Next" });
  await hands.press("q");
  let seen = await hands.look();
  for (let time = 0; time < 5; time++) {
    // oxlint-disable-next-line no-await-in-loop -- one press after the other
    expect(await next.locator("kbd").count()).toBe(1);
    // oxlint-disable-next-line no-await-in-loop -- as above
    await hands.press("n");
    // oxlint-disable-next-line no-await-in-loop -- as above
    seen = await hands.look(seen);
  }
  await expect.poll(() => next.locator("kbd").count()).toBe(0);
  await hands.press("?");
  await page.locator(".help dl > div", { hasText: "next" }).first().locator("kbd").first().waitFor();
  await page.getByRole("button", { name: "Change keys…" }).click();
  await page.getByLabel("Always show keys on buttons").check();
  await hands.press("Escape");
  await page.locator(".sheet").waitFor({ state: "detached" });
  await expect.poll(() => next.locator("kbd").count()).toBe(1);
});

test("y l copies a link that names tenant and currency; opened in another tenant it asks before switching", async () => {
  const { hands, page, at } = await atWork();
  const there = await secondTenant(at);
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await page.reload();
  await list(page).waitFor();
  await hands.pressAll("j", "y", "l");
  await hands.said(/Copied/);
  const link = new URL(await page.evaluate(() => navigator.clipboard.readText()));
  expect([link.searchParams.get("tenant"), link.searchParams.get("currency")]).toEqual([at.office.tenant.id, "MYR"]);
  link.searchParams.set("tenant", there.office.tenant.id);
  link.searchParams.set("view", "all");
  await page.goto(link.href);
  await page.locator(".sheet .option").first().waitFor();
  expect(new URL(page.url()).searchParams.get("tenant")).toBeNull();
  await shot(page, "link-asks");
  const tenant = page.locator(".head .tenant");
  const here = await tenant.innerText();
  await hands.press("Escape");
  await page.locator(".sheet").waitFor({ state: "detached" });
  expect(await tenant.innerText()).toBe(here);
  await page.goto(link.href);
  await page.locator(".sheet .option").first().waitFor();
  await hands.press("Enter");
  await expect.poll(() => tenant.innerText()).not.toBe(here);
  await expect.poll(() => new URL(page.url()).searchParams.get("view")).toBe("all");
  // in the tab that is there now it opens unasked
  await page.goto(link.href);
  await list(page).waitFor();
  expect(new URL(page.url()).searchParams.get("view")).toBe("all");
  // no key would open the help over a question
  await hands.press("?");
  await page.locator(".help").waitFor();
  expect(await page.locator(".sheet").count()).toBe(1);
});

test("/ finds in this grid: its field opens with the text, and the cursor stands on what holds it", async () => {
  const { hands, page, at } = await atWork(5);
  const { rows } = await hall.db.owner.query<{ txn_no: string }>(
    "select txn_no from transactions where tenant_id = $1 order by created_at desc limit 1",
    [at.office.tenant.id],
  );
  const number = rows[0]?.txn_no ?? "";
  await hands.press("k", { mod: true });
  await input(page).fill(`/${number.slice(-6)}`);
  await expect.poll(() => page.locator(".pal .modes .on kbd").innerText()).toBe("/");
  await hands.press("Enter");
  await expect.poll(() => page.locator(".grid .find input").inputValue()).toBe(number.slice(-6));
  await expect.poll(() => hands.target()).toBe(number);
  await expect.poll(() => page.evaluate(() => document.activeElement?.closest(".find") !== null)).toBe(true);
});

test("a code and Enter at once open what it finds, and no command whose letters happen to fit", async () => {
  const { hands, page, at } = await atWork();
  // r, j, c, t stand in this order in "Reject"
  await hall.db.owner.query("update payment_accounts set code = 'RJCT' where id = $1", [at.account.id]);
  await hands.press("k", { mod: true });
  await input(page).waitFor();
  await page.keyboard.type("RJCT");
  await page.keyboard.press("Enter");
  await page.locator(".pal").waitFor({ state: "detached" });
  await expect.poll(() => new URL(page.url()).searchParams.get("record")).toBe(at.account.id);
  expect(new URL(page.url()).pathname).toBe("/payment/payment-accounts");
});

test("what may not run now shows its key beside the reason, and is found by the menu key too", async () => {
  const { hands, page } = await atWork();
  await page.keyboard.press("Shift+F10");
  await expect.poll(() => page.locator(".pal .modes .on kbd").innerText()).toBe(".");
  await page.keyboard.type("release");
  const refused = page.locator("[cmdk-item].refused", { hasText: "Release" });
  await expect.poll(() => refused.locator("kbd").allInnerTexts()).toEqual(["⇧", "T"]);
  await hands.press("Escape");
  await page.locator(".pal").waitFor({ state: "detached" });
  await page.keyboard.press("ContextMenu");
  await expect.poll(() => page.locator(".pal .modes .on kbd").innerText()).toBe(".");
});

/** A find whose answer is held back until `release` is called. */
async function finding({ hands, page, at }: Awaited<ReturnType<typeof atWork>>) {
  const { promise, resolve: release } = Promise.withResolvers<void>();
  await page.route(
    (url) => url.pathname.endsWith("/withdrawals") && url.searchParams.has("q"),
    async (route) => {
      await promise;
      await route.continue();
    },
  );
  await hands.press("/");
  await page.keyboard.type(at.merchant.name.split(" ")[1] ?? "");
  await hands.press("Enter");
  await page.locator(".grid.past, .grid .skeleton").waitFor();
  return release;
}

test("opened while its list is being read, it acts on the row that comes", async () => {
  const work = await atWork(1);
  const { hands, page } = work;
  const release = await finding(work);
  await hands.press(".");
  await input(page).fill(".claim");
  await page.locator("[cmdk-item]", { hasText: "Claim" }).first().waitFor();
  release();
  await page.locator(".stat", { hasText: "no row" }).waitFor({ state: "detached" });
  await expect.poll(() => chosen(page, "Claim").getAttribute("aria-disabled")).not.toBe("true");
});

test("a key pressed while the list is being read acts on the row that comes", async () => {
  const work = await atWork(1);
  const { hands, at } = work;
  const release = await finding(work);
  await hands.press("t");
  release();
  await hands.said(/Claimed/);
  const { rows } = await hall.db.owner.query("select 1 from transactions where tenant_id = $1 and claimed_by is not null", [
    at.office.tenant.id,
  ]);
  expect(rows).toHaveLength(1);
});

test("the field tells screen readers of the row that is selected, whatever selects it", async () => {
  const { hands, page } = await atWork();
  await hands.press("k", { mod: true });
  // by number, the row that Enter would pick and the row told of
  const rows = () =>
    page.evaluate(() => {
      const all = [...document.querySelectorAll("[cmdk-item]")];
      const told = document.querySelector("[cmdk-input]")?.getAttribute("aria-activedescendant") ?? "";
      return [all.findIndex((row) => row.ariaSelected === "true"), all.findIndex(({ id }) => id === told)];
    });
  await page.locator("[cmdk-item]").nth(3).waitFor();
  await hands.press("ArrowDown");
  await hands.press("ArrowDown");
  await expect.poll(rows).toEqual([2, 2]);
  for (const letter of "re") {
    // oxlint-disable-next-line no-await-in-loop -- each letter is looked at
    await page.keyboard.press(letter);
    // oxlint-disable-next-line no-await-in-loop -- as above
    await expect.poll(rows).toEqual([0, 0]);
  }
  await hands.press("ArrowDown");
  await expect.poll(rows).toEqual([1, 1]);
  await page.keyboard.press("Backspace");
  await expect.poll(async () => new Set(await rows()).size).toBe(1);
});

test("the arrow visits the rows of every kind in the order in which they stand, and goes round", async () => {
  const { hands, page } = await atWork();
  await hands.press("k", { mod: true });
  await input(page).waitFor();
  /** The rows in the order in which they stand, the one that looks selected and the one that screen readers are told of. */
  const rows = () =>
    page.evaluate(() => {
      const all = [...document.querySelectorAll<HTMLElement>("[cmdk-item]")];
      const told = document.querySelector("[cmdk-input]")?.getAttribute("aria-activedescendant");
      const [looks, is] = [all.find((row) => row.ariaSelected === "true"), all.find(({ id }) => id === told)];
      return { ids: all.map(({ dataset }) => dataset["value"]), selected: [looks?.dataset["value"], is?.dataset["value"]] };
    });
  const heads = new Set<string>();
  // of fewer rows than are drawn at once: commands, records before commands, a line with all that may follow it, and each mode
  for (const text of ["with", "tan wei", "wd a", ".re", ":with", "/tan", "=100", "*", "?app"]) {
    // oxlint-disable-next-line no-await-in-loop -- one text after the other
    await input(page).fill(text);
    // oxlint-disable-next-line no-await-in-loop -- as above
    await page.locator(".pal [role=status]", { hasText: "Searching" }).waitFor({ state: "detached" });
    // oxlint-disable-next-line no-await-in-loop -- as above
    for (const head of await page.locator("[cmdk-group-heading] > span").allInnerTexts()) heads.add(head.replace(/ on .*/, ""));
    // oxlint-disable-next-line no-await-in-loop -- as above
    const { ids, selected } = await rows();
    expect(ids.length, text).toBeGreaterThan(0);
    expect(selected, text).toEqual([ids[0], ids[0]]);
    for (const expected of [...ids.slice(1), ids[0]]) {
      // oxlint-disable-next-line no-await-in-loop -- one key after the other
      await page.keyboard.press("ArrowDown");
      // oxlint-disable-next-line no-await-in-loop -- as above
      expect((await rows()).selected, text).toEqual([expected, expected]);
    }
  }
  expect([...heads]).toEqual(["Commands", "This list", "Screens", "Records", "What may follow", "Views", "Keys"]);
});

test("the row a key goes to is in view, from the first to the last of all, drawn before or not", async () => {
  const { hands, page } = await atWork();
  await hands.press("k", { mod: true });
  await input(page).fill("?");
  /** The number of the selected row, and by how many px it reaches out of the list. */
  const row = () =>
    page.evaluate(() => {
      const all = [...document.querySelectorAll("[cmdk-item]")];
      const at = all.findIndex((one) => one.ariaSelected === "true");
      const list = document.querySelector("[cmdk-list]")?.getBoundingClientRect();
      const box = all[at]?.getBoundingClientRect();
      const [top, bottom] = [(list?.top ?? 0) - (box?.top ?? 0), (box?.bottom ?? 0) - (list?.bottom ?? 0)];
      return { at, out: Math.max(0, Math.ceil(top), Math.ceil(bottom)) };
    });
  await expect.poll(row).toEqual({ at: 0, out: 0 });
  const drawn = await page.locator("[cmdk-item]").count();
  for (let at = 1; at < drawn + 2; at += 1) {
    await page.keyboard.press("ArrowDown"); // oxlint-disable-line no-await-in-loop -- one key after the other
    await expect.poll(row).toEqual({ at, out: 0 }); // oxlint-disable-line no-await-in-loop -- as above
  }
  await page.keyboard.press("Home");
  await expect.poll(row).toEqual({ at: 0, out: 0 });
  for (const [text, key] of [
    ["?e", "ArrowUp"],
    ["?a", "End"],
  ] as const) {
    // oxlint-disable-next-line no-await-in-loop -- one text after the other
    await input(page).fill(text);
    // oxlint-disable-next-line no-await-in-loop -- as above
    await expect.poll(() => page.locator("[cmdk-item]").count()).toBe(drawn);
    // oxlint-disable-next-line no-await-in-loop -- as above
    const count = Number(/^\d+/.exec(await page.locator(".pal .in .label").innerText())?.[0]);
    expect(count, text).toBeGreaterThan(drawn); // else all would be in view
    // oxlint-disable-next-line no-await-in-loop -- as above
    await page.keyboard.press(key);
    // oxlint-disable-next-line no-await-in-loop -- as above
    await expect.poll(row).toEqual({ at: count - 1, out: 0 });
  }
});
