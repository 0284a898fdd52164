import type { Page, Request } from "playwright";
import { expect } from "vitest";

/** The withdrawals screen with a row under the cursor and its record read. */
async function atRecord(page: Page): Promise<void> {
  await page.locator(".stat .aim .id").waitFor();
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
