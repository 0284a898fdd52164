import { describe, expect, test } from "vitest";
import { inTenant } from "../../src/server/db/scope.ts";
import { putMail } from "../../src/server/mail/mails.ts";
import { settingHandlers } from "../../src/server/settings/handlers.ts";
import { faults, faultsInBothThemes } from "./faults.ts";
import type { Employee } from "../support/hall.ts";
import { testHall } from "../support/hall.ts";
import { body } from "../support/payments.ts";
import { rewrite, tabTo } from "./fields.ts";
import { makeFloor, sitDown } from "./floor.ts";
import type { Floor } from "./floor.ts";
import type { Operator } from "./operator.ts";

const hall = testHall();

const rights = ["tenant-setting.view", "tenant-setting.update", "pas.merchant.merchants.view", "pas.merchant.merchants.create"];
const setter = (at: Floor, name = "Farah Aziz", held = rights): Promise<Employee> => hall.employ(at.office, name, held);

const nothing = { body: undefined, params: undefined, query: undefined };
const known = async ({ office }: Floor) => (await settingHandlers.readSettings(office.call(), nothing)).data.row;
const field = (hands: Operator, label: string) => hands.page.locator(".setting-pane").getByLabel(label, { exact: true });
const section = (hands: Operator) => hands.page.locator(".setting-sections [aria-current=true]");

async function open(hands: Operator): Promise<void> {
  await hands.pressAll("g", "s");
  await hands.page.locator(".setting-body h2").waitFor();
}

async function openCurrencies(hands: Operator): Promise<void> {
  await open(hands);
  const names = await hands.page.locator(".setting-sections button").allInnerTexts();
  await hands.press(String((names.findIndex((name) => name.includes("Currencies")) + 1) % 10));
  await section(hands).filter({ hasText: "Currencies" }).waitFor();
}

test("settings are changed by keys alone, are in effect at once, and say who changed them", async () => {
  const at = await makeFloor(hall, 1);
  const hands = await sitDown(hall, { operator: await setter(at) });
  await hands.watch();
  await open(hands);
  await hands.press("2");
  await section(hands).filter({ hasText: "Withdrawals" }).waitFor();
  await rewrite(field(hands, "Open claims of one operator claims"), "4");
  await rewrite(field(hands, "Withdrawals expire after hours"), "48");
  await hands.press("Escape");
  await hands.press("6");
  await tabTo(field(hands, "Critical payment accounts"));
  await hands.page.keyboard.press("Space");
  await hands.press("Enter", { mod: true });
  await hands.said(/Saved: 3 settings, in effect now/);
  expect(await known(at)).toMatchObject({
    claim_limit: 4,
    withdrawal_expiry_hours: 48,
    sounds: { deposit: true, withdraw: true, paymentAccount: false, scoreAlarm: true },
  });
  await hands.press("2");
  await hands.page.locator(".field .by", { hasText: "Farah Aziz" }).first().waitFor();
  await hands.press("i");
  await hands.page.locator(".history .change", { hasText: "Open claims of one operator" }).waitFor();
  expect((await hands.watched()).pointers).toBe(0);
});

test("a limit asks who one is when that was proved long ago, and is then saved by itself", async () => {
  const at = await makeFloor(hall, 0);
  const person = await setter(at);
  const hands = await sitDown(hall, { operator: person });
  await open(hands);
  await hall.db.owner.query("update sessions set proved_at = now() - interval '11 minutes' where user_id = $1", [person.id]);
  await hands.press("2");
  await rewrite(field(hands, "An approval can be taken back for seconds"), "7");
  await hands.press("Enter", { mod: true });
  await hands.said(/Saved: 1 setting/);
  await rewrite(field(hands, "Open claims of one operator claims"), "4");
  await hands.press("Enter", { mod: true });
  await hands.page.getByRole("dialog", { name: "Is it still you?" }).waitFor();
  expect(await known(at)).toMatchObject({ recall_seconds: 7, claim_limit: 10 });
  await hands.page.keyboard.type(person.password);
  await hands.press("Enter");
  await expect.poll(async () => (await known(at)).claim_limit).toBe(4);
});

