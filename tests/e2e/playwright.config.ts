import { defineConfig } from "playwright/test";
import { browserArguments, findBrowser } from "../support/browser.ts";

export default defineConfig({
  testDir: ".",
  outputDir: "../../test-results",
  workers: 1,
  retries: 0,
  forbidOnly: true,
  timeout: 120_000,
  expect: { timeout: 10_000 },
  reporter: [["list"], ["json", { outputFile: "../../test-results/e2e.json" }]],
  use: {
    headless: true,
    viewport: { width: 1600, height: 900 },
    launchOptions: { executablePath: findBrowser(), args: browserArguments },
    trace: "off",
    locale: "en-US",
  },
});
