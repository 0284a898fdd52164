import type { Page } from "playwright";
import { describe, expect, test } from "vitest";
import { mailPlace } from "../../src/server/mail/mails.ts";
import type { Employee } from "../support/hall.ts";
import { signIn, testHall } from "../support/hall.ts";
import { codeOf, enableTwoFactor } from "../support/sign-in.ts";
import { at, credentials, employClerk, focused, frame, liveSessions, openProfile, other, said, tabTo, wrongCode } from "./clerk.ts";
import { makeFloor } from "./floor.ts";

const hall = testHall();

/** By keys, once the form is there to be tabbed through: it takes the focus itself. */
async function enter(page: Page, email: string, password: string): Promise<void> {
  await expect.poll(() => focused(page)).toBe("E-mail");
  await credentials(page, email, password);
}

const steps = (person: Employee) => hall.db.owner.query("delete from two_factor_steps where user_id = $1", [person.id]);

/** The newest kept mail to somebody, opened with the server's key. */
async function mailTo({ email }: Employee): Promise<string> {
  let found: { tenant_id: string; id: string; body: Buffer } | undefined;
  await expect
    .poll(async () => {
      const { rows } = await hall.db.owner.query("select tenant_id, id, body from mails where recipient = $1 order by id desc", [email]);
      found = rows[0];
      return found !== undefined;
    })
    .toBe(true);
  if (!found) throw new Error("no mail");
  return hall.server().deps.secrets.open(found.body, mailPlace(found.tenant_id, found.id));
}

describe("a forgotten password", () => {
  test("is set anew by the mailed link with keys alone; old sessions end, and the link works once", async () => {
    const floor = await makeFloor(hall, 0);
    const person = await employClerk(hall, floor);
    const before = await hall.open();
    await signIn(before, person);
    await frame(before);

    const page = await hall.open();
    await expect.poll(() => focused(page)).toBe("E-mail");
    await page.keyboard.type(person.email);
    await tabTo(page, /^Forgot password/);
    await page.keyboard.press("Enter");
    await at(page, "/forgot-password");
    await expect.poll(() => focused(page)).toBe("E-mail");
    expect(await page.getByLabel("E-mail").inputValue()).toBe(person.email);
    await page.keyboard.press("Enter");
    await expect.poll(() => focused(page)).toContain(`If ${person.email} is known here`);

    const link = /http\S+\/reset-password\S+/.exec(await mailTo(person))?.[0] ?? "";
    const opened = new URL(link);
    const here = `${hall.url()}${opened.pathname}${opened.search}`;
    await page.goto(here);
    await expect.poll(() => focused(page)).toBe("New password");
    await page.keyboard.type("short");
    await page.keyboard.press("Enter");
    await said(page, /At least 10 characters/);
    expect(await focused(page)).toBe("New password");
    await page.keyboard.press("Control+a");
    await page.keyboard.type(person.email);
    await tabTo(page, /^New password again/);
    await page.keyboard.type(person.email);
    await page.keyboard.press("Enter");
    await said(page, /Must not be the e-mail/);
    await expect.poll(() => focused(page)).toBe("New password");
    await page.keyboard.press("Control+a");
    await page.keyboard.type(other);
    await tabTo(page, /^New password again/);
    await page.keyboard.press("Control+a");
    await page.keyboard.type(`${other}!`);
    await page.keyboard.press("Enter");
    await said(page, /The two are not the same/);
    await expect.poll(() => focused(page)).toBe("New password again");
    await page.keyboard.press("End");
    await page.keyboard.press("Backspace");
    await page.keyboard.press("Enter");
    await at(page, "/login");
    expect(await liveSessions(hall, person)).toBe(0);
    await before.reload();
    await at(before, "/login");

    await enter(page, person.email, other);
    await frame(page);

    const again = await hall.open();
    await again.goto(here);
    await again.getByLabel("New password", { exact: true }).fill("eleven red kettles");
    await again.getByLabel("New password again").fill("eleven red kettles");
    await again.keyboard.press("Enter");
    await said(again, /This link is no longer valid/);
    expect(await again.getByLabel("New password again").inputValue()).toBe("eleven red kettles");
  });

  test("is answered alike for an address nobody has, and a link cut short says so", async () => {
    const page = await hall.open({ path: "/forgot-password" });
    await page.getByLabel("E-mail").fill("nobody at all");
    await page.keyboard.press("Enter");
    await said(page, /Invalid Email/i);
    await page.getByLabel("E-mail").fill("nobody@example.com");
    await page.keyboard.press("Enter");
    await page.getByText("If nobody@example.com is known here").waitFor();
    await page.goto(`${hall.url()}/reset-password?token=abc`);
    await said(page, /This link is incomplete/);
    expect(await page.locator(".lg-right input").count()).toBe(0);
  });
});