describe("outgoing mail", () => {
  const withMail = async (owner: boolean) => {
    const at = await makeFloor(hall, 0);
    const { tenant } = at.office;
    const person = await setter(at);
    if (owner)
      await hall.db.owner.query(
        "insert into membership_groups (tenant_id, user_id, group_id) select $1, $2, id from user_groups where tenant_id = $1 and code = 'owner'",
        [tenant.id, person.id],
      );
    const { deps } = hall.server();
    await inTenant(deps.database, tenant.id, (db) =>
      putMail(db, deps, tenant.id, {
        to: "siti@example.com",
        subject: "Choose a new password",
        text: "Open http://127.0.0.1/reset-password?token=abc",
        language: "en",
        shared: false,
      }),
    );
    const hands = await sitDown(hall, { operator: person });
    await open(hands);
    return hands;
  };

  test("is opened and read by an owner, its link with it, by keys", async () => {
    const hands = await withMail(true);
    const { page } = hands;
    const sections = await page.locator(".setting-sections button").allInnerTexts();
    await hands.press(String(sections.findIndex((text) => text.includes("Outgoing mail")) + 1));
    const mail = page.locator(".mails details", { hasText: "siti@example.com" });
    await mail.waitFor();
    expect(await mail.locator("pre").isVisible()).toBe(false);
    for (let n = 0; n < 10 && !(await mail.locator("summary").evaluate((one) => one === document.activeElement)); n++)
      await page.keyboard.press("Tab");
    await hands.press("Enter");
    await mail.locator("pre", { hasText: "http://127.0.0.1/reset-password?token=abc" }).waitFor();
  });

  test("is not offered to whoever may see the settings and is no owner, nor by its address", async () => {
    const { page } = await withMail(false);
    expect((await page.locator(".setting-sections button").allInnerTexts()).join()).not.toContain("Outgoing mail");
    await page.goto(new URL("/setting?section=mails", page.url()).href);
    await page.locator(".setting-body h2").waitFor();
    expect(await page.locator(".mails").count()).toBe(0);
    expect(await page.locator("body").innerText()).not.toContain("siti@example.com");
  });
});

describe("what is wrong", () => {
  test("is told at its field, and the focus goes there from any section; nothing is saved", async () => {
    const at = await makeFloor(hall, 0);
    const hands = await sitDown(hall, { operator: await setter(at) });
    await open(hands);
    await hands.press("3");
    await rewrite(field(hands, "MYR: confirm from"), "90000.00");
    await hands.press("Escape");
    await hands.press("2");
    await rewrite(field(hands, "An approval can be taken back for seconds"), "61");
    await hands.press("Escape");
    // at once after another section was chosen, and again from the field itself
    for (let turn = 0; turn < 4; turn++) {
      await hands.press("1");
      await hands.press("Enter", { mod: true });
      await hands.page.locator(".field .err", { hasText: "Must be a whole number from 0 to 60" }).waitFor();
      await expect
        .poll(() => field(hands, "An approval can be taken back for seconds").evaluate((element) => element === document.activeElement))
        .toBe(true);
      await hands.press("Escape");
    }
    await rewrite(field(hands, "An approval can be taken back for seconds"), "6");
    await hands.press("Enter", { mod: true });
    await hands.page.locator(".field .err", { hasText: "Must not exceed the second-approval amount" }).waitFor();
    expect((await known(at)).version).toBe(1);
  });
});

