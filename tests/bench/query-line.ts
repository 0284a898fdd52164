import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import type { Page } from "playwright";
import { chromium } from "playwright";
import { browserArguments, findBrowser } from "../support/browser.ts";
import { serverProcess } from "../support/processes.ts";
import { quantile } from "./grid/keys.ts";
import { turn } from "./pace.ts";

/** ms from a key to the frame that shows its last completion. */
export interface CompletionFigures {
  readonly what: string;
  readonly p50: number;
  readonly p95: number;
  readonly p99: number;
  readonly keys: number;
  /** Keys after which the completions changed. */
  readonly changed: number;
}

/** Lines of a list's own words, values of its filters and words to search for; each is taken back letter by letter. */
const lines = [
  "pending amount>500 bank:maybank",
  "status:approved,rej claimed -process",
  "age>10m merchant:harbour siew",
  "created:today cust",
];
/** Without what the palette finds after a pause in typing: a line that cannot be read is answered then, without the server. */
const offersOfPalette = "[cmdk-item][data-value^='offer ']";
/** Keys a second: a fast typist's; 5.3 frames between two, so that keys fall on all parts of a frame in turn, and not all on one. */
const rate = 11.3;
const rounds = 6;

declare global {
  interface Window {
    /** Of each key so far: ms to the frame that showed what it last changed, and whether it changed a completion. */
    completionTimes(): { readonly ms: number; readonly changed: boolean }[];
  }
}

/**
 * Runs in the page, of any kind. A key is answered by its first frame, and by the frame after each later change of what `list` names
 * until the next key: completions drawn a frame late count as that late. (The height cmdk notes on its list moves nothing.)
 */
function timeCompletions(list: string): void {
  const done: { ms: number; changed: boolean }[] = [];
  let current = null as { start: number; painted: number; changed: boolean } | null; // set by listeners
  // a message posted in a frame callback is delivered after that frame was drawn
  const channel = new MessageChannel();
  const waiting: NonNullable<typeof current>[] = [];
  channel.port1.addEventListener("message", () => {
    const now = performance.now();
    for (const key of waiting.splice(0)) key.painted = now;
  });
  channel.port1.start();
  const look = (key: NonNullable<typeof current>) =>
    requestAnimationFrame(() => {
      waiting.push(key);
      channel.port2.postMessage(0);
    });
  const within = (node: Node) => (node instanceof Element ? node : node.parentElement)?.closest(list) != null;
  const holds = (node: Node) => within(node) || (node instanceof Element && node.querySelector(list) !== null);
  const watcher = new MutationObserver((changes) => {
    if (current === null) return;
    if (
      !changes.some(
        ({ target, attributeName, addedNodes, removedNodes }) =>
          attributeName !== "style" && (within(target) || [...addedNodes, ...removedNodes].some(holds)),
      )
    )
      return;
    current.changed = true;
    look(current);
  });
  watcher.observe(document, { subtree: true, childList: true, characterData: true, attributes: true });
  const end = () => {
    if (current !== null) done.push({ ms: current.painted - current.start, changed: current.changed });
    current = null;
  };
  const onKey = ({ timeStamp }: KeyboardEvent) => {
    end();
    current = { start: timeStamp, painted: 0, changed: false };
    look(current);
  };
  window.addEventListener("keydown", onKey, true);
  window.completionTimes = () => {
    end();
    window.removeEventListener("keydown", onKey, true);
    watcher.disconnect();
    return done;
  };
}

type Times = { readonly ms: number; readonly changed: boolean }[];

/** Types the lines into the field that has the focus, and takes each back. */
async function typeLines(page: Page, list: string): Promise<Times> {
  await page.evaluate(timeCompletions, list);
  const start = performance.now();
  let count = 0;
  const press = async (key: string) => {
    await turn(start, count++, rate);
    await page.keyboard.press(key);
  };
  for (const line of lines) {
    for (const letter of line) await press(letter === " " ? "Space" : letter);
    for (const _ of line) await press("Backspace");
  }
  await page.waitForTimeout(100);
  return page.evaluate(() => window.completionTimes());
}

function figuresOf(what: string, times: Times): CompletionFigures {
  const all = times.map(({ ms }) => ms);
  const changed = times.filter((one) => one.changed).length;
  return { what, p50: quantile(all, 0.5), p95: quantile(all, 0.95), p99: quantile(all, 0.99), keys: all.length, changed };
}

