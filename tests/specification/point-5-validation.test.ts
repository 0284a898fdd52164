import type { Page } from "playwright";
import { beforeAll, describe, expect, test } from "vitest";
import { Email, sessionRoutes } from "../../src/contract/session.ts";
import { screens } from "../../src/contract/screens.ts";
import { addressOf } from "../../src/contract/addresses.ts";
import { attributeForm, keptAttributes } from "../../src/contract/vendor-attributes.ts";
import { vendorCategoryRoutes } from "../../src/contract/vendor-categories.ts";
import { makeGroup, makeMerchant } from "../support/factories.ts";
import { testHall } from "../support/hall.ts";
import { makeFloor } from "../e2e/floor.ts";
import type { Floor } from "../e2e/floor.ts";
import { toast } from "../e2e/kept-toasts.ts";
import { arrive, operatorRights, seat } from "./desk.ts";

const hall = testHall();
let floor: Floor;
beforeAll(async () => {
  floor = await makeFloor(hall, 1);
});

const merchantRights = ["view", "create", "update", "delete"].map((action) => `pas.merchant.merchants.${action}` as const) as [
  "pas.merchant.merchants.view",
];

describe("5 · Email: text with one at sign, no spaces and a dot after it", () => {
  test.each(["a@b.c", "first.last@bank.example.com", "x+y@z.co"])("%s is one", (text) => {
    expect(Email.safeParse(text).success).toBe(true);
  });

  test.each([
    "",
    "a",
    "a@b",
    "a@@b.c",
    "a@b@c.d",
    "a b@c.d",
    "a@b .c",
    " a@b.c",
    "a@b.c ",
    "a@b.c\n",
    "a\t@b.c",
    "a@b.\u00a0c",
    "@b.c",
    "a@.",
    "a.b@c",
  ])("%j is none", (text) => {
    expect(Email.safeParse(text).success).toBe(false);
  });

  test('the message is "Invalid Email" ("Invalid email")', async () => {
    expect(Email.safeParse("a@b").error?.issues[0]?.message).toBe("Invalid Email");
    const page = await hall.open();
    await page.getByLabel("E-mail").fill("a@b");
    await page.keyboard.press("Enter");
    await page.locator(".err", { hasText: /^Invalid [Ee]mail$/ }).waitFor();
  });
});

describe("5 · A password left blank on edit keeps the current one", () => {
  test("the user's other fields are saved, and the old password still signs in", async () => {
    const colleague = await hall.employ(floor.office, "Tan Wei Ming", []);
    const { page } = await seat(
      hall,
      floor.office,
      ["cas.user.users.view", "cas.user.users.update"],
      `${screens.users.path}?record=${colleague.id}`,
    );
    await page.locator(".stat .aim .id", { hasText: colleague.name }).waitFor();
    await page.keyboard.press("e");
    expect(await page.locator(".sheet").getByLabel("New password").inputValue()).toBe("");
    await page.locator(".sheet").getByLabel(/^Name/).fill("Tan Wei Liang");
    await page.keyboard.press("Control+Enter");
    await page.locator(".stat .aim .id", { hasText: "Tan Wei Liang" }).waitFor();
    const { status } = await fetch(hall.url() + sessionRoutes.login.path, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ email: colleague.email, password: colleague.password }),
    });
    expect(status).toBe(200);
  });
});

describe("5 · URL fields must parse as a URL", () => {
  test("a merchant's website that does not is told at its field, and what was typed stays", async () => {
    const { page } = await seat(hall, floor.office, merchantRights);
    await arrive(page, screens.merchants.path);
    await page.locator(".stat .aim .id").waitFor();
    await page.keyboard.press("c");
    await page.getByLabel(/^Website/).fill("not a url");
    await page.keyboard.press("Control+Enter");
    await expect.poll(() => page.getByLabel(/^Website/).getAttribute("aria-invalid")).toBe("true");
    expect(await page.getByLabel(/^Website/).inputValue()).toBe("not a url");
  });
});

describe("5 · Fields marked with an asterisk are required", () => {
  test("each such field left empty is told, and nothing is sent", async () => {
    const { page } = await seat(hall, floor.office, merchantRights);
    await page.locator(".stat .aim .id").waitFor();
    const sent: string[] = [];
    page.on("request", (request) => request.method() === "POST" && sent.push(request.url()));
    await page.keyboard.press("c");
    const form = page.locator(".sheet");
    await form.waitFor();
    await page.keyboard.press("Control+Enter");
    const names = (marked: string) =>
      form
        .locator(".field")
        .filter({ has: page.locator(marked) })
        .evaluateAll((fields) => fields.map((field) => field.querySelector("label")?.firstChild?.textContent ?? "").toSorted());
    const starred = await names("label i.fail");
    expect(starred.length).toBeGreaterThan(1);
    expect(await names("[aria-required=true]")).toEqual(starred);
    // those that come filled are right as they are
    const empty: string[] = [];
    for (const field of await form.locator("[aria-required=true]").all()) {
      // oxlint-disable-next-line no-await-in-loop -- a form's few fields
      if ((await field.inputValue()) === "")
        empty.push(await field.evaluate((at: HTMLInputElement) => at.labels?.[0]?.firstChild?.textContent ?? ""));
    }
    expect(empty.length).toBeGreaterThan(1);
    await expect.poll(() => names("[aria-invalid=true]")).toEqual(empty.toSorted());
    expect(sent.filter((url) => url.includes("/merchants"))).toEqual([]);
  });
});