describe("what was typed", () => {
  test("outlives Escape and a look at another screen, and is thrown away only after a question", async () => {
    const at = await makeFloor(hall, 0);
    const hands = await sitDown(hall, { operator: await setter(at) });
    await open(hands);
    await rewrite(field(hands, "Deposits expire after minutes"), "77");
    for (let n = 0; n < 4; n++) await hands.press("Escape");
    await hands.pressAll("g", "m");
    await hands.page.getByRole("grid", { name: "Merchants" }).waitFor();
    await open(hands);
    await expect.poll(() => field(hands, "Deposits expire after minutes").inputValue()).toBe("77");
    await hands.press(".");
    await hands.page.locator("[cmdk-root]").waitFor();
    await hands.page.keyboard.type("Discard");
    await hands.press("Enter");
    await hands.page.locator(".sheet", { hasText: "Discard what you typed?" }).waitFor();
    await hands.press("Enter", { mod: true });
    await expect.poll(() => field(hands, "Deposits expire after minutes").inputValue()).toBe("30");
  });

  test("outlives a reload of the page, marked, with a word on it and the way to throw it away", async () => {
    const at = await makeFloor(hall, 0);
    const hands = await sitDown(hall, { operator: await setter(at) });
    const { page } = hands;
    await open(hands);
    await rewrite(field(hands, "Deposits expire after minutes"), "77");
    await page.locator("h2", { hasText: "1 changed" }).waitFor();
    await page.reload();
    await page.locator(".kept", { hasText: "1 unsaved change was kept." }).waitFor();
    await expect.poll(() => field(hands, "Deposits expire after minutes").inputValue()).toBe("77");
    await hands.press("2");
    await page.locator(".setting-sections button", { hasText: "1 changed" }).filter({ hasText: "Deposits" }).waitFor();
    expect(await faultsInBothThemes(page, ".setting")).toEqual([]);
    await hands.press("k", { mod: true });
    await page.locator("[cmdk-root]").waitFor();
    await page.keyboard.type("Sign out");
    await page.locator("[cmdk-item][data-selected=true]", { hasText: "Sign out" }).waitFor();
    await hands.press("Enter");
    await page.locator(".sheet", { hasText: "Discard unsaved settings?" }).waitFor();
    await hands.press("Escape");
    await page.locator(".sheet").waitFor({ state: "detached" });
    await page.locator(".kept").getByRole("button", { name: "Discard changes" }).click();
    await page.locator(".sheet", { hasText: "Discard what you typed?" }).waitFor();
    await hands.press("Enter", { mod: true });
    await page.locator(".kept").waitFor({ state: "detached" });
    expect(await page.evaluate(() => sessionStorage.getItem("countinghouse.drafts"))).toBeNull();
  });

  test("a currency half written is there again, too, and is thrown away by the same question", async () => {
    const at = await makeFloor(hall, 0);
    const hands = await sitDown(hall, { operator: await setter(at) });
    await openCurrencies(hands);
    await rewrite(field(hands, "Code"), "VND");
    for (let n = 0; n < 4; n++) await hands.press("Escape");
    await hands.pressAll("g", "m");
    await hands.page.getByRole("grid", { name: "Merchants" }).waitFor();
    await openCurrencies(hands);
    await expect.poll(() => field(hands, "Code").inputValue()).toBe("VND");
    await hands.press(".");
    await hands.page.locator("[cmdk-root]").waitFor();
    await hands.page.keyboard.type("Discard");
    await hands.press("Enter");
    await hands.page.locator(".sheet", { hasText: "Discard what you typed?" }).waitFor();
    expect(await field(hands, "Code").inputValue()).toBe("VND");
    await hands.press("Enter", { mod: true });
    await expect.poll(() => field(hands, "Code").inputValue()).toBe("");
  });

  test("stands beside what another saved meanwhile; both are kept as chosen", async () => {
    const at = await makeFloor(hall, 0);
    const hands = await sitDown(hall, { operator: await setter(at) });
    await open(hands);
    await rewrite(field(hands, "Deposits expire after minutes"), "77");
    const { version } = await known(at);
    await settingHandlers.updateSettings(at.office.call(), body({ version, deposit_expiry_minutes: 50, recall_seconds: 9 }));
    await hands.press("Enter", { mod: true });
    await hands.page.locator(".sheet .difference", { hasText: "Deposits expire after" }).waitFor();
    expect(await hands.page.locator(".sheet").innerText()).toMatch(/Ann Lim saved it/);
    await hands.press("Enter", { mod: true });
    await hands.said(/Saved/);
    expect(await known(at)).toMatchObject({ deposit_expiry_minutes: 77, recall_seconds: 9 });
  });
});

test("a currency is added by keys alone, with the decimals it has, and is worked in at once", async () => {
  const at = await makeFloor(hall, 0);
  const hands = await sitDown(hall, { operator: await setter(at) });
  const { page } = hands;
  await hands.watch();
  await openCurrencies(hands);
  await rewrite(field(hands, "Code"), "vnd");
  await expect.poll(() => field(hands, "Name").inputValue()).toBe("Vietnamese Dong");
  await hands.press("Enter", { mod: true });
  await page.locator(".setting .err", { hasText: "Must be filled in" }).waitFor();
  expect(await faults(page, ".setting")).toEqual([]);
  await rewrite(field(hands, "Country"), "Viet Nam");
  await rewrite(field(hands, "Offset of its days"), "+07:00");
  await hands.press("Enter", { mod: true });
  await hands.said(/VND/);
  const row = page.locator(".currencies tbody tr", { hasText: "VND" });
  await row.waitFor();
  expect(await row.locator("td").allInnerTexts()).toEqual(["VND", "Vietnamese Dong", "Viet Nam", "+07:00", "0"]);
  await hands.press("Escape");
  await hands.press("3");
  await field(hands, "VND: confirm from").waitFor();
  expect((await hands.watched()).pointers).toBe(0);
});

