import type { Page } from "playwright";
import { expect, test } from "vitest";
import { languages, rightToLeftLanguages } from "../../src/contract/languages.ts";
import { atRest } from "./at-rest.ts";
import { faults, faultsInBothThemes } from "./faults.ts";
import type { Employee } from "../support/hall.ts";
import { testHall } from "../support/hall.ts";
import { codeOf, enableTwoFactor } from "../support/sign-in.ts";
import { makeFloor } from "./floor.ts";
import { goWithin } from "./go-within.ts";

const hall = testHall();

/** Texts that reach out of the window sideways, and how far the page scrolls: a frame that clips does not scroll. Tables may, in theirs. */
const cut = (page: Page): Promise<string[]> =>
  page.evaluate(() => {
    const isText = (element: Element) =>
      [...element.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.textContent?.trim());
    const found = [...document.querySelectorAll("#root *")].filter((element) => {
      if (!isText(element) || !element.checkVisibility() || element.closest("table")) return false;
      const { left, right } = element.getBoundingClientRect();
      return left < -1 || right > window.innerWidth + 1;
    });
    const sideways = document.documentElement.scrollWidth - document.documentElement.clientWidth;
    return [...found.map(({ textContent }) => textContent.slice(0, 60)), ...(sideways > 0 ? [`scrolls ${sideways} px sideways`] : [])];
  });

// no two beside each other are one screen
const open = ["/reset-password", "/forgot-password", "/reset-password?token=t&email=a%40b.example"];
const plain = ["/unauthorized", "/not-found", "/internal-server-error", "/offline"];
const own = ["/forbidden", "/profile", "/profile/edit", "/setting", "/dashboard"];

async function person(): Promise<Employee & { secret: string }> {
  const floor = await makeFloor(hall, 0);
  const employee = await hall.employ(floor.office, "Farah Aziz", [
    "profile.view",
    "profile.update",
    "tenant-setting.view",
    "dashboard.view",
  ]);
  return { ...employee, secret: await enableTwoFactor(hall.db, hall.server().deps, employee.id) };
}

/** Calls `look` with every page before and behind the sign-in, in one browser. */
async function tour(page: Page, who: Employee & { secret: string }, look: (name: string) => Promise<void>): Promise<void> {
  const visit = async (paths: readonly string[], data = false): Promise<void> => {
    for (const path of paths) {
      // oxlint-disable-next-line no-await-in-loop -- one page after the other
      await goWithin(page, path);
      // oxlint-disable-next-line no-await-in-loop
      await page.locator("main h1, main h2, main .own-sessions tbody tr").first().waitFor();
      // with its data, not while it is on its way
      // oxlint-disable-next-line no-await-in-loop
      if (data) await atRest(page);
      // oxlint-disable-next-line no-await-in-loop
      await look(path);
    }
  };
  await visit([...open, ...plain, "/login"]);
  const fields = page.locator(".lg-right input");
  await fields.first().fill(who.email);
  await fields.nth(1).fill(who.password);
  await page.keyboard.press("Enter");
  await page.locator(".lg-right .code-boxes").waitFor();
  await look("challenge");
  await page.keyboard.type(codeOf(who.secret));
  await page.locator(".app").waitFor();
  await visit(own, true);
}

test("axe finds nothing on the public pages, the second step, one's own pages, setting and dashboard in either theme", async () => {
  const page = await hall.open();
  await tour(page, await person(), async (name) => expect(await faultsInBothThemes(page), name).toEqual([]));
});

test.each(languages)(
  "in %s the pages say their language and direction, axe finds nothing, and nothing is cut at 360 wide",
  async (language) => {
    const speak = (page: Page) => page.context().addCookies([{ name: "language", value: language, url: hall.url() }]);
    const page = await hall.open({ viewport: { width: 360, height: 740 }, before: speak });
    await tour(page, await person(), async (name) => {
      expect(await page.evaluate(() => [document.documentElement.lang, document.documentElement.dir]), name).toEqual([
        language,
        rightToLeftLanguages.includes(language) ? "rtl" : "ltr",
      ]);
      // colours are the same in every language, but not at every width
      expect(await faults(page, "html", language === "en" ? "all" : "no colours"), name).toEqual([]);
      expect(await cut(page), name).toEqual([]);
    });
  },
);

test("the forced steps and the question who one is have nothing for axe to find, in both themes", async () => {
  const floor = await makeFloor(hall, 0, 0, { require_two_factor: true });
  const who = await hall.employ(floor.office, "Farah Aziz", ["profile.view"]);
  await hall.db.owner.query("update users set force_reset_password = true where id = $1", [who.id]);
  const page = await hall.open({ as: who });
  const inBoth = async (name: string) => expect(await faultsInBothThemes(page), name).toEqual([]);
  await page.getByLabel("Current password").waitFor();
  await inBoth("forced password");
  await hall.db.owner.query("update users set force_reset_password = false where id = $1", [who.id]);
  await page.reload();
  await page.getByRole("button", { name: "Set up" }).press("Enter");
  await page.locator(".set-up .qr").waitFor();
  await inBoth("set-up");
  await page.keyboard.type(codeOf((await page.locator(".set-up .key").innerText()).replaceAll(" ", "")));
  await page.locator(".recovery li").first().waitFor();
  await inBoth("recovery codes");
  await page.getByRole("button", { name: "I kept them" }).press("Enter");
  await page.locator(".app").waitFor();
  await hall.db.owner.query("delete from two_factor where user_id = $1", [who.id]);
  await hall.db.owner.query("update sessions set proved_at = now() - interval '11 minutes' where user_id = $1", [who.id]);
  await page.reload();
  await page.getByRole("button", { name: "Set up" }).press("Enter");
  await page.locator(".sheet").waitFor();
  await inBoth("who one is");
});
