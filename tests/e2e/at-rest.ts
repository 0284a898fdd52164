import type { Page } from "playwright";
import { timed } from "../support/times.ts";

/** Until the page asks nothing more of the server unbidden and has drawn what came: it says so itself (src/console/kit/loading/rest.ts). */
export async function atRest(page: Page): Promise<void> {
  await timed("rest", () => page.locator("html[data-rest]").waitFor({ state: "attached" }));
}

/** What the page has sent so far has been heard of once this is answered. */
export const heardOut = (page: Page): Promise<number> => page.evaluate(async () => (await fetch("/healthz")).status);
