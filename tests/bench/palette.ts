import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import type { Page } from "playwright";
import { chromium } from "playwright";
import { browserArguments, findBrowser } from "../support/browser.ts";
import { servePages } from "../support/served-pages.ts";
import { turn } from "./pace.ts";

/** ms from a key to the frame that shows its answer. */
export interface PaletteBenchRow {
  readonly what: string;
  readonly p50: number;
  readonly p95: number;
  readonly p99: number;
  /** Main-thread work for one key, ms. */
  readonly cpu: number;
  readonly keys: number;
}

const folder = fileURLToPath(new URL("palette/", import.meta.url));

/** What an operator types: names, synonyms, a number, letters in order; each is taken back letter by letter. */
const words = ["withdrawal", "approve dep", "rel acc", "callback", "4821", "wdr", "settle wallet 2"];
/** Keys a second: a fast typist's. */
const rate = 12;

async function type(page: Page, what: string): Promise<PaletteBenchRow> {
  const session = await page.context().newCDPSession(page);
  await session.send("Performance.enable");
  const work = async () => (await session.send("Performance.getMetrics")).metrics.find(({ name }) => name === "TaskDuration")?.value ?? 0;
  await page.evaluate(() => void (window.keyTimes = []));
  const before = await work();
  let count = 0;
  const start = performance.now();
  const press = async (key: string): Promise<void> => {
    await turn(start, count++, rate);
    await page.keyboard.press(key);
  };
  for (const word of words) {
    // oxlint-disable-next-line no-await-in-loop -- one key after the other
    for (const letter of word) await press(letter === " " ? "Space" : letter);
    // oxlint-disable-next-line no-await-in-loop -- as above
    for (const _ of word) await press("Backspace");
  }
  await page.waitForFunction((expected) => window.keyTimes.length >= expected, count);
  const cpu = ((await work()) - before) * 1000;
  await session.detach();
  const sorted = (await page.evaluate(() => window.keyTimes)).toSorted((a, b) => a - b);
  const at = (share: number): number => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
  return { what, p50: at(0.5), p95: at(0.95), p99: at(0.99), cpu: cpu / count, keys: sorted.length };
}

/** Key to paint of the palette over 500 commands and 50 records, beside a bare field as the floor, in one browser in one run. */
export async function runPaletteBench(): Promise<PaletteBenchRow[]> {
  const served = await servePages(folder, ["index.html", "floor.html"]);
  const browser = await chromium.launch({ executablePath: findBrowser(), args: browserArguments });
  try {
    const page = await browser.newPage({ viewport: { width: 1600, height: 900 } });
    await page.goto(`${served.url}floor.html`);
    await type(page, "");
    const floor = await type(page, "floor: a key in a bare field");
    await page.goto(`${served.url}index.html`);
    await page.getByRole("button").focus();
    await page.keyboard.press("Control+k");
    await page.locator("[cmdk-item]").first().waitFor();
    await type(page, "");
    const palette = await type(page, "palette, 500 commands and 50 records");
    // it did answer: the word typed last stands, its records and its command are listed
    await page.locator("[cmdk-input]").fill("settle wallet 2");
    await page.locator("[cmdk-item][data-selected=true]", { hasText: "Settle wallet 2" }).waitFor();
    await page.locator("[cmdk-item]", { hasText: "WD2611" }).first().waitFor();
    return [floor, palette];
  } finally {
    await browser.close();
    await served.close();
  }
}

/** The figures as a table of plain text. */
export function printPaletteBench(rows: readonly PaletteBenchRow[]): string {
  const line = (cells: readonly string[]) => cells.map((cell, index) => (index === 0 ? cell.padEnd(52) : cell.padStart(8))).join("");
  return [
    line(["key to paint, ms", "p50", "p95", "p99", "cpu/key", "keys"]),
    ...rows.map(({ what, p50, p95, p99, cpu, keys }) => line([what, ...[p50, p95, p99, cpu].map((ms) => ms.toFixed(1)), String(keys)])),
  ].join("\n");
}

if (process.argv[1] && resolve(process.argv[1]) === fileURLToPath(import.meta.url)) console.log(printPaletteBench(await runPaletteBench()));
