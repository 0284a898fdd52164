import { describe, expect, test } from "vitest";
import type { Employee } from "../support/hall.ts";
import { makeMerchant } from "../support/factories.ts";
import { testHall } from "../support/hall.ts";
import { rewrite, tabTo } from "./fields.ts";
import { makeFloor, sitDown } from "./floor.ts";
import type { Floor } from "./floor.ts";
import type { Operator } from "./operator.ts";

const hall = testHall();

const rights = ["merchants", "accounts"].flatMap((noun) =>
  ["view", "create", "update", "delete", "change-status"].map(
    (act) => `pas.${noun === "merchants" ? "merchant" : "account"}.${noun}.${act}`,
  ),
);
const clerk = (at: Floor, name = "Farah Aziz"): Promise<Employee> => hall.employ(at.office, name, rights);

const rows = (hands: Operator) => hands.page.locator(".grid .rows .row[aria-rowindex]");
const type = (hands: Operator, text: string) => hands.page.keyboard.type(text);
const field = (hands: Operator, label: string) => hands.page.locator(".sheet").getByLabel(label);
const said = (hands: Operator, text: string) => hands.said(new RegExp(text));

async function open(hands: Operator, key: "m" | "a"): Promise<void> {
  // the screen one is sent to after signing in must stand before it can be left
  await rows(hands).first().waitFor();
  await hands.pressAll("g", key);
  await hands.page.getByRole("grid", { name: key === "m" ? "Merchants" : "Payment accounts" }).waitFor();
  await rows(hands).first().waitFor();
}

const merchant = async (at: Floor, name: string) => {
  const { rows: found } = await hall.db.owner.query(
    "select code, name, deposit_rate::text as rate, status, version from merchants where tenant_id = $1 and name = $2",
    [at.office.tenant.id, name],
  );
  return found[0] as { code: string; name: string; rate: string; status: string; version: number } | undefined; // its columns
};

