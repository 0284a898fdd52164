import type { Page } from "playwright";
import { describe, expect, test } from "vitest";
import { createFormats } from "../../src/console/api/formats.ts";
import { testHall } from "../support/hall.ts";
import { codeOf, enableTwoFactor } from "../support/sign-in.ts";
import { at, atProfile, employClerk, focused, frame, liveSessions, other, said, tabTo, wrongCode } from "./clerk.ts";
import { makeFloor, sitDown } from "./floor.ts";
import { holdToast } from "./hold-toast.ts";

const hall = testHall();

describe("one's own account", () => {
  test("a new password ends the session of another browser, not one's own", async () => {
    const floor = await makeFloor(hall, 0);
    const person = await employClerk(hall, floor);
    const elsewhere = await hall.open({ as: person });
    await frame(elsewhere);
    const page = await atProfile(hall, person);
    await tabTo(page, /^Current password/);
    await page.keyboard.type("not the password");
    await page.keyboard.press("Tab");
    await tabTo(page, /^New password$/);
    await page.keyboard.type(other);
    await tabTo(page, /^New password again/);
    await page.keyboard.type(other);
    await page.keyboard.press("Enter");
    await said(page, /The password is wrong/);
    await expect.poll(() => focused(page)).toBe("Current password");
    expect(await page.getByLabel("New password again").inputValue()).toBe(other);
    await page.keyboard.press("Control+a");
    await page.keyboard.type(person.password);
    await page.keyboard.press("Enter");
    await page.getByText("Your other sessions have ended.").waitFor();
    expect(await liveSessions(hall, person)).toBe(1);
    // at once, without a key
    await at(elsewhere, "/login");
    await said(elsewhere, /signed out because your password was changed.*Chrome · Linux.*127\.0\.0\.1/s);
    await page.reload();
    await page.locator(".own-sessions").waitFor();
  });

  test("a session ended in the list is out at once and told so; all others end with one command", async () => {
    const floor = await makeFloor(hall, 0);
    const person = await employClerk(hall, floor);
    // their order is the list's
    await hall.open({ as: person });
    const second = await hall.open({ as: person });
    const third = await hall.open({ as: person });
    const page = await atProfile(hall, person);
    await expect.poll(() => page.locator(".own-sessions tbody tr").count()).toBe(4);
    await tabTo(page, /^End Chrome/);
    await page.keyboard.press("Enter");
    await expect.poll(() => page.locator(".own-sessions tbody tr").count()).toBe(3);
    await expect.poll(() => focused(page)).toContain("Where you are signed in");
    // the newest but this one
    await at(third, "/login");
    await said(third, /You were signed out of this session.*Chrome · Linux/s);
    await page.keyboard.press("Control+k");
    await page.locator("[cmdk-root]").waitFor();
    await page.keyboard.type("End my other sessions");
    await page.locator("[cmdk-item][data-selected=true]", { hasText: "End my other sessions" }).waitFor();
    await page.keyboard.press("Enter");
    await page.locator(".sheet").waitFor();
    await page.keyboard.press("Control+Enter");
    await expect.poll(() => page.locator(".own-sessions tbody tr").count()).toBe(1);
    await at(second, "/login");
    expect(await liveSessions(hall, person)).toBe(1);
  });

  test("a session that is ended late leaves the focus where one went meanwhile", async () => {
    const floor = await makeFloor(hall, 0);
    const person = await employClerk(hall, floor);
    await hall.open({ as: person });
    const page = await atProfile(hall, person);
    const gone = Promise.withResolvers<void>();
    await page.route(/\/sessions\//, async (route) => {
      const response = await route.fetch();
      await gone.promise;
      await route.fulfill({ response });
    });
    await tabTo(page, /^End Chrome/);
    await page.keyboard.press("Enter");
    await page.getByLabel("Current password").focus();
    gone.resolve();
    await expect.poll(() => page.locator(".own-sessions tbody tr").count()).toBe(1);
    expect(await focused(page)).toBe("Current password");
  });

  test("a new name is in the header at once", async () => {
    const floor = await makeFloor(hall, 0);
    const person = await employClerk(hall, floor);
    const page = await atProfile(hall, person);
    await page.keyboard.press("e");
    await at(page, "/profile/edit");
    await expect.poll(() => focused(page)).toMatch(/^Name/);
    await page.keyboard.press("Control+a");
    await page.keyboard.press("Backspace");
    await page.keyboard.press("Enter");
    await said(page, /Must be filled in/);
    await page.keyboard.type("Farah binti Aziz");
    await page.keyboard.press("Enter");
    await at(page, "/profile");
    await page.locator(".profile .value", { hasText: "Farah binti Aziz" }).waitFor();
    expect(await page.locator(".head").innerHTML()).toContain("Farah binti Aziz");
  });
});

test("a name that is typed and not saved is not left unasked", async () => {
  const floor = await makeFloor(hall, 0);
  const person = await employClerk(hall, floor);
  const page = await atProfile(hall, person);
  await page.keyboard.press("e");
  await at(page, "/profile/edit");
  await expect.poll(() => focused(page)).toMatch(/^Name/);
  await page.keyboard.type("Farah binti Aziz");
  await tabTo(page, /^Cancel/);
  await page.keyboard.press("Enter");
  const question = page.locator(".sheet", { hasText: "Discard what you typed?" });
  await question.waitFor();
  await page.keyboard.press("Escape");
  await question.waitFor({ state: "detached" });
  expect(await page.getByLabel(/^Name/).inputValue()).toBe("Farah binti Aziz");
  await tabTo(page, /^Cancel/);
  await page.keyboard.press("Enter");
  await question.waitFor();
  await page.keyboard.press("Control+Enter");
  await at(page, "/profile");
  await page.locator(".profile .value", { hasText: "Farah Aziz" }).waitFor();
});

