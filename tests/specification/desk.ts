import type { Page, Route } from "playwright";
import type { Permission } from "../../src/contract/permissions.ts";
import { screens } from "../../src/contract/screens.ts";
import type { ScreenName } from "../../src/contract/screens.ts";
import type { Employee, Hall } from "../support/hall.ts";
import { signIn } from "../support/hall.ts";
import type { Office } from "../support/payments.ts";
import { keepToasts } from "../e2e/kept-toasts.ts";

/** The rights of an ordinary operator, in the order an any-of check would take them. */
export const operatorRights: readonly Permission[] = [
  "profile.view",
  "pas.transaction.withdrawals.view",
  "pas.transaction.withdrawals.process",
  "pas.transaction.withdrawals.approve",
  "pas.transaction.deposits.view",
  "pas.account.accounts.view",
];

/** Somebody with these rights, signed in already, at a path: left out, an ordinary operator at the withdrawals, others where a sign-in leads. */
export async function seat(
  hall: Hall,
  office: Office,
  rights: readonly Permission[] = operatorRights,
  path: string = rights === operatorRights ? screens.withdrawals.path : "/",
): Promise<{ page: Page; who: Employee }> {
  const who = await hall.employ(office, "Nurul Aisyah", rights);
  const page = await hall.open({ as: who, path, before: keepToasts });
  // the session is taken up: what stands at the path is drawn, or the page has gone on to where it may stand
  await page.locator("#root main").first().waitFor();
  return { page, who };
}

/** The same, by the form. */
export async function seatByForm(
  hall: Hall,
  office: Office,
  rights: readonly Permission[] = operatorRights,
): Promise<{ page: Page; who: Employee }> {
  const who = await hall.employ(office, "Nurul Aisyah", rights);
  const page = await hall.open();
  await signIn(page, who);
  return { page, who };
}

/** What a screen's route demands. */
export const rightsFor = (name: ScreenName): readonly Permission[] => {
  const needed: Permission | readonly Permission[] = screens[name].permission;
  return typeof needed === "string" ? [needed] : needed;
};

export const pathOf = (page: Page): string => new URL(page.url()).pathname;

/** Waits until the page stands at the path. */
export async function arrive(page: Page, path: string): Promise<void> {
  await page.waitForURL((url) => url.pathname === path);
}

/** What a gateway, or a fault, answers in the server's place. */
export const answer =
  (status: number, body: unknown = {}) =>
  (route: Route) =>
    route.fulfill({ status, contentType: "application/json", headers: { "x-request-id": "r-1" }, body: JSON.stringify(body) });

/** Every call of the platform's own API. */
export const service = "**/service/**";
/** The write that `t` sends: it claims the row under the cursor. */
export const claiming = "**/withdrawals/claim";

/** The withdrawals screen with a row under the cursor, so that keys act on it. */
export async function atWithdrawals(page: Page): Promise<void> {
  await arrive(page, screens.withdrawals.path);
  await page.locator(".stat .aim .id").waitFor();
}

/** At the users, after an e-mail has been looked up to add somebody. */
export async function lookUp(hall: Hall, office: Office, rights: readonly Permission[], email: string): Promise<Page> {
  const { page } = await seat(hall, office, rights, screens.users.path);
  await page.locator(".stat .aim .id").waitFor();
  await page.keyboard.press("c");
  await page.locator(".sheet").getByLabel("E-mail").fill(email);
  await page.keyboard.press("Enter");
  return page;
}