describe("merchants", () => {
  test("one is made by keys alone; a code that is taken is told at its field, and what was typed is kept", async () => {
    const at = await makeFloor(hall, 0);
    await hall.db.owner.query("update merchants set code = 'HARBOUR' where id = $1", [at.merchant.id]);
    const hands = await sitDown(hall, { operator: await clerk(at) });
    await open(hands, "m");
    await hands.watch();
    await hands.press("c");
    await tabTo(field(hands, "Code"));
    // no row is the target of what is made
    expect(await hands.page.locator(".stat .aim").count()).toBe(0);
    await type(hands, "harbour");
    await rewrite(field(hands, "Name"), "Harbour Play Two");
    for (const rate of ["Deposit rate", "Withdrawal rate"]) await rewrite(field(hands, rate), "1.5");
    // what the console sees by itself is not sent
    await hands.press("Enter", { mod: true });
    await hands.page.locator(".sheet .alert", { hasText: "1 field needs attention" }).waitFor();
    expect(await field(hands, "Settlement rate").evaluate((element) => element === document.activeElement)).toBe(true);
    await type(hands, "0.25");
    await hands.press("Enter", { mod: true });
    await hands.page.locator(".sheet .err", { hasText: "Already taken" }).waitFor();
    expect(await field(hands, "Code").evaluate((element) => element === document.activeElement)).toBe(true);
    expect(await field(hands, "Name").inputValue()).toBe("Harbour Play Two");
    await rewrite(field(hands, "Code"), "harbour2");
    await hands.press("Enter", { mod: true });
    await said(hands, "Created: Harbour Play Two");
    await expect.poll(() => hands.target()).toBe("HARBOUR2");
    expect(await merchant(at, "Harbour Play Two")).toMatchObject({ code: "HARBOUR2", status: "active" });
    expect(await hands.watched()).toMatchObject({ pointers: 0 });
  });

  test("an edit shows in the row and in the history; leaving a changed form asks first", async () => {
    const at = await makeFloor(hall, 0);
    const hands = await sitDown(hall, { operator: await clerk(at) });
    await open(hands, "m");
    const edited = await hands.target();
    await hands.press("e");
    await rewrite(field(hands, "Name"), "Mistaken");
    expect(await hands.target()).toBe(edited);
    await hands.press("Escape");
    await hands.page.locator(".sheet", { hasText: "Discard what you typed?" }).waitFor();
    await hands.press("Escape");
    expect(await field(hands, "Name").inputValue()).toBe("Mistaken");
    await rewrite(field(hands, "Name"), "Lagoon Games");
    await hands.press("Enter", { mod: true });
    await said(hands, "Saved: Lagoon Games");
    await rows(hands).filter({ hasText: "Lagoon Games" }).waitFor();
    await hands.page.locator(".event", { hasText: "Changed by Farah Aziz" }).filter({ hasText: "Lagoon Games" }).waitFor();
    expect(await merchant(at, "Lagoon Games")).toMatchObject({ version: 2 });
  });

  test("going back and loading anew ask before they lose what was typed in a form", async () => {
    const at = await makeFloor(hall, 0);
    const hands = await sitDown(hall, { operator: await clerk(at) });
    await open(hands, "m");
    await hands.press("e");
    await rewrite(field(hands, "Name"), "Half written");
    const question = hands.page.locator(".sheet", { hasText: "Discard what you typed?" });
    // a press, not the browser's own wait for another page
    const back = () => hands.page.evaluate(() => history.back());
    await back();
    await question.waitFor();
    await hands.press("Escape");
    await question.waitFor({ state: "detached" });
    const asked: string[] = [];
    hands.page.on("dialog", (dialog) => {
      asked.push(dialog.type());
      void dialog.dismiss();
    });
    await hands.page.evaluate(() => location.reload());
    await expect.poll(() => asked).toEqual(["beforeunload"]);
    expect(await field(hands, "Name").inputValue()).toBe("Half written");
    expect(new URL(hands.page.url()).pathname).toMatch(/merchants$/);
    await back();
    await question.waitFor();
    await hands.press("Enter", { mod: true });
    await expect.poll(() => new URL(hands.page.url()).pathname).not.toMatch(/merchants$/);
    await expect.poll(() => hands.page.locator(".sheet").count()).toBe(0);
  });

  test("another was faster: both sides are shown, one is taken by a key, and the other's change is not lost", async () => {
    const at = await makeFloor(hall, 0);
    const mine = await sitDown(hall, { operator: await clerk(at) });
    await open(mine, "m");
    const hers = await sitDown(hall, { operator: await clerk(at, "Dewi Wulandari") });
    await open(hers, "m");
    await mine.press("e");
    await rewrite(field(mine, "Name"), "Named by Farah");
    await hers.press("e");
    await rewrite(field(hers, "Name"), "Named by Dewi");
    await rewrite(field(hers, "Deposit rate"), "2.75");
    await hers.press("Enter", { mod: true });
    await said(hers, "Saved: Named by Dewi");
    await mine.press("Enter", { mod: true });
    const sheet = mine.page.locator(".sheet", { hasText: "Dewi Wulandari saved it" });
    await sheet.waitFor();
    const chosen = () => sheet.locator(".option.on bdi").allInnerTexts();
    await expect.poll(chosen).toEqual(["Named by Farah", "2.75"]);
    await mine.press("2");
    await expect.poll(chosen).toEqual(["Named by Dewi", "2.75"]);
    await mine.press("1");
    await mine.page.keyboard.press("Tab");
    await mine.press("ArrowRight");
    await expect.poll(chosen).toEqual(["Named by Farah", "2.75"]);
    await mine.press("Enter", { mod: true });
    await said(mine, "Saved: Named by Farah");
    expect(await merchant(at, "Named by Farah")).toMatchObject({ rate: "2.7500", version: 3 });
  });

  test("one that is in use is not deleted, and it says so; one that is not in use goes after its confirmation", async () => {
    const at = await makeFloor(hall, 1);
    await hall.db.owner.query(
      `insert into merchants (tenant_id, id, code, name, currency, api_key, secret)
        values ($1, gen_random_uuid(), 'UNUSED', 'Zz Unused', $2, 'k-unused', '\\x00')`,
      [at.office.tenant.id, at.office.tenant.currency],
    );
    const hands = await sitDown(hall, { operator: await clerk(at) });
    await open(hands, "m");
    await expect.poll(() => rows(hands).count()).toBe(2);
    const remove = async () => {
      await hands.press(".");
      await hands.page.locator("[cmdk-input]").waitFor();
      await type(hands, "delete the merchant");
      await hands.page.locator("[cmdk-item][data-selected=true]", { hasText: "Delete the merchant" }).waitFor();
      await hands.press("Enter");
      await hands.page.locator(".sheet", { hasText: "This cannot be undone." }).waitFor();
      await hands.press("Enter"); // plain Enter confirms nothing
      await hands.press("Enter", { mod: true });
    };
    await remove();
    await hands.page.getByText(`${at.merchant.name} cannot be deleted because it still has `).first().waitFor();
    expect(await rows(hands).count()).toBe(2);
    expect(await merchant(at, at.merchant.name)).toMatchObject({ version: 1 });
    await hands.press("j");
    await expect.poll(() => hands.target()).toBe("UNUSED");
    await remove();
    await said(hands, "Deleted: Zz Unused");
    await expect.poll(() => rows(hands).count()).toBe(1);
    expect(await merchant(at, "Zz Unused")).toBeUndefined();
  });

  test("the status is changed from the row's menu with a reason; a filter by it is text in the address", async () => {
    const at = await makeFloor(hall, 0);
    const hands = await sitDown(hall, { operator: await clerk(at) });
    await open(hands, "m");
    await hands.press(".");
    await hands.page.locator("[cmdk-input]").waitFor();
    await type(hands, "suspend");
    await hands.page.locator("[cmdk-item][data-selected=true]", { hasText: "status" }).waitFor();
    await hands.press("Enter");
    await hands.page.locator(".pal .asked", { hasText: "Change the status of" }).waitFor();
    await hands.press("3");
    await hands.page.locator("[cmdk-item][data-selected=true] kbd", { hasText: "3" }).waitFor();
    await hands.press("Enter");
    await hands.page.locator(".sheet textarea").waitFor();
    await type(hands, "Unpaid invoices");
    await hands.press("Enter", { mod: true });
    await said(hands, "is now Suspended");
    await rows(hands).filter({ hasText: "Suspended" }).waitFor();
    await hands.page.locator(".detail .event", { hasText: "Unpaid invoices" }).waitFor();
    await hands.press("f");
    await hands.page.locator(".sheet", { hasText: "Filter Status" }).waitFor();
    await hands.press("1");
    await hands.page.locator(".empty", { hasText: "Nothing matches these filters." }).waitFor();
    expect(new URL(hands.page.url()).searchParams.get("status")).toBe("active");
    await hands.page.keyboard.press("Shift+Backspace");
    await expect.poll(() => rows(hands).count()).toBe(1);
  });

  test("they are filtered by what their wallet holds and by a day; where no day has any, any time is offered", async () => {
    const at = await makeFloor(hall, 0);
    await makeMerchant(hall.db, at.office.tenant, { name: "Small", wallet: "5" });
    // of another day than the other, whenever this runs
    const created_at = new Date(Date.now() - 48 * 3_600_000);
    await makeMerchant(hall.db, at.office.tenant, { name: "Also small", wallet: "5", created_at });
    const hands = await sitDown(hall, { operator: await clerk(at) });
    await open(hands, "m");
    await expect.poll(() => rows(hands).count()).toBe(3);
    for (let presses = 0; presses < 3; presses++) await hands.press("ArrowRight");
    await hands.press("f");
    await hands.page.locator(".sheet input").waitFor();
    await type(hands, "little");
    await hands.press("Enter");
    await said(hands, "cannot be read");
    await expect.poll(() => hands.page.locator(".sheet input").inputValue()).toBe("little");
    await hands.page.keyboard.press("Control+a");
    await type(hands, "..10");
    await hands.press("Enter");
    await expect.poll(() => rows(hands).count()).toBe(2);
    const search = () => Object.fromEntries(new URL(hands.page.url()).searchParams);
    expect(search()).toMatchObject({ wallet: "..10" });
    await hands.page.keyboard.press("End");
    await hands.page.keyboard.press("Shift+F");
    await expect.poll(() => search()["created_at"]).toMatch(/^\d{4}-\d\d-\d\d$/);
    await expect.poll(() => rows(hands).count()).toBe(1);
    await hands.page.goto(`${hall.url()}/payment/merchants?wallet=..10&created_at=2020-01-01&sort=-name`);
    await hands.page.locator(".empty", { hasText: "Nothing matches these filters." }).waitFor();
    await hands.page.getByRole("button", { name: "Any time" }).click();
    await expect.poll(() => rows(hands).count()).toBe(2);
    expect(search()).toEqual({ wallet: "..10", sort: "-name" });
    expect(await hands.page.locator("[role=grid]").evaluate((grid) => grid.contains(document.activeElement))).toBe(true);
  });

  test("who may only look is offered no act, and its key says which right is missing", async () => {
    const at = await makeFloor(hall, 0);
    const looking = await hall.employ(at.office, "Arif Budiman", ["pas.merchant.merchants.view"]);
    const hands = await sitDown(hall, { operator: looking });
    await open(hands, "m");
    await hands.page.locator(".detail .decide").waitFor();
    expect(await hands.page.locator(".detail .acts .btn").count()).toBe(0);
    await hands.press("e");
    await hands.said(/You lack the right pas\.merchant\.merchants\.update/);
    await hands.press("c");
    await hands.said(/You lack the right pas\.merchant\.merchants\.create/);
  });
});