describe("5 · Attribute options are comma separated", () => {
  test.each(["red,blue", " red , blue ,"])("%j are two, and an item has one of them", (options) => {
    const attributes = keptAttributes([{ name: "Colour", type: "options", options, required: true }]);
    const chosen = (Colour: string) => attributeForm(attributes).safeParse({ Colour }).success;
    expect(attributes[0]?.options).toBe("red, blue");
    expect(["red", "blue", "red,blue", "red, blue", ""].map(chosen)).toEqual([true, true, false, false, false]);
  });

  test.each(["", " , "])("%j is none, which is told at the field", (options) => {
    const attributes = [{ name: "Colour", type: "options", options, required: true }];
    const { error } = vendorCategoryRoutes.createVendorCategory.body.safeParse({ name: "Printers", attributes });
    expect(error?.issues.map(({ path }) => path.join("."))).toEqual(["attributes.0.options"]);
  });
});

describe("5 · IP lists are comma separated", () => {
  const lists = ["203.0.113.7,198.51.100.0/24", " 203.0.113.7 , 198.51.100.0/24 "];
  const others = ["203.0.113.7 198.51.100.0/24", "203.0.113.7;198.51.100.0/24", "nowhere, 203.0.113.7"];
  const typed = async (page: Page, list: string) => {
    await page.keyboard.press("e");
    await page.locator(".sheet").waitFor();
    await page.getByLabel(/^Whitelist IPs/).fill(list);
    await page.keyboard.press("Control+Enter");
  };
  const kept = async () =>
    (await hall.db.owner.query<{ list: string[] }>("select whitelist_ips as list from merchants where id = $1", [floor.merchant.id]))
      .rows[0]?.list;

  test.each(lists)("%j is two addresses", async (list) => {
    const { page } = await seat(hall, floor.office, merchantRights);
    await page.locator(".stat .aim .id").waitFor();
    await hall.db.owner.query("update merchants set whitelist_ips = '{}' where id = $1", [floor.merchant.id]);
    await typed(page, list);
    await page.locator(".sheet").waitFor({ state: "detached" });
    expect(await kept()).toEqual(["203.0.113.7", "198.51.100.0/24"]);
  });

  test.each(others)("%j is told at its field", async (list) => {
    const { page } = await seat(hall, floor.office, merchantRights);
    await page.locator(".stat .aim .id").waitFor();
    const before = await kept();
    await typed(page, list);
    await expect.poll(() => page.getByLabel(/^Whitelist IPs/).getAttribute("aria-invalid")).toBe("true");
    expect(await kept()).toEqual(before);
  });
});

describe("5 · Reset password sends token, email, password, password confirmation", () => {
  const link = "/reset-password?token=from-the-mail&email=nurul%40example.com";

  test("these four and nothing else, token and e-mail from the mailed link", async () => {
    const page = await hall.open({ path: link });
    const sent = page.waitForRequest((request) => request.url().endsWith(sessionRoutes.resetPassword.path));
    const secrets = page.locator("input[type=password]");
    await secrets.nth(0).fill("seven blue lanterns");
    await secrets.nth(1).fill("seven blue lanterns");
    await page.keyboard.press("Enter");
    expect((await sent).postDataJSON()).toEqual({
      token: "from-the-mail",
      email: "nurul@example.com",
      password: "seven blue lanterns",
      password_confirmation: "seven blue lanterns",
    });
  });

  test("a confirmation that is another is told, and nothing is sent", async () => {
    const page = await hall.open({ path: link });
    const sent: string[] = [];
    page.on("request", (request) => request.method() === "POST" && sent.push(request.url()));
    const secrets = page.locator("input[type=password]");
    await secrets.nth(0).fill("seven blue lanterns");
    await secrets.nth(1).fill("seven red lanterns");
    await page.keyboard.press("Enter");
    await expect.poll(() => secrets.nth(1).getAttribute("aria-invalid")).toBe("true");
    expect(sent).toEqual([]);
  });
});

describe("5 · Some fields are fixed after creation", () => {
  test("a merchant's code is asked when it is made, and no more when it is edited", async () => {
    const { page } = await seat(hall, floor.office, merchantRights);
    await page.locator(".stat .aim .id").waitFor();
    const code = page.locator(".sheet").getByLabel(/^Code/);
    await page.keyboard.press("c");
    await page.locator(".sheet").waitFor();
    expect(await code.count()).toBe(1);
    await page.keyboard.press("Escape");
    await page.locator(".sheet").waitFor({ state: "detached" });
    await page.keyboard.press("e");
    await page.locator(".sheet").waitFor();
    expect(await code.count()).toBe(0);
  });
});

