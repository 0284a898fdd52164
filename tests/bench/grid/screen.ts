import type { Browser } from "playwright";
import pg from "pg";
import { seedMany } from "../../../src/server/demo/many.ts";
import { serverProcess } from "../../support/processes.ts";
import { findBlanks, type BlankFigures } from "./blank.ts";
import { changing } from "./changes.ts";
import { press, type KeyFigures } from "./keys.ts";
import { heap, wheel, type WheelFigures } from "./wheel.ts";

export interface GridFigures {
  readonly keys: KeyFigures[];
  readonly wheels: WheelFigures[];
  readonly blanks: BlankFigures[];
  readonly heaps: { readonly what: string; readonly before: number; readonly after: number }[];
}

/** The withdrawals screen as shipped, over the API of a server of its own with so many transactions. */
export async function benchScreen(browser: Browser, count: number, into: GridFigures): Promise<void> {
  const server = await serverProcess({ DEMO: "true" });
  try {
    await server.start();
    const owner = new pg.Client({ connectionString: await server.connectionString() });
    owner.on("error", (error) => console.error(error)); // of a server that has ended, which the measuring tells
    await owner.connect();
    await seedMany(owner, count);
    await owner.query("vacuum analyze transactions");
    await owner.end();
    await measureScreen(browser, server.url, `withdrawals screen, ${count.toLocaleString("en-US")} transactions`, into);
  } finally {
    await server.end();
  }
}

export async function measureScreen(browser: Browser, url: string, name: string, into: GridFigures): Promise<void> {
  const context = await browser.newContext({ viewport: { width: 1600, height: 900 }, locale: "en-US" });
  try {
    const page = await context.newPage();
    const changes = await changing(page);
    await page.goto(`${url}/login`);
    await page.getByLabel("E-mail").fill("nurul@demo.example");
    await page.getByLabel("Password", { exact: true }).fill("countinghouse");
    await page.keyboard.press("Enter");
    await page.waitForURL((at) => at.pathname !== "/login");
    await page.goto(`${url}/payment/withdrawals?view=all`);
    await page.locator(".grid .rows > .row[aria-rowindex]").nth(20).waitFor();
    await page.locator(".grid .scroller").first().focus();
    await press(page, "", ["ArrowDown"], 30, 30);
    await page.keyboard.press("Control+Home");
    const before = await heap(page);
    into.keys.push(await press(page, `${name}: ArrowDown held, 30/s`, ["ArrowDown"], 150, 30));
    into.keys.push(await press(page, `${name}: PageDown, 8/s`, ["PageDown"], 60, 8));
    into.keys.push(await press(page, `${name}: Mod+End, Mod+Home, 4/s`, ["Control+End", "Control+Home"], 24, 4));
    await page.keyboard.press("Control+Home");
    await page.waitForTimeout(500);
    into.wheels.push(await wheel(page, name));
    await page.keyboard.press("Control+Home");
    await page.waitForTimeout(500);
    changes.begin();
    const beside = await wheel(page, name);
    into.wheels.push({ ...beside, what: `${name}, told of 100 changes a second, of which it read ${changes.end()} meanwhile` });
    await page.keyboard.press("Control+Home");
    await page.waitForTimeout(500);
    into.blanks.push(await findBlanks(page, name));
    into.heaps.push({ what: name, before, after: await heap(page) });
  } finally {
    await context.close();
  }
}
