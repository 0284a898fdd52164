import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { chromium, type Page } from "playwright";
import { build, preview } from "vite";
import { browserArguments, findBrowser } from "../../support/browser.ts";

/** One printed line: what was measured, in ms. */
export interface GridBenchRow {
  readonly what: string;
  readonly p50: number;
  readonly p95: number;
  readonly p99: number;
  /** Main-thread work for one key, ms. */
  readonly cpu: number;
  readonly keys: number;
}

const folder = fileURLToPath(new URL(".", import.meta.url));

/** Builds the bench page and the floor page as shipped, and serves them on a free port. */
export async function serveGridBench(): Promise<{ url: string; close(): Promise<void> }> {
  const outDir = await mkdtemp(join(tmpdir(), "grid-bench-"));
  await build({
    root: folder,
    configFile: false,
    logLevel: "error",
    build: {
      outDir,
      emptyOutDir: true,
      target: "es2023",
      rolldownOptions: { input: ["index.html", "floor.html", "kit.html"].map((page) => join(folder, page)) },
    },
  });
  const server = await preview({
    root: folder,
    configFile: false,
    logLevel: "error",
    build: { outDir },
    preview: { host: "127.0.0.1", port: 0, strictPort: false },
  });

  const url = server.resolvedUrls?.local[0];
  if (!url) throw new Error("the bench page is not served");
  return {
    url,
    close: async () => {
      await server.close();
      await rm(outDir, { recursive: true, force: true });
    },
  };
}

/** Presses a key `count` times at a fixed rate, as a held key repeats, and answers what the page measured. */
async function press(page: Page, what: string, chords: readonly string[], count: number, perSecond: number): Promise<GridBenchRow> {
  const session = await page.context().newCDPSession(page);
  await session.send("Performance.enable");
  const work = async () => (await session.send("Performance.getMetrics")).metrics.find(({ name }) => name === "TaskDuration")?.value ?? 0;
  await page.evaluate(() => void (window.keyTimes = []));
  const before = await work();
  const start = performance.now();
  for (let index = 0; index < count; index++) {
    const due = start + (index * 1000) / perSecond;
    await new Promise((done) => setTimeout(done, Math.max(0, due - performance.now())));
    const chord = chords[index % chords.length] ?? "";
    if (chord.includes("+")) await page.keyboard.press(chord);
    else await page.keyboard.down(chord);
  }
  await page.waitForFunction((expected) => window.keyTimes.length >= expected, count);
  const cpu = ((await work()) - before) * 1000;
  for (const chord of chords) if (!chord.includes("+")) await page.keyboard.up(chord);
  const times = await page.evaluate(() => window.keyTimes);
  await session.detach();
  const sorted = times.toSorted((a, b) => a - b);
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
  return { what, p50: at(0.5), p95: at(0.95), p99: at(0.99), cpu: cpu / count, keys: times.length };
}

/** Key to paint of the grid beside an empty page as the floor, in one browser in one run. */
export async function runGridBench(counts: readonly number[] = [10_000]): Promise<GridBenchRow[]> {
  const served = await serveGridBench();
  const browser = await chromium.launch({ executablePath: findBrowser(), args: browserArguments });
  try {
    const rows: GridBenchRow[] = [];
    const page = await browser.newPage({ viewport: { width: 1600, height: 900 } });
    // the chord Mod+End is a modified key: keydown of Control counts as a key of its own on both pages
    await page.goto(`${served.url}floor.html`);
    await press(page, "", ["ArrowDown"], 30, 30);
    rows.push(await press(page, "floor: a key moves one box", ["ArrowDown"], 150, 30));
    for (const count of counts) {
      await page.goto(`${served.url}index.html?rows=${count}`);
      await page.waitForFunction(() => window.firstRows > 0);
      const name = `grid, ${count.toLocaleString("en-US")} rows`;
      await press(page, "", ["ArrowDown"], 30, 30);
      rows.push(await press(page, `${name}: ArrowDown held, 30/s`, ["ArrowDown"], 150, 30));
      rows.push(await press(page, `${name}: PageDown, 8/s`, ["PageDown"], 60, 8));
      rows.push(await press(page, `${name}: Mod+End, Mod+Home, 4/s`, ["Control+End", "Control+Home"], 24, 4));
    }
    return rows;
  } finally {
    await browser.close();
    await served.close();
  }
}

/** The figures as a table of plain text. */
export function printGridBench(rows: readonly GridBenchRow[]): string {
  const line = (cells: readonly string[]) => cells.map((cell, index) => (index === 0 ? cell.padEnd(52) : cell.padStart(8))).join("");
  return [
    line(["key to paint, ms", "p50", "p95", "p99", "cpu/key", "keys"]),
    ...rows.map((row) => line([row.what, ...[row.p50, row.p95, row.p99, row.cpu].map((value) => value.toFixed(1)), String(row.keys)])),
  ].join("\n");
}

if (process.argv[1] && resolve(process.argv[1]) === fileURLToPath(import.meta.url)) {
  const counts = process.argv
    .slice(2)
    .map(Number)
    .filter((count) => count > 0);
  console.log(printGridBench(await runGridBench(counts.length > 0 ? counts : [10_000])));
}
