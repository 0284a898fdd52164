import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { chromium } from "playwright";
import { browserArguments, findBrowser } from "../../support/browser.ts";
import { servePages } from "../../support/served-pages.ts";
import { findBlanks } from "./blank.ts";
import { press } from "./keys.ts";
import { benchScreen, type GridFigures } from "./screen.ts";
import { heap, wheel } from "./wheel.ts";

const folder = fileURLToPath(new URL(".", import.meta.url));

/** Serves the bench page, the floor page and the grid under the kit. */
export const serveGridBench = () => servePages(folder, ["index.html", "floor.html", "kit.html"]);

/** Runs in the page: 1,000 lines of text that are all there, of which `wheel` changes some as it does a grid's rows. */
function plainRows(): void {
  const text = "W26112100000042 Pending 12,340.00 Tan Wei Jie Maybank 4711 Harbour Play ".repeat(3);
  const lines = Array.from({ length: 1_000 }, (_, line) => {
    const element = document.createElement("div");
    element.style.cssText = "block-size: 28px; white-space: nowrap; overflow: clip; font: 13px sans-serif";
    const [number, rest] = [document.createTextNode(String(line)), document.createTextNode(text)];
    element.append(number, rest);
    return { element, number };
  });
  document.querySelector(".scroller")?.append(...lines.map(({ element }) => element));
  const at = (uuid: number) => ({ uuid, cells: ["", "", ""] });
  const patch = (uuid: number, { cells }: { cells: readonly string[] }) => {
    const line = lines[uuid];
    if (line) line.number.data = cells[2] ?? "";
  };
  Object.assign(window, { source: { length: lines.length, at, patch } });
}

/** How late the deliberately lazy grid draws, ms: past the 300 the check waits before it looks at what is at rest. */
const lazily = 900;

/**
 * Key to paint, frames under the wheel, rows missing and heap: the grid over rows in the page beside an empty page as the
 * floor, and the withdrawals screen over the API, in one browser in one run. `transactions` 0 leaves the screen out.
 */
export async function runGridBench(
  counts: readonly number[] = [10_000, 100_000, 1_000_000],
  transactions = 1_000_000,
): Promise<GridFigures> {
  const served = await serveGridBench();
  const browser = await chromium.launch({ executablePath: findBrowser(), args: browserArguments });
  const figures: GridFigures = { keys: [], wheels: [], blanks: [], heaps: [] };
  try {
    const page = await browser.newPage({ viewport: { width: 1600, height: 900 } });
    const open = async (query: string) => {
      await page.goto(`${served.url}index.html?${query}`);
      await page.waitForFunction(() => window.firstRows > 0);
    };
    // the chord Mod+End is a modified key: keydown of Control counts as a key of its own on both pages
    await page.goto(`${served.url}floor.html`);
    await press(page, "", ["ArrowDown"], 30, 30);
    figures.keys.push(await press(page, "floor: a key moves one box", ["ArrowDown"], 150, 30));
    await page.setContent(`<div style="block-size: 40000px; background: linear-gradient(white, black)"></div>`);
    figures.wheels.push(await wheel(page, "floor: an empty page"));
    await page.setContent(`<div class="scroller" role="grid" style="block-size: 100vh; overflow: auto; background: white"></div>`);
    await page.evaluate(plainRows);
    figures.wheels.push(await wheel(page, "floor: lines of text without a grid, as many of them changed"));
    for (const count of counts) {
      const name = `grid, ${count.toLocaleString("en-US")} rows`;
      await open(`rows=${count}&bare`);
      const before = await heap(page);
      await open(`rows=${count}`);
      await press(page, "", ["ArrowDown"], 30, 30);
      figures.keys.push(await press(page, `${name}: ArrowDown held, 30/s`, ["ArrowDown"], 150, 30));
      figures.keys.push(await press(page, `${name}: PageDown, 8/s`, ["PageDown"], 60, 8));
      figures.keys.push(await press(page, `${name}: Mod+End, Mod+Home, 4/s`, ["Control+End", "Control+Home"], 24, 4));
      await page.keyboard.press("Control+Home");
      await page.waitForTimeout(500);
      figures.wheels.push(await wheel(page, name));
      await page.keyboard.press("Control+Home");
      await page.waitForTimeout(500);
      figures.blanks.push(await findBlanks(page, name));
      figures.heaps.push({ what: name, before, after: await heap(page) });
    }
    await open(`rows=10000&lazy=${lazily}`);
    const lazy = await findBlanks(page, `a grid that draws ${lazily} ms late, 10,000 rows`);
    if (lazy.blankFrames === 0 || lazy.restShare === 0 || lazy.restRows === 0)
      throw new Error(`the check sees no blank row: ${JSON.stringify(lazy)}`);
    figures.blanks.push(lazy);
    await page.close();
    if (transactions > 0) await benchScreen(browser, transactions, figures);
    return figures;
  } finally {
    await browser.close();
    await served.close();
  }
}

/** The figures as a table of plain text. */
export function printGridBench({ keys, wheels, blanks, heaps }: GridFigures): string {
  const line = (cells: readonly string[]) => cells.map((cell, index) => (index === 0 ? cell.padEnd(66) : cell.padStart(9))).join("");
  const figures = (values: readonly number[]) => values.map((value) => value.toFixed(1));
  return [
    line(["key to paint, ms", "p50", "p95", "p99", "cpu/key", "keys"]),
    ...keys.map((row) => line([row.what, ...figures([row.p50, row.p95, row.p99, row.cpu]), String(row.keys)])),
    line(["wheel, ms a frame", "p50", "p95", "late %", "cpu/s"]),
    ...wheels.map((row) => line([row.what, ...figures([row.p50, row.p95, row.dropped, row.cpu])])),
    line(["places without their row", "frames", "blank", "share %", "rest %", "rest rows"]),
    ...blanks.map((row) =>
      line([
        row.what,
        String(row.frames),
        String(row.blankFrames),
        row.blankShare.toFixed(2),
        row.restShare.toFixed(2),
        String(row.restRows),
      ]),
    ),
    line(["heap, MB", "before", "after"]),
    ...heaps.map((row) => line([row.what, ...figures([row.before, row.after])])),
  ].join("\n");
}

if (process.argv[1] && resolve(process.argv[1]) === fileURLToPath(import.meta.url)) {
  const { values, positionals } = parseArgs({ options: { transactions: { type: "string" } }, allowPositionals: true });
  const counts = positionals.map(Number).filter((count) => count > 0);
  console.log(printGridBench(await runGridBench(counts.length > 0 ? counts : undefined, Number(values.transactions ?? 1_000_000))));
}