describe("two-factor", () => {
  test("is set up from the profile, asked for at sign-in, renewed and turned off again, all by keys", async () => {
    const floor = await makeFloor(hall, 0);
    const person = await employClerk(hall, floor);
    const page = await hall.open();
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    await enter(page, person.email, person.password);
    await openProfile(hall, page);
    await tabTo(page, /^Set up/);
    await page.keyboard.press("Enter");
    await expect.poll(() => focused(page)).toBe("Six-digit code");
    const secret = (await page.locator(".set-up .key").innerText()).replaceAll(" ", "");
    expect(await page.getByRole("img", { name: /QR/ }).isVisible()).toBe(true);
    await page.keyboard.type(wrongCode(secret));
    await said(page, /The code is not right/);
    await expect.poll(() => focused(page)).toBe("Six-digit code");
    await page.keyboard.type(codeOf(secret));

    await page.locator(".recovery ol li").first().waitFor();
    // on from now on, whether the codes are kept or not
    await page.getByText("10 recovery codes left").waitFor();
    // shown this once: who leaves is asked, and may stay
    await page.keyboard.press("g");
    await page.keyboard.press("w");
    await page.locator(".sheet", { hasText: "Leave without keeping your recovery codes?" }).waitFor();
    await page.keyboard.press("Escape");
    await page.locator(".sheet").waitFor({ state: "detached" });
    expect(new URL(page.url()).pathname).toBe("/profile");
    const codes = await page.locator(".recovery ol li").allInnerTexts();
    expect(codes.length).toBe(10);
    await expect.poll(() => focused(page)).toBe("Copy");
    await page.keyboard.press("Enter");
    await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe(codes.join("\n"));
    const saved = page.waitForEvent("download");
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    const file = await (await saved).createReadStream();
    const pieces: Buffer[] = [];
    for await (const piece of file) pieces.push(Buffer.from(piece));
    expect(Buffer.concat(pieces).toString()).toContain(codes[9]);
    await page.evaluate(() => {
      document.body.dataset["printed"] = "";
      window.print = () => void (document.body.dataset["printed"] += "once ");
    });
    await page.keyboard.press("Tab");
    expect(await focused(page)).toBe("Print");
    await page.keyboard.press("Enter");
    expect(await page.evaluate(() => document.body.dataset["printed"])).toBe("once ");
    await page.emulateMedia({ media: "print" });
    expect(await page.locator(".recovery li").first().isVisible()).toBe(true);
    expect(await page.getByText("Where you are signed in").isVisible()).toBe(false);
    await page.emulateMedia({ media: "screen" });
    await tabTo(page, /^I kept them/);
    await page.keyboard.press("Enter");
    await expect.poll(() => page.locator(".recovery").count()).toBe(0);
    await page.getByText("10 recovery codes left").waitFor();

    await page.goto(`${hall.url()}/logout`);
    await at(page, "/login");
    await steps(person);
    await enter(page, person.email, person.password);
    await expect.poll(() => focused(page)).toBe("Six-digit code");
    await page.keyboard.type(wrongCode(secret));
    await said(page, /The code is not right/);
    await expect.poll(() => page.getByLabel("Six-digit code").inputValue()).toBe("");
    // as an app shows it: what is pasted has a blank in it
    await page.evaluate((text) => navigator.clipboard.writeText(text), codeOf(secret).replace(/^.../, "$& "));
    await page.keyboard.press("Control+v");
    await frame(page);

    await page.goto(`${hall.url()}/logout`);
    await at(page, "/login");
    const byRecovery = async () => {
      await enter(page, person.email, person.password);
      await expect.poll(() => focused(page)).toBe("Six-digit code");
      await tabTo(page, /^Use a recovery code/);
      await page.keyboard.press("Enter");
      await expect.poll(() => focused(page)).toBe("One of your recovery codes");
      await page.keyboard.type((codes[0] ?? "").toLowerCase());
      await page.keyboard.press("Enter");
    };
    await byRecovery();
    await frame(page);
    await page.goto(`${hall.url()}/logout`);
    await at(page, "/login");
    await byRecovery();
    await said(page, /The code is not right, or was used before/);
    expect(await page.getByLabel("One of your recovery codes").inputValue()).toBe((codes[0] ?? "").toLowerCase());
    // another account: the first step is open again, without the password
    await page.keyboard.press("Escape");
    await expect.poll(() => focused(page)).toBe("E-mail");
    expect(await page.getByLabel("Password", { exact: true }).inputValue()).toBe("");
    await steps(person);
    await credentials(page, person.email, person.password);
    await expect.poll(() => focused(page)).toBe("Six-digit code");
    await page.keyboard.type(codeOf(secret));
    await openProfile(hall, page);
    await page.getByText("9 recovery codes left").waitFor();

    await tabTo(page, /^New recovery codes/);
    await page.keyboard.press("Enter");
    await page.keyboard.type("not the password");
    await page.keyboard.press("Enter");
    await said(page, /The password is wrong/);
    await page.keyboard.press("Control+a");
    await page.keyboard.type(person.password);
    await page.keyboard.press("Enter");
    await page.locator(".recovery ol li").first().waitFor();
    expect(await page.locator(".recovery ol li").allInnerTexts()).not.toContain(codes[1]);
    await expect.poll(() => focused(page)).toBe("Copy");
    await page.getByText("10 recovery codes left").waitFor();
    await page.keyboard.press("g");
    await page.keyboard.press("w");
    await page.locator(".sheet", { hasText: "Leave without keeping your recovery codes?" }).waitFor();
    await page.keyboard.press("Control+Enter");
    await at(page, "/payment/withdrawals");
    await page.locator(".grid").waitFor();
    await page.keyboard.press("g");
    await page.keyboard.press("y");
    await page.getByText("10 recovery codes left").waitFor();
    // the screen has taken the focus
    await expect.poll(() => focused(page)).toMatch(/^You/);
    await page.getByRole("button", { name: "Turn off" }).waitFor();
    await tabTo(page, /^Turn off/);
    await page.keyboard.press("Enter");
    await page.keyboard.type(person.password);
    await page.keyboard.press("Enter");
    // with the answer the focus goes back to where the form was opened
    await expect.poll(() => focused(page)).toContain("Two-factor sign-in");
    await tabTo(page, /^Set up/);
    await expect.poll(() => focused(page)).toBe("Set up");
  });
});

