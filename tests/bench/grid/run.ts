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

/** A wheel turned for five seconds, 100 cells changing each second meanwhile. */
export interface GridScrollRow {
  readonly what: string;
  /** ms between frames. */
  readonly p50: number;
  readonly p95: number;
  /** Share of frames that came a whole frame late or more, in percent. */
  readonly dropped: number;
  /** Frames in which a row in view was not drawn, and rows not drawn once it rests. */
  readonly blankFrames: number;
  readonly blankAtRest: number;
  /** MB of script heap after it. */
  readonly heap: number;
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

const pixels = 15_000;
const pixelsPerSecond = 3_000;

async function scroll(page: Page, what: string): Promise<GridScrollRow> {
  const session = await page.context().newCDPSession(page);
  await page.evaluate(() => {
    const scroller = document.querySelector("[role=grid]") ?? document.scrollingElement;
    const source = "source" in window ? window.source : null;
    const frames: number[] = [];
    let [last, blank, running, changed] = [0, 0, true, 0];
    const drawn = () => new Set([...document.querySelectorAll(".rows > .row")].map((row) => Number(row.getAttribute("aria-rowindex"))));
    /** Rows in view that no element shows; the header is row 1, a row is 28 px. */
    const missing = (): number => {
      if (!source || !scroller) return 0;
      const shown = drawn();
      const rows = [...document.querySelectorAll<HTMLElement>(".rows > .row")].map((row) => row.getBoundingClientRect().top);
      const { top, bottom } = scroller.getBoundingClientRect();
      const inView = rows.filter((y) => y > top && y < bottom - 28).length;
      return shown.size === 0 ? 1 : Math.max(0, Math.floor((bottom - top - 28) / 28) - 1 - inView);
    };
    const look = (now: number) => {
      if (last > 0) frames.push(now - last);
      last = now;
      if (missing() > 0) blank += 1;
      if (running) requestAnimationFrame(look);
    };
    requestAnimationFrame(look);
    const ticks = setInterval(() => {
      if (!source) return;
      for (let one = 0; one < 5; one++) {
        const row = source.at((changed * 7) % Math.min(600, source.length));
        if (row) source.patch(row.uuid, { ...row, cells: row.cells.map((cell, at) => (at === 2 ? String(changed) : cell)) });
        changed += 1;
      }
    }, 50);
    Object.assign(window, {
      endScroll: async () => {
        running = false;
        clearInterval(ticks);
        await new Promise((rest) => setTimeout(rest, 300));
        return { frames, blank, atRest: missing() };
      },
    });
  });
  await session.send("Input.synthesizeScrollGesture", {
    x: 700,
    y: 500,
    yDistance: -pixels,
    speed: pixelsPerSecond,
    gestureSourceType: "mouse",
  });
  const seen = await page.evaluate(() =>
    (window as unknown as { endScroll(): Promise<{ frames: number[]; blank: number; atRest: number }> }).endScroll(),
  ); // put there above
  const { usedSize } = await session.send("Runtime.getHeapUsage");
  await session.detach();
  const sorted = seen.frames.toSorted((a, b) => a - b);
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
  const late = seen.frames.filter((ms) => ms > 25).length;
  return {
    what,
    p50: at(0.5),
    p95: at(0.95),
    dropped: (late / Math.max(1, seen.frames.length)) * 100,
    blankFrames: seen.blank,
    blankAtRest: seen.atRest,
    heap: usedSize / 1e6,
  };
}

/** Key to paint of the grid beside an empty page as the floor, in one browser in one run. */
export async function runGridBench(
  counts: readonly number[] = [10_000, 100_000, 1_000_000],
): Promise<{ keys: GridBenchRow[]; scrolls: GridScrollRow[] }> {
  const served = await serveGridBench();
  const browser = await chromium.launch({ executablePath: findBrowser(), args: browserArguments });
  try {
    const rows: GridBenchRow[] = [];
    const scrolls: GridScrollRow[] = [];
    const page = await browser.newPage({ viewport: { width: 1600, height: 900 } });
    // the chord Mod+End is a modified key: keydown of Control counts as a key of its own on both pages
    await page.goto(`${served.url}floor.html`);
    await press(page, "", ["ArrowDown"], 30, 30);
    rows.push(await press(page, "floor: a key moves one box", ["ArrowDown"], 150, 30));
    await page.setContent(`<div style="block-size: 40000px; background: linear-gradient(white, black)"></div>`);
    scrolls.push(await scroll(page, "floor: an empty page"));
    for (const count of counts) {
      await page.goto(`${served.url}index.html?rows=${count}`);
      await page.waitForFunction(() => window.firstRows > 0);
      const name = `grid, ${count.toLocaleString("en-US")} rows`;
      await press(page, "", ["ArrowDown"], 30, 30);
      rows.push(await press(page, `${name}: ArrowDown held, 30/s`, ["ArrowDown"], 150, 30));
      rows.push(await press(page, `${name}: PageDown, 8/s`, ["PageDown"], 60, 8));
      rows.push(await press(page, `${name}: Mod+End, Mod+Home, 4/s`, ["Control+End", "Control+Home"], 24, 4));
      await page.keyboard.press("Control+Home");
      scrolls.push(await scroll(page, name));
    }
    return { keys: rows, scrolls };
  } finally {
    await browser.close();
    await served.close();
  }
}

/** The figures as a table of plain text. */
export function printGridBench({ keys, scrolls }: Awaited<ReturnType<typeof runGridBench>>): string {
  const line = (cells: readonly string[]) => cells.map((cell, index) => (index === 0 ? cell.padEnd(52) : cell.padStart(8))).join("");
  const figures = (values: readonly number[]) => values.map((value) => value.toFixed(1));
  return [
    line(["key to paint, ms", "p50", "p95", "p99", "cpu/key", "keys"]),
    ...keys.map((row) => line([row.what, ...figures([row.p50, row.p95, row.p99, row.cpu]), String(row.keys)])),
    line(["wheel, ms a frame", "p50", "p95", "late %", "blank", "at rest", "MB"]),
    ...scrolls.map((row) => line([row.what, ...figures([row.p50, row.p95, row.dropped, row.blankFrames, row.blankAtRest, row.heap])])),
  ].join("\n");
}

if (process.argv[1] && resolve(process.argv[1]) === fileURLToPath(import.meta.url)) {
  const counts = process.argv
    .slice(2)
    .map(Number)
    .filter((count) => count > 0);
  console.log(printGridBench(await runGridBench(...(counts.length > 0 ? [counts] : []))));
}
