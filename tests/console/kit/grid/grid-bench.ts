import { chromium, type Browser, type BrowserContext, type BrowserContextOptions, type Page } from "playwright";
import { afterAll, afterEach, beforeAll, expect } from "vitest";
import { serveGridBench } from "../../../bench/grid/run.ts";
import { browserArguments, findBrowser } from "../../../support/browser.ts";

/** The pages of the grid's bench in a real Chromium, for the tests of one file; an error on a page fails its test. */
export interface GridBench {
  readonly url: string;
  /** A new page without an address; closed after the test. */
  open(options?: BrowserContextOptions): Promise<{ page: Page; context: BrowserContext }>;
}

export function gridBench(): GridBench {
  let served: Awaited<ReturnType<typeof serveGridBench>> | undefined;
  let browser: Browser | undefined;
  let opened: BrowserContext[] = [];
  const errors: string[] = [];

  beforeAll(async () => {
    served = await serveGridBench();
    browser = await chromium.launch({ executablePath: findBrowser(), args: browserArguments });
  });
  afterAll(async () => {
    await browser?.close();
    await served?.close();
  });
  afterEach(async () => {
    await Promise.all(opened.map((context) => context.close()));
    opened = [];
    expect(errors.splice(0), "what the page complained of").toEqual([]);
  });

  return {
    get url() {
      return served?.url ?? "";
    },
    async open(options = {}) {
      if (browser === undefined) throw new Error("the bench is open inside tests only");
      const context = await browser.newContext({ viewport: { width: 900, height: 620 }, ...options });
      context.setDefaultTimeout(60_000);
      opened.push(context);
      const page = await context.newPage();
      page.on("pageerror", (error) => errors.push(error.message));
      page.on("console", (message) => message.type() === "error" && errors.push(message.text()));
      return { page, context };
    },
  };
}
