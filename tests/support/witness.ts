import { subscribe } from "node:diagnostics_channel";
import { mkdirSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import { join, resolve } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { Page, Request } from "playwright";
import { noteRequest } from "./instead.ts";

const shots = resolve(import.meta.dirname, "../../test-results");

function note(method: string, url: string, outcome: string, id?: string): void {
  const { pathname, search } = new URL(url, "http://here");
  if (pathname.startsWith("/service/") || Number(outcome) >= 400) noteRequest(`${method} ${pathname}${search} → ${outcome}`, id);
}

/** Notes a request of any kind without an answer, because a part of the console that did not come is a failure's cause, too. */
function noteFailure(request: Request): void {
  noteRequest(`${request.method()} ${new URL(request.url()).pathname} → ${request.failure()?.errorText ?? "failed"}`, undefined);
}

/** Notes what servers of this process answer: to be told of each answer by the browser costs more than the answer. */
const noteAnswers = (() => {
  let begun = false;
  return () => {
    if (begun) return;
    begun = true;
    subscribe("http.server.response.finish", (message) => {
      const { request, response } = message as { request: IncomingMessage; response: ServerResponse }; // as Node documents it
      const id = response.getHeader("x-request-id");
      note(request.method ?? "", request.url ?? "/", String(response.statusCode), typeof id === "string" ? id : undefined);
    });
  };
})();

/** Runs in the page: notes the last keys that reach it, each with what the status bar said before it. */
const notePresses = `window.pressed = [];
  addEventListener("keydown", ({ key, repeat }) => {
    const told = document.querySelector(".stat")?.textContent?.slice(0, 40) ?? "";
    window.pressed = [...window.pressed, key + (repeat ? " held" : "") + " at " + told].slice(-20);
  }, true);`;

/** Watches the pages of a test: at a failure it reports their text and the keys they got, and saves screenshots in test-results. */
export class Witness {
  #pages: Page[] = [];
  #seen = "";

  /** `told`: the page's server is in this process and notes its answers by itself. */
  follow(page: Page, told: boolean): void {
    this.#pages.push(page);
    if (told) noteAnswers();
    else
      page.on("response", (response) => {
        const request = response.request();
        note(request.method(), request.url(), String(response.status()), response.headers()["x-request-id"]);
      });
    void page.addInitScript(notePresses);
    page.on("requestfailed", (request) => noteFailure(request));
  }

  /** Looks at the pages before they are closed. */
  async look(test: string): Promise<void> {
    const seen: string[] = [];
    for (const [n, page] of this.#pages.entries()) {
      if (page.isClosed()) continue;
      const path = join(shots, `${test.replaceAll(/[^\p{L}\d]+/gu, "-").slice(0, 100)}-${n + 1}.png`);
      mkdirSync(shots, { recursive: true });
      // a page that hangs is left out
      const text = await page.locator("body").innerText({ timeout: 5_000 }).catch(String);
      // oxlint-disable-next-line no-await-in-loop
      await page.screenshot({ path, timeout: 5_000 }).catch(() => undefined);
      // oxlint-disable-next-line no-await-in-loop
      const keys = await Promise.race([page.evaluate<string[]>("window.pressed"), delay(5_000, [])]).catch(() => []);
      seen.push(`${page.url()} (${path})\n    ${text.replaceAll(/\s*\n\s*/g, " | ").slice(0, 2_000)}\n    keys: ${keys.join(" · ")}`);
    }
    this.#seen = seen.join("\n  ");
  }

  report = (): string => this.#seen;

  /** The next test has pages of its own. */
  forget(): void {
    this.#pages = [];
    this.#seen = "";
  }
}