describe("keepers of passwords", () => {
  const told = (page: Page) =>
    page.locator("main form input").evaluateAll((inputs) => inputs.map((input) => input.getAttribute("autocomplete") ?? ""));

  test("are told which field holds what, from the sign-in to the new password", async () => {
    const floor = await makeFloor(hall, 0);
    const person = await employClerk(hall, floor);
    await enableTwoFactor(hall.db, hall.server().deps, person.id);
    const page = await hall.open();
    await page.getByLabel("Password", { exact: true }).waitFor();
    expect(await told(page)).toEqual(["username", "current-password"]);
    await enter(page, person.email, person.password);
    await expect.poll(() => focused(page)).toBe("Six-digit code");
    expect(await told(page)).toEqual(["username", "one-time-code"]);
    await tabTo(page, /^Use a recovery code/);
    await page.keyboard.press("Enter");
    await expect.poll(() => focused(page)).toBe("One of your recovery codes");
    expect(await told(page)).toEqual(["username", "off"]);

    await page.goto(`${hall.url()}/forgot-password`);
    await expect.poll(() => focused(page)).toBe("E-mail");
    expect(await told(page)).toEqual(["username"]);
    await page.goto(`${hall.url()}/reset-password?token=t&email=a%40b.example`);
    await expect.poll(() => focused(page)).toBe("New password");
    expect(await told(page)).toEqual(["username", "new-password", "new-password"]);
  });
});

