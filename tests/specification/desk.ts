import type { Page, Request, Route } from "playwright";
import { expect } from "vitest";
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

/** Somebody with these rights, signed in, on the page the sign-in led to. */
export async function seat(
  hall: Hall,
  office: Office,
  rights: readonly Permission[] = operatorRights,
): Promise<{ page: Page; who: Employee }> {
  const who = await hall.employ(office, "Nurul Aisyah", rights);
  const page = await hall.open();
  await keepToasts(page);
  // calls are held from the start: one that is sent while that begins would slip through to the server
  await page.route(claiming, (route) => route.fallback());
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

/** The same, and its record read. */
async function atRecord(page: Page): Promise<void> {
  await atWithdrawals(page);
  await page.locator(".detail .sec:not(.late)").first().waitFor();
}

/**
 * Loads the page anew until it is ready and asks nothing more of the server unbidden: when the channel stands, what may have been
 * missed before is asked for, and that is answered; the record to come is read ahead. `listen` is called when nothing of the
 * document before can be heard any more.
 */
export async function atRest(page: Page, { ready = atRecord, listen = () => {} }: Rest = {}): Promise<void> {
  const address = page.url();
  await page.goto("about:blank");
  const open = new Set<Request>();
  let asked = 0;
  let joined = false;
  let caughtUp = false;
  page.on("websocket", (socket) =>
    socket.on("framereceived", ({ payload }) => void (joined ||= String(payload).includes("subscription_succeeded"))),
  );
  page.on("request", (request) => {
    const { pathname } = new URL(request.url());
    if (!pathname.startsWith("/service/")) return;
    asked++;
    open.add(request);
    caughtUp ||= joined && pathname.endsWith("/notification/details");
  });
  const over = (request: Request) => void open.delete(request);
  page.on("requestfinished", over);
  page.on("requestfailed", over);
  listen();
  await page.goto(address);
  await ready(page);
  /** Nothing is open, and what came last has led to no further question. */
  const rests = async (): Promise<boolean> => {
    if (!caughtUp || open.size > 0) return false;
    const before = asked;
    await idle(page);
    await heardOut(page);
    return asked === before;
  };
  await expect.poll(rests).toBe(true);
}

/** Until the page has had nothing to do three times over: an answer is drawn, and what follows from that is asked, in tasks of their own. */
const idle = (page: Page): Promise<void> =>
  page.evaluate(async () => {
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    for (let n = 0; n < 3; n++) await new Promise((resolve) => requestIdleCallback(resolve));
  });

interface Rest {
  ready?(page: Page): Promise<unknown>;
  listen?(): void;
}

/** What the page has sent so far has been heard of once this is answered. */
export const heardOut = (page: Page): Promise<number> => page.evaluate(async () => (await fetch("/healthz")).status);
