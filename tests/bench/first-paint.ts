import type { Server } from "node:http";
import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import type { Browser, BrowserContext } from "playwright";
import { chromium } from "playwright";
import { browserArguments, findBrowser } from "../support/browser.ts";
import { serverProcess } from "../support/processes.ts";
import { quantile } from "./grid/keys.ts";

/** A page opened with an empty cache over a slow connection: ms to the frame that shows its first rows. */
export interface FirstPaintFigures {
  readonly what: string;
  readonly p50: number;
  readonly most: number;
  /** Of the floor that carries as much, as the median of the ratios within a round. */
  readonly ratio: number;
  /** Bytes that came over the connection. */
  readonly bytes: number;
}

/** A fair mobile connection: bytes a second, and ms a request takes to be answered at all. */
const connection = { offline: false, downloadThroughput: (10 * 1_000_000) / 8, uploadThroughput: (5 * 1_000_000) / 8, latency: 40 };
const rounds = 5;

declare global {
  interface Window {
    /** ms from the start of the navigation to the frame with the first rows; 0: not yet. */
    rowsPainted: number;
  }
}

/** Runs in each page before its own scripts. */
function watchRows(): void {
  window.rowsPainted = 0;
  const channel = new MessageChannel();
  // a message posted in a frame callback is delivered after that frame was drawn
  channel.port1.addEventListener("message", () => void (window.rowsPainted ||= performance.now()));
  channel.port1.start();
  const look = () => {
    if (document.querySelector(".rows > .row[aria-rowindex] [role=gridcell]") !== null) channel.port2.postMessage(0);
    else requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
}

interface Opened {
  readonly ms: number;
  readonly bytes: number;
  /** Paths of the scripts and styles that came before the rows. */
  readonly parts: readonly string[];
}

async function open(context: BrowserContext, url: string): Promise<Opened> {
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  await session.send("Network.enable");
  await session.send("Network.clearBrowserCache");
  await session.send("Network.emulateNetworkConditions", connection);
  let bytes = 0;
  session.on("Network.loadingFinished", ({ encodedDataLength }) => void (bytes += encodedDataLength));
  await page.goto(url, { waitUntil: "commit" });
  await page.waitForFunction(() => window.rowsPainted > 0);
  const { ms, parts } = await page.evaluate(() => ({
    ms: window.rowsPainted,
    parts: performance
      .getEntriesByType("resource")
      .filter((one) => one instanceof PerformanceResourceTiming && one.responseEnd <= window.rowsPainted && /\.(js|css)$/.test(one.name))
      .map(({ name }) => new URL(name).pathname),
  }));
  await page.close();
  return { ms, bytes, parts };
}

const row = (at: number) =>
  `<div class="row" aria-rowindex="${at + 2}">${["Pending", "04:11", "1,330.00", "Tan Wei Jie", "Maybank 3832", "HLB-01", `W26112800${at}`].map((text) => `<span role="gridcell">${text}</span>`).join("")}</div>`;
const rows = Array.from({ length: 100 }, (_, at) => row(at)).join("");
const style = `<style>.rows{font:13px sans-serif}.row{display:grid;grid-template-columns:repeat(7,1fr);block-size:28px}</style>`;

/** Static pages beside the product: one that is its rows, and one that first fetches what the product's page is made of, and runs none of it. */
async function serveFloors(product: URL, parts: () => readonly string[]): Promise<{ server: Server; url: string }> {
  const pages: Readonly<Record<string, () => string>> = {
    "/bare": () => `<!doctype html><meta charset=utf-8>${style}<div class="rows">${rows}</div>`,
    "/rows": () => rows,
    "/heavy": () =>
      `<!doctype html><meta charset=utf-8>${style}<div class="rows"></div><script>
        const get = (path) => fetch(path).then((answer) => answer.text());
        Promise.all(${JSON.stringify(parts())}.map(get)).then(() => get("/rows")).then((rows) => (document.querySelector(".rows").innerHTML = rows));
      </script>`,
  };
  const server = createServer((asked, answer) => {
    const own = pages[asked.url ?? ""];
    if (own !== undefined) {
      answer.setHeader("content-type", "text/html");
      answer.setHeader("content-encoding", "gzip");
      return answer.end(gzipSync(own()));
    }
    // as the product's server sends it, packed as it packs it
    const { host, port } = { host: product.hostname, port: product.port };
    request({ host, port, path: asked.url, headers: { "accept-encoding": asked.headers["accept-encoding"] ?? "" } }, (got) => {
      answer.writeHead(got.statusCode ?? 502, got.headers);
      got.pipe(answer);
    }).end();
  });
  await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
  return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }; // an address, since it listens on a port
}

/** Cold start of the withdrawals for somebody signed in, beside both floors, in turn in one browser. */
export async function benchFirstPaint(): Promise<FirstPaintFigures[]> {
  const server = await serverProcess({ DEMO: "true" });
  const browser = await chromium.launch({ executablePath: findBrowser(), args: browserArguments });
  try {
    await server.start();
    return await measureFirstPaint(server.url, browser);
  } finally {
    await browser.close();
    await server.end();
  }
}

async function measureFirstPaint(url: string, browser: Browser): Promise<FirstPaintFigures[]> {
  const context = await browser.newContext({ viewport: { width: 1600, height: 900 }, locale: "en-US" });
  await context.addInitScript(watchRows);
  const page = await context.newPage();
  await page.goto(`${url}/login`);
  await page.getByLabel("E-mail").fill("farah@demo.example");
  await page.getByLabel("Password", { exact: true }).fill("countinghouse");
  await page.keyboard.press("Enter");
  await page.waitForURL((at) => at.pathname !== "/login");
  const address = `${url}/payment/withdrawals?view=all`;
  let { parts } = await open(context, address);
  const floors = await serveFloors(new URL(url), () => parts);
  const kinds = [
    { what: "floor: the rows as a static page", url: `${floors.url}/bare`, opened: [] as Opened[] },
    { what: "floor: a static page that fetches as much, then its rows", url: `${floors.url}/heavy`, opened: [] as Opened[] },
    { what: "the withdrawals, signed in", url: address, opened: [] as Opened[] },
  ];
  try {
    for (let round = 0; round < rounds; round++)
      for (const kind of kinds) {
        const opened = await open(context, kind.url);
        kind.opened.push(opened);
        if (kind.url === address) ({ parts } = opened);
      }
  } finally {
    floors.server.close();
    await context.close();
  }
  const heavy = kinds[1]?.opened ?? [];
  return kinds.map(({ what, opened }) => ({
    what,
    p50: quantile(
      opened.map(({ ms }) => ms),
      0.5,
    ),
    most: Math.max(...opened.map(({ ms }) => ms)),
    ratio: quantile(
      opened.map(({ ms }, at) => ms / (heavy[at]?.ms ?? ms)),
      0.5,
    ),
    bytes: quantile(
      opened.map(({ bytes }) => bytes),
      0.5,
    ),
  }));
}

if (process.argv[1] && resolve(process.argv[1]) === fileURLToPath(import.meta.url)) {
  const [url] = process.argv.slice(2);
  const browser = await chromium.launch({ executablePath: findBrowser(), args: browserArguments });
  console.table(url === undefined ? await benchFirstPaint() : await measureFirstPaint(url, browser));
  await browser.close();
}
