import { mkdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { Writable } from "node:stream";
import type { Page } from "playwright";
import type { TestContext } from "vitest";

/** Lines of the server's log and calls of a page that are kept: those before them have scrolled away. */
const mostLines = 2_000;
const mostCalls = 12;
const shots = resolve(import.meta.dirname, "../../test-results");

/** What a server said lately, by request; errors go to stderr as ever. */
export class LogKeeper extends Writable {
  #lines: string[] = [];

  override _write(chunk: Buffer, _: BufferEncoding, done: () => void): void {
    const line = chunk.toString().trimEnd();
    if (this.#lines.push(line) > 2 * mostLines) this.#lines = this.#lines.slice(-mostLines);
    if (/"level":[56]0/.test(line)) process.stderr.write(`${line}\n`);
    done();
  }

  linesOf(requestIds: readonly string[]): string[] {
    return this.#lines.filter((line) => requestIds.some((id) => line.includes(id)));
  }
}

interface Called {
  readonly said: string;
  readonly requestId: string | undefined;
}

/** Keeps a page's last calls of the server's own interface; the way to read them. */
function callsOf(page: Page): () => readonly Called[] {
  const calls: Called[] = [];
  const keep = (method: string, url: string, outcome: string, requestId?: string) => {
    const { pathname, search } = new URL(url);
    if (!pathname.startsWith("/service/")) return;
    calls.push({ said: `${outcome} ${method} ${pathname}${search}`, requestId });
    if (calls.length > mostCalls) calls.shift();
  };
  page.on("response", (response) => {
    const request = response.request();
    keep(request.method(), request.url(), String(response.status()), response.headers()["x-request-id"]);
  });
  page.on("requestfailed", (request) => keep(request.method(), request.url(), request.failure()?.errorText ?? "failed"));
  return () => calls;
}

/** Sees the pages of a test, and tells at its failure what was there instead. */
export class Witness {
  #pages: { readonly page: Page; readonly calls: () => readonly Called[] }[] = [];

  follow(page: Page): void {
    this.#pages.push({ page, calls: callsOf(page) });
  }

  /** Adds to the failure each page's address, text, last calls and their lines of the log; a picture of it goes to test-results. */
  async tell({ task }: TestContext, log: LogKeeper | null): Promise<void> {
    const [error] = task.result?.errors ?? [];
    if (error === undefined) return;
    const told: string[] = [];
    for (const [n, { page, calls }] of this.#pages.entries()) {
      if (page.isClosed()) continue;
      const path = join(shots, `${task.name.replaceAll(/[^\p{L}\d]+/gu, "-").slice(0, 100)}-${n + 1}.png`);
      mkdirSync(shots, { recursive: true });
      // a page that hangs is told without what it cannot say
      // oxlint-disable-next-line no-await-in-loop -- one page after the other
      const text = await page.locator("body").innerText({ timeout: 5_000 }).catch(String);
      // oxlint-disable-next-line no-await-in-loop
      await page.screenshot({ path, timeout: 5_000 }).catch(() => undefined);
      const ids = calls().flatMap(({ requestId }) => requestId ?? []);
      told.push(
        `There instead: ${page.url()} (${path})`,
        text.replaceAll(/\s*\n\s*/g, " | ").slice(0, 2_000),
        ...calls().map(({ said, requestId }) => `  ${said}${requestId === undefined ? "" : ` ${requestId}`}`),
        ...(log?.linesOf(ids).map((line) => `  log ${line}`) ?? []),
      );
    }
    const whole = told.join("\n");
    error.message += `\n${whole}`;
    if (error.stack !== undefined) error.stack += `\n${whole}`;
  }

  forget(): void {
    this.#pages = [];
  }
}