describe("who one is, asked again", () => {
  const editing = async (twoFactor: boolean, ready: (page: Page) => Promise<unknown> = async () => {}) => {
    const floor = await makeFloor(hall, 0);
    const person = await employClerk(hall, floor, ["pas.account.accounts.view", "pas.account.accounts.update"]);
    const hands = await sitDown(hall, { operator: person });
    const { page } = hands;
    await frame(page);
    await hall.db.owner.query("update sessions set proved_at = now() - interval '11 minutes' where user_id = $1", [person.id]);
    const secret = twoFactor ? await enableTwoFactor(hall.db, hall.server().deps, person.id) : "";
    await page.goto(`${hall.url()}/payment/payment-accounts`);
    await page.locator(".grid .rows .row[aria-rowindex]").first().waitFor();
    const keys: string[] = [];
    page.on("request", (request) => {
      if (request.postData()?.includes("HARBOUR TRADING")) keys.push(request.headers()["idempotency-key"] ?? "");
    });
    await hands.press("e");
    const holder = page.locator(".sheet").getByLabel("Holder");
    await holder.fill("HARBOUR TRADING SDN BHD");
    await ready(page);
    await hands.press("Enter", { mod: true });
    await page.getByRole("dialog", { name: "Is it still you?" }).waitFor();
    const name = async () => {
      const { rows } = await hall.db.owner.query("select holder from payment_accounts where id = $1", [floor.account.id]);
      return String(rows[0]?.holder);
    };
    return { hands, page, person, keys, holder, name, secret };
  };

  test("a payment account's edit asks for the password, then goes through by itself under its one key", async () => {
    const { page, person, keys, name } = await editing(false);
    await expect.poll(() => focused(page)).toBe("Password");
    await page.keyboard.type("not the password");
    await page.keyboard.press("Enter");
    await said(page, /The password is wrong/);
    expect(await name()).not.toContain("HARBOUR");
    await page.keyboard.press("Control+a");
    await page.keyboard.type(person.password);
    await page.keyboard.press("Enter");
    await expect.poll(name).toBe("HARBOUR TRADING SDN BHD");
    await page.locator(".sheet").waitFor({ state: "detached" });
    expect(keys.length).toBe(2);
    expect(new Set(keys).size).toBe(1);
  });

  test("the password has the focus though its question comes before the next frame", async () => {
    const { page } = await editing(false, (form) =>
      form.evaluate(() => {
        const soon = window.requestAnimationFrame.bind(window);
        window.requestAnimationFrame = (act) => soon(() => setTimeout(() => act(performance.now()), 700));
      }),
    );
    await expect.poll(() => focused(page)).toBe("Password");
    // whatever waits for a frame, and for the one after it
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    for (let n = 0; n < 3; n++) await page.evaluate(() => new Promise((drawn) => requestAnimationFrame(drawn)));
    expect(await focused(page)).toBe("Password");
  });

  test("Esc gives it up: nothing is changed, and what was typed stays in the form", async () => {
    const { page, holder, name } = await editing(false);
    await page.keyboard.press("Escape");
    await page.getByRole("dialog", { name: "Is it still you?" }).waitFor({ state: "detached" });
    expect(await holder.inputValue()).toBe("HARBOUR TRADING SDN BHD");
    expect(await name()).not.toContain("HARBOUR");
    await expect.poll(() => page.evaluate(() => document.activeElement?.closest(".sheet") !== null)).toBe(true);
  });

  test("with two-factor on a code does it", async () => {
    const { page, name, secret } = await editing(true);
    await expect.poll(() => focused(page)).toBe("Six-digit code");
    await page.keyboard.type(wrongCode(secret));
    await said(page, /The code is not right/);
    await page.keyboard.type(codeOf(secret));
    await expect.poll(name).toBe("HARBOUR TRADING SDN BHD");
  });
});

test("a failure's toast gives its request id to the clipboard, and so does the log of messages", async () => {
  const floor = await makeFloor(hall, 0);
  const person = await employClerk(hall, floor);
  await hall.open({ as: person });
  const page = await atProfile(hall, person);
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  const copied = () => page.evaluate(() => navigator.clipboard.readText());
  await hall.db.owner.query(
    "update sessions set ended_at = now() where id = (select id from sessions where user_id = $1 order by started_at limit 1)",
    [person.id],
  );
  const answered = page.waitForResponse((response) => response.request().method() === "DELETE");
  await tabTo(page, /^End Chrome/);
  // it goes after five seconds, however long they are here
  await page.clock.install();
  const toast = await holdToast(page, () => page.keyboard.press("Enter"));
  const id = (await answered).headers()["x-request-id"] ?? "none";
  await toast.getByRole("button", { name: "Copy request id" }).press("Enter");
  await expect.poll(copied).toBe(id);
  expect(await toast.innerText()).not.toContain(id);
  await page.evaluate(() => navigator.clipboard.writeText(""));
  await page.keyboard.press("Control+k");
  await page.locator("[cmdk-root]").waitFor();
  await page.keyboard.type("Messages");
  await page.locator("[cmdk-item][data-selected=true]", { hasText: "essages" }).waitFor();
  await page.keyboard.press("Enter");
  await page.locator(".sheet .said-list").waitFor();
  // in the zone of the currency, not in the browser's
  const [instant, clock] = await page
    .locator(".said-list time")
    .first()
    .evaluate((told: HTMLTimeElement) => [told.dateTime, told.innerText] as const);
  expect(clock).toBe(createFormats("+08:00").seconds(instant));
  await tabTo(page, /^Copy request id/);
  await page.keyboard.press("Enter");
  await expect.poll(copied).toBe(id);
});