describe("payment accounts", () => {
  test("one is edited by keys alone: a rule of the server is told at its field, then the row has it", async () => {
    const at = await makeFloor(hall, 0);
    const hands = await sitDown(hall, { operator: await clerk(at) });
    await open(hands, "a");
    await expect.poll(() => hands.target()).toBe(at.account.code);
    await hands.press("e");
    await rewrite(field(hands, "Holder"), "Selangor House Sdn Bhd");
    await rewrite(field(hands, "Min deposit"), "500");
    await rewrite(field(hands, "Max deposit"), "50");
    await hands.press("Enter", { mod: true });
    await hands.page.locator(".sheet .err", { hasText: "Must not exceed the maximum" }).waitFor();
    expect(await field(hands, "Holder").inputValue()).toBe("Selangor House Sdn Bhd");
    expect(await field(hands, "Min deposit").evaluate((element) => element === document.activeElement)).toBe(true);
    await rewrite(field(hands, "Min deposit"), "5");
    await hands.press("Enter", { mod: true });
    await said(hands, `Saved: Maybank · Selangor House Sdn Bhd`);
    await rows(hands).filter({ hasText: "Selangor House Sdn Bhd" }).waitFor();
    const { rows: found } = await hall.db.owner.query(
      "select holder, deposit_minimum::text as least, version from payment_accounts where id = $1",
      [at.account.id],
    );
    expect(found).toEqual([{ holder: "Selangor House Sdn Bhd", least: "5.0000", version: 2 }]);
  });

  test("a link to a record puts the cursor on it", async () => {
    const at = await makeFloor(hall, 0);
    const hands = await sitDown(hall, { operator: await clerk(at) });
    await hands.page.goto(`${hall.url()}/payment/payment-accounts?status=inactive&record=${at.account.id}`);
    await expect.poll(() => hands.target()).toBe(at.account.code);
  });
});