/** Runs in the page: a field, and eight lines beneath it that say what stands in it. */
function plainField(): void {
  document.body.innerHTML = `<input id="field"><div id="echo">${"<p></p>".repeat(8)}</div>`;
  const field = document.querySelector<HTMLInputElement>("#field");
  const echo = [...document.querySelectorAll("#echo p")];
  field?.addEventListener("input", () => {
    for (const [at, line] of echo.entries()) line.textContent = `${field.value} ${at}`;
  });
  field?.focus();
}

/**
 * Key to painted completion of the query line, in the find field of the withdrawals and in the palette of the product as shipped, beside a
 * bare field with eight lines as the floor: in one browser, in turn, so that a busy moment meets all three.
 */
export async function benchQueryLine(): Promise<CompletionFigures[]> {
  const server = await serverProcess({ DEMO: "true" });
  const browser = await chromium.launch({ executablePath: findBrowser(), args: browserArguments });
  try {
    await server.start();
    return await measureQueryLine(server.url, browser);
  } finally {
    await browser.close();
    await server.end();
  }
}

async function measureQueryLine(url: string, browser: Awaited<ReturnType<typeof chromium.launch>>): Promise<CompletionFigures[]> {
  const context = await browser.newContext({ viewport: { width: 1600, height: 900 }, locale: "en-US" });
  const [floor, page] = [await context.newPage(), await context.newPage()];
  await floor.evaluate(plainField);
  await page.goto(`${url}/login`);
  await page.getByLabel("E-mail").fill("farah@demo.example");
  await page.getByLabel("Password", { exact: true }).fill("countinghouse");
  await page.keyboard.press("Enter");
  await page.waitForURL((at) => at.pathname !== "/login");
  await page.goto(`${url}/payment/withdrawals?view=all`);
  await page.locator(".grid .rows > .row[aria-rowindex]").nth(10).waitFor();
  // the server's answers come after a pause, and their time is the search's: here they come once, and are held while keys are timed
  let holds = false;
  await page.route("**/payment/api/tenant/v1/withdrawals**", (route) => (holds ? undefined : route.continue()));
  const [bare, field, palette]: [Times, Times, Times] = [[], [], []];
  for (let round = 0; round < rounds; round++) {
    await floor.bringToFront();
    bare.push(...(await typeLines(floor, "#echo")));
    await page.bringToFront();
    await page.locator(".grid .scroller").first().focus();
    await page.keyboard.press("/");
    field.push(...(await typeLines(page, ".find .offers")));
    await page.keyboard.press("Control+k");
    await page.locator("[cmdk-item]").first().waitFor();
    await page.keyboard.type("wd pending");
    await page.locator("[cmdk-item] .asks", { hasText: "Pending" }).waitFor();
    holds = true;
    for (const _ of "pending") await page.keyboard.press("Backspace");
    palette.push(...(await typeLines(page, offersOfPalette)));
    await page.keyboard.press("Escape");
    holds = false;
  }
  await context.close();
  return [
    figuresOf("floor: a bare field and eight lines", bare),
    figuresOf("find field of the withdrawals", field),
    figuresOf("palette, after the list's code", palette),
  ];
}

/** The figures as a table of plain text. */
export function printQueryLine(rows: readonly CompletionFigures[]): string {
  const line = (cells: readonly string[]) => cells.map((cell, index) => (index === 0 ? cell.padEnd(44) : cell.padStart(9))).join("");
  return [
    line(["key to painted completion, ms", "p50", "p95", "p99", "keys", "changed"]),
    ...rows.map(({ what, p50, p95, p99, keys, changed }) =>
      line([what, ...[p50, p95, p99].map((ms) => ms.toFixed(1)), String(keys), String(changed)]),
    ),
  ].join("\n");
}

if (process.argv[1] && resolve(process.argv[1]) === fileURLToPath(import.meta.url)) {
  const [url] = process.argv.slice(2);
  if (url === undefined) console.log(printQueryLine(await benchQueryLine()));
  else {
    const browser = await chromium.launch({ executablePath: findBrowser(), args: browserArguments });
    console.log(printQueryLine(await measureQueryLine(url, browser).finally(() => browser.close())));
  }
}
