import type { Locator, Page } from "playwright";

/**
 * The toast an act brings, with the pointer on it before its five seconds could pass: it stays from then on. The page's clock must
 * be installed; it stands meanwhile.
 */
export async function holdToast(page: Page, act: () => Promise<void>): Promise<Locator> {
  const toast = page.locator(".toasts .bp6-toast").first();
  await page.clock.pauseAt(Date.now() + 60_000);
  await act();
  await toast.hover();
  // what follows from a pointer's move follows in tasks of their own
  for (let task = 0; task < 5; task++) {
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    await page.evaluate(() => {
      const { port1, port2 } = new MessageChannel();
      return new Promise<void>((resolve) => {
        port1.addEventListener("message", () => resolve(), { once: true });
        port1.start();
        port2.postMessage(null);
      });
    });
  }
  await page.clock.resume();
  return toast;
}