describe("what must be done first", () => {
  test("a password given by an administrator opens nothing until it is replaced; then the wanted page opens", async () => {
    const floor = await makeFloor(hall, 1);
    const person = await employClerk(hall, floor);
    await hall.db.owner.query("update users set force_reset_password = true where id = $1", [person.id]);
    const page = await hall.open({ path: "/profile" });
    await at(page, "/login");
    await enter(page, person.email, person.password);
    const heading = page.getByRole("heading", { name: "Choose your own password" });
    await heading.waitFor();
    for (const path of ["/payment/withdrawals", "/", "/forbidden", "/profile"]) {
      // oxlint-disable-next-line no-await-in-loop -- one address after the other
      await page.goto(hall.url() + path);
      // oxlint-disable-next-line no-await-in-loop
      await heading.waitFor();
      // oxlint-disable-next-line no-await-in-loop
      expect(await page.locator(".app, .grid, .own-sessions").count(), path).toBe(0);
    }
    await expect.poll(() => focused(page)).toBe("Current password");
    await page.keyboard.type(person.password);
    await page.keyboard.press("Enter");
    await said(page, /At least 10 characters/);
    await expect.poll(() => focused(page)).toBe("New password");
    await page.keyboard.type(other);
    await tabTo(page, /^New password again/);
    await page.keyboard.type(other);
    await page.keyboard.press("Enter");
    await page.locator(".own-sessions").waitFor();
    expect(new URL(page.url()).pathname).toBe("/profile");
  });

  test("two-factor the tenant asks for is set up before anything opens, and cannot be turned off", async () => {
    const floor = await makeFloor(hall, 1, 0, { require_two_factor: true });
    const person = await employClerk(hall, floor);
    const page = await hall.open({ path: "/profile" });
    await enter(page, person.email, person.password);
    const heading = page.getByRole("heading", { name: "Set up two-factor sign-in" });
    await heading.waitFor();
    await page.goto(`${hall.url()}/payment/withdrawals`);
    await heading.waitFor();
    expect(await page.locator(".app, .grid").count()).toBe(0);
    await expect.poll(() => focused(page)).toBe("Set up");
    await page.keyboard.press("Enter");
    await expect.poll(() => focused(page)).toBe("Six-digit code");
    await page.keyboard.type(codeOf((await page.locator(".set-up .key").innerText()).replaceAll(" ", "")));
    await page.locator(".recovery").waitFor();
    expect(await page.locator(".app").count()).toBe(0);
    await tabTo(page, /^I kept them/);
    await page.keyboard.press("Enter");
    await page.locator(".grid .rows .row[aria-rowindex]").first().waitFor();
    expect(new URL(page.url()).pathname).toBe("/payment/withdrawals");
    await openProfile(hall, page);
    await page.getByText("asked for by this tenant").waitFor();
    expect(await page.getByRole("button", { name: "Turn off" }).count()).toBe(0);
  });
});