test("who may only look is offered no saving, no field takes a key, and nothing is shown of what they typed while they might", async () => {
  const at = await makeFloor(hall, 0);
  const person = await setter(at, "Siti Rahmah", ["tenant-setting.view"]);
  const hands = await sitDown(hall, { operator: person });
  const typed = { version: 1, fields: { deposit_expiry_minutes: { was: "30", typed: "77" } }, currency: null };
  await hands.page.evaluate((draft) => sessionStorage.setItem("countinghouse.drafts", JSON.stringify(draft)), {
    tenant: at.office.tenant.id,
    user: person.id,
    of: { setting: typed },
  });
  await hands.page.reload();
  await open(hands);
  expect(await hands.page.locator(".kept, .dirty").count()).toBe(0);
  await tabTo(field(hands, "Deposits expire after minutes"));
  await hands.page.keyboard.type("9");
  expect(await field(hands, "Deposits expire after minutes").inputValue()).toBe("30");
  await tabTo(field(hands, "Match unambiguous bank transactions automatically"));
  await hands.page.keyboard.press("Space");
  expect(await hands.page.locator("input[type=checkbox]:checked").count()).toBe(0);
  await hands.press("Enter", { mod: true });
  await hands.said(/tenant-setting.update/);
  expect(await hands.page.locator(".setting-pane .acts").count()).toBe(0);
});

test("a language the tenant opens is offered at once, and the page turns to it, right to left where it is Arabic", async () => {
  const at = await makeFloor(hall, 0);
  const hands = await sitDown(hall, { operator: await setter(at) });
  const { page } = hands;
  const offered = async (): Promise<string[]> => {
    await hands.press("k", { mod: true });
    await page.locator("[cmdk-root]").waitFor();
    await page.keyboard.type("Language");
    await page.locator("[cmdk-item]", { hasText: "anguage" }).first().waitFor();
    await hands.press("Enter");
    await page.locator("[cmdk-item]", { hasText: "English" }).waitFor();
    return page.locator("[cmdk-item]").allInnerTexts();
  };
  const close = async (): Promise<void> => {
    await hands.pressAll("Escape", "Escape");
    await page.locator("[cmdk-root]").waitFor({ state: "detached" });
  };
  expect((await offered()).join()).not.toMatch(/العربية/);
  await close();
  await open(hands);
  await hands.press("5");
  await tabTo(field(hands, "العربية"));
  await page.keyboard.press("Space");
  await hands.press("Enter", { mod: true });
  await hands.said(/Saved: 1 setting/);
  await hands.press("Escape");
  // the page hears of it a moment after the saving; an open palette stays as it was
  await expect
    .poll(async () => {
      if ((await page.locator("[cmdk-root]").count()) > 0) await close();
      return (await offered()).join();
    })
    .toContain("العربية");
  await page.locator("[cmdk-item]", { hasText: "العربية" }).click();
  await expect.poll(() => page.evaluate(() => [document.documentElement.lang, document.documentElement.dir])).toEqual(["ar", "rtl"]);
});

test("what the server says of a field is said in the operator's language", async () => {
  const at = await makeFloor(hall, 0);
  await hall.db.owner.query("update merchants set code = 'HARBOUR' where id = $1", [at.merchant.id]);
  const hands = await sitDown(hall, { operator: await setter(at) });
  const { page } = hands;
  await page.context().addCookies([{ name: "language", value: "zh", url: page.url() }]);
  await page.goto(new URL("/payment/merchants", page.url()).href);
  await page.locator(".grid .rows .row[aria-rowindex]").first().waitFor();
  await hands.press("c");
  const form = page.locator(".sheet .form-body");
  for (const [label, typed] of [
    ["代码", "HARBOUR"],
    ["名称", "Harbour Two"],
    ["存款费率", "1"],
    ["提款费率", "1"],
    ["结算费率", "1"],
  ] as const) {
    // oxlint-disable-next-line no-await-in-loop -- one field after the other
    await form.getByLabel(label).fill(typed);
  }
  await hands.press("Enter", { mod: true });
  await page.locator(".sheet .err", { hasText: "已被占用" }).waitFor();
  expect(await form.getByLabel("名称").inputValue()).toBe("Harbour Two");
});

test("axe finds nothing in any section in either theme", async () => {
  const at = await makeFloor(hall, 0);
  const owner = await setter(at);
  await hall.db.owner.query(
    "insert into membership_groups (tenant_id, user_id, group_id) select $1, $2, id from user_groups where tenant_id = $1 and code = 'owner'",
    [at.office.tenant.id, owner.id],
  );
  const hands = await sitDown(hall, { operator: owner });
  await open(hands);
  for (const digit of "1234567890") {
    // oxlint-disable-next-line no-await-in-loop -- one section after the other
    await hands.press(digit);
    // oxlint-disable-next-line no-await-in-loop
    await section(hands).filter({ hasText: digit }).waitFor();
    // oxlint-disable-next-line no-await-in-loop
    expect(await faultsInBothThemes(hands.page, ".setting"), digit).toEqual([]);
  }
});