describe("5 · Deleting asks for confirmation stating it cannot be undone", () => {
  test("and nothing is deleted before it is given", async () => {
    const { page } = await seat(hall, floor.office, merchantRights);
    await page.locator(".stat .aim .id").waitFor();
    const sent: string[] = [];
    page.on("request", (request) => request.method() === "DELETE" && sent.push(request.url()));
    await page.keyboard.press(".");
    await page.locator("[cmdk-input]").pressSequentially("Delete");
    await page.locator("[cmdk-item]", { hasText: "Delete" }).first().waitFor();
    await page.keyboard.press("Enter");
    await page
      .getByText(/cannot be undone/)
      .first()
      .waitFor();
    await page.keyboard.press("Escape");
    await page.locator(".sheet").waitFor({ state: "detached" });
    expect(sent).toEqual([]);
  });
});

describe("5 · Deleting a payment group also unlinks its linked merchants", () => {
  test("and says how many before it does", async () => {
    const group = await makeGroup(hall.db, floor.office.tenant, [], [floor.merchant]);
    const rights = ["pas.account.groups.view", "pas.account.groups.delete"] as const;
    const { page } = await seat(hall, floor.office, rights, `${screens["payment-groups"].path}?record=${group}`);
    await page.locator(".stat .aim .id").waitFor();
    await page.keyboard.press(".");
    await page.locator("[cmdk-input]").pressSequentially("Delete");
    await page.locator("[cmdk-item][data-selected=true]", { hasText: "Delete" }).waitFor();
    await page.keyboard.press("Enter");
    await page.getByText(/1 merchant will be unlinked/).waitFor();
    await page.keyboard.press("Control+Enter");
    await page.locator(".sheet").waitFor({ state: "detached" });
    const linked = "select from payment_group_merchants where group_id = $1";
    await expect.poll(async () => (await hall.db.owner.query(linked, [group])).rowCount).toBe(0);
  });
});

describe("5 · Tenant switch rejects with Invalid tenant ID", () => {
  test("a link that names a tenant the user does not have", async () => {
    const { page } = await seat(hall, floor.office, operatorRights, "/payment/withdrawals?tenant=00000000-0000-4000-8000-000000000000");
    await toast(page, { title: "Fail", text: "Invalid tenant ID" });
  });
});

describe("5 · Currency switch rejects with Invalid selected currency", () => {
  test("a link that names a currency the tenant does not have", async () => {
    const { page } = await seat(hall, floor.office, operatorRights, `/payment/withdrawals?tenant=${floor.office.tenant.id}&currency=XTS`);
    await toast(page, { title: "Fail", text: "Invalid selected currency" });
  });
});

describe("5 · Rate-limit form: window interval is required when limits are set", () => {
  test("a limit without its window is refused at the window's field, and what was typed stays", async () => {
    const { page } = await seat(hall, floor.office, ["pas.rate-limit.groups.view", "pas.rate-limit.groups.create"]);
    await arrive(page, screens["rate-limit-groups"].path);
    await page.getByText("Nothing here yet.").waitFor();
    await page.keyboard.press("c");
    const sheet = page.locator(".sheet");
    await sheet.getByLabel("Name").fill("Evening");
    await sheet.getByLabel("Account max transactions").fill("1");
    await page.keyboard.press("Control+Enter");
    const field = sheet.locator(".field", { hasText: "Account window" });
    await field.locator(".err", { hasText: /^Window required when limits set$/ }).waitFor();
    expect(await sheet.getByLabel("Name").inputValue()).toBe("Evening");
    await sheet.getByLabel("Account window").fill("60");
    await page.keyboard.press("Control+Enter");
    await sheet.waitFor({ state: "detached" });
  });
});

describe("5 · API credential and similar fields must be valid JSON", () => {
  test.each(["API credential", "Account credentials"])(
    "%s: what is none is told at its field with its place, and nothing is sent",
    async (label) => {
      const { office } = floor;
      const merchant = await makeMerchant(hall.db, office.tenant);
      const path = addressOf("merchant-providers", { params: { merchantUuid: merchant.id } });
      const { page } = await seat(hall, office, ["gps.provider.merchant-providers.view", "gps.provider.merchant-providers.create"], path);
      await page.locator(".detail").getByText("No provider selected").waitFor();
      const kept = async () => (await hall.db.owner.query("select from merchant_providers where merchant_id = $1", [merchant.id])).rowCount;
      await page.keyboard.press("c");
      const sheet = page.locator(".sheet");
      await sheet.getByLabel("Provider").fill("Lotus Gaming");
      await sheet.getByLabel(/^PT/).fill("12.5");
      await sheet.getByLabel(label).fill('{"key": }');
      await page.keyboard.press("Control+Enter");
      await sheet.locator(".err", { hasText: /^Not valid JSON: line 1, column \d+$/ }).waitFor();
      expect(await kept()).toBe(0);
      await sheet.getByLabel(label).fill('{"key": "k-9"}');
      await page.keyboard.press("Control+Enter");
      await sheet.waitFor({ state: "detached" });
      expect(await kept()).toBe(1);
    },
  );
});
