import { execFileSync, spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { chromium } from "playwright";

/** Playwright's own list, which ours replaces, and the page of its own behind each window's address bar: it took more than our page. */
const disabledFeatures = [
  "AvoidUnnecessaryBeforeUnloadCheckSync",
  "DestroyProfileOnBrowserClose",
  "HttpsUpgrades",
  "HttpsFirstBalancedModeAutoEnable",
  "LensOverlay",
  "MediaRouter",
  "PaintHolding",
  "ThirdPartyStoragePartitioning",
  "AvoidCorsURLLoaderRestartOnRedirect",
  "TcpPortRandomizationWin",
  "OptimizationHints",
  "NetworkTimeServiceQuerying",
  "AimEnabled",
  "PreconnectToSearch",
  "WebUIOmniboxPopup",
  "WebUIOmniboxAimPopup",
];

/** As root Chromium refuses its sandbox; the rest keeps it from calling home where there is no network. */
export const browserArguments = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  `--disable-features=${disabledFeatures.join(",")}`,
];

/** Chromium without the windows around its pages, which nobody sees here: a page opens in two fifths of the time. */
const windowless = "/usr/bin/chromium-headless-shell";
const systemBrowsers = ["/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome-stable", "/usr/bin/google-chrome"];

function found(): string | undefined {
  const paths = [process.env["CHROMIUM"], windowless, chromium.executablePath(), ...systemBrowsers];
  return paths.find((path) => path && existsSync(path));
}

/**
 * A Chromium to test with: CHROMIUM, Debian's windowless one, Playwright's own, the system's; else Playwright's is fetched, else (as
 * root on a Debian) the distribution's is installed. Throws when none can be had.
 */
export function findBrowser(): string {
  const there = found();
  if (there) return there;
  const cli = join(dirname(createRequire(import.meta.url).resolve("playwright/package.json")), "cli.js");
  spawnSync(process.execPath, [cli, "install", "--with-deps", "chromium"], { stdio: "inherit", timeout: 300_000 });
  const fetched = found();
  if (fetched) return fetched;
  if (process.getuid?.() === 0 && existsSync("/usr/bin/apt-get")) {
    execFileSync("apt-get", ["update", "-qq"], { stdio: "inherit" });
    const browser = hasPackage("chromium-headless-shell") ? "chromium-headless-shell" : "chromium";
    execFileSync("apt-get", ["install", "-y", "-qq", "--no-install-recommends", browser, "fonts-dejavu-core", "fonts-noto-core"], {
      stdio: "inherit",
    });
  }
  const installed = found();
  if (!installed) throw new Error("no Chromium: set CHROMIUM to one, or run npx playwright install chromium");
  return installed;
}

const hasPackage = (name: string) => spawnSync("apt-cache", ["show", name], { stdio: "ignore" }).status === 0;
