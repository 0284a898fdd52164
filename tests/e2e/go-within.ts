import type { Page } from "playwright";

/** Leads the console to another of its addresses without loading it anew, as Back does; waits until the screen that stood there has gone. */
export async function goWithin(page: Page, path: string): Promise<void> {
  await page.evaluate((to) => {
    for (const heading of document.querySelectorAll("main :is(h1, h2)")) heading.setAttribute("data-left", "");
    history.pushState(null, "", to);
    dispatchEvent(new PopStateEvent("popstate", { state: null }));
  }, path);
  await page.locator("main [data-left]").first().waitFor({ state: "detached" });
}
