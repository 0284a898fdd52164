import type { Logger } from "pino";
import { pino } from "pino";
import type { TestContext } from "vitest";
import { beforeEach } from "vitest";

/** Tells what a test that failed had before it; asked for at a failure only. */
type Teller = () => string | Promise<string>;

const requests: { readonly line: string; readonly id: string | undefined }[] = [];
const logged: string[] = [];
const tellers = new Map<string, Teller>();

function keep<T>(most: number, kept: T[], one: T): void {
  kept.push(one);
  if (kept.length > most) kept.splice(0, most / 2);
}

/** A request a test made and its answer, by the server's id of it. */
export function noteRequest(line: string, id: string | undefined): void {
  keep(40, requests, { line, id });
}

/** What a server of a test's own process logs to: the last of it, not written anywhere. */
export function notedLog(): Logger {
  return pino({ level: "debug" }, { write: (line: string) => keep(400, logged, line) });
}

/** Tells more at a failure, under a heading of its own: a page's text, say. The last teller of a heading counts. */
export function tellWhenFailed(heading: string, teller: Teller): void {
  tellers.set(heading, teller);
}

const firstLine = (text: string) => text.split("\n", 1)[0] ?? "";

function lastRequests(): string {
  const last = requests.slice(-8);
  const ids = last.flatMap(({ id }) => id ?? []);
  const said = logged.filter((line) => line.includes('"level":50') || line.includes('"level":40') || ids.some((id) => line.includes(id)));
  return [
    ...last.map(({ line, id }) => `${line} ${id ?? ""}`.trimEnd()),
    ...said.slice(-12).map((line) => `log ${firstLine(line).slice(0, 600)}`),
  ]
    .map((line) => `  ${line}`)
    .join("\n");
}

/** Of every test from here on: at a failure the message says what was there instead. */
export const tellAtFailures = (): void =>
  beforeEach(({ onTestFailed }: TestContext) => {
    requests.length = 0;
    logged.length = 0;
    onTestFailed(async ({ task }) => {
      const parts = requests.length + logged.length > 0 ? [lastRequests()] : [];
      for (const [heading, teller] of tellers) {
        const told = await Promise.resolve()
          .then(teller)
          .catch((error: unknown) => `could not be read: ${String(error)}`);
        parts.push(`  ${heading}: ${told}`);
      }
      const [error] = task.result?.errors ?? [];
      if (!error || parts.length === 0) return;
      const told = `\nWhat was there instead:\n${parts.join("\n")}`;
      error.stack = error.stack?.replace(error.message, () => `${error.message}${told}`) ?? "";
      error.message += told;
    });
  });
