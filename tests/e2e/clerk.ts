import type { Page } from "playwright";
import type { Employee, Hall } from "../support/hall.ts";
import { codeOf } from "../support/sign-in.ts";
import type { Floor } from "./floor.ts";

/** Another password than everybody's of the hall. */
export const other = "seven blue lanterns";

/** Somebody who may see and change themselves. */
export const employClerk = (hall: Hall, at: Floor, more: readonly string[] = []): Promise<Employee> =>
  hall.employ(at.office, "Farah Aziz", ["profile.view", "profile.update", "pas.transaction.withdrawals.view", ...more]);

/** A code no authenticator shows now. */
export const wrongCode = (secret: string): string => String((Number(codeOf(secret, 7)) + 1) % 1_000_000).padStart(6, "0");

/** The label or the text of what has the focus. */
export const focused = (page: Page): Promise<string> =>
  page.evaluate(() => {
    const at = document.activeElement;
    if (at instanceof HTMLInputElement) return at.labels?.[0]?.textContent?.trim() ?? "";
    return at === document.body ? "nothing" : (at?.textContent?.trim() ?? "");
  });

/** Tab until what has the focus is called so. */
export async function tabTo(page: Page, name: RegExp): Promise<void> {
  for (let presses = 0; presses < 40; presses++) {
    // oxlint-disable-next-line no-await-in-loop -- one press after the other
    if (name.test(await focused(page))) return;
    // oxlint-disable-next-line no-await-in-loop
    await page.keyboard.press("Tab");
  }
  throw new Error(`Tab never came to ${name}`);
}

/** By keys alone, from the page as it opens. */
export async function credentials(page: Page, email: string, password: string): Promise<void> {
  // a page without its form yet has nothing to lead to
  await page.getByLabel("E-mail").waitFor();
  await tabTo(page, /^E-mail/);
  await page.keyboard.press("Control+a");
  await page.keyboard.type(email);
  await page.keyboard.press("Tab");
  await page.keyboard.type(password);
  await page.keyboard.press("Enter");
}

/** The profile of somebody signed in already. */
export async function atProfile(hall: Hall, person: Employee): Promise<Page> {
  const page = await hall.open({ as: person, path: "/profile" });
  await page.locator(".own-sessions tbody tr").first().waitFor();
  return page;
}

/** The profile, once the page behind the sign-in stands. */
export async function openProfile(hall: Hall, page: Page): Promise<void> {
  await page.locator(".stat .mode").waitFor();
  await page.goto(`${hall.url()}/profile`);
  await page.locator(".own-sessions tbody tr").first().waitFor();
}

export const said = (page: Page, text: RegExp) => page.locator("[role=alert]", { hasText: text }).first().waitFor();
export const at = (page: Page, path: string) => page.waitForURL((url) => url.pathname === path);
export const frame = (page: Page) => page.locator(".app .stat .mode").waitFor();

export async function liveSessions({ db }: Hall, { id }: Employee): Promise<number> {
  const { rows } = await db.owner.query<{ n: number }>(
    "select count(*)::integer as n from sessions where user_id = $1 and ended_at is null",
    [id],
  );
  return rows[0]?.n ?? 0;
}
