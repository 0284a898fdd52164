import type { Logger } from "pino";
import { pino } from "pino";
import type { TestContext } from "vitest";
import { beforeEach } from "vitest";

/** Describes the state at a failure; called only when a test fails. */
type Report = () => string | Promise<string>;

const requests: { readonly line: string; readonly id: string | undefined }[] = [];
const logged: string[] = [];
const reports = new Map<string, Report>();

function keep<T>(most: number, kept: T[], one: T): void {
  kept.push(one);
  if (kept.length > most) kept.splice(0, most / 2);
}

/** Records a request of a test with its answer, by the server's request id. */
export function noteRequest(line: string, id: string | undefined): void {
  keep(40, requests, { line, id });
}

/** A log that keeps its last lines in memory, for servers in the test's process. */
export function notedLog(): Logger {
  return pino({ level: "debug" }, { write: (line: string) => keep(400, logged, line) });
}

/** Adds a section to the message of a failed test, such as a page's text. A later report replaces one of the same heading. */
export function reportWhenFailed(heading: string, report: Report): void {
  reports.set(heading, report);
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

/** From now on the message of each failed test describes the state at its failure. */
export const reportFailures = (): void =>
  beforeEach(({ onTestFailed }: TestContext) => {
    requests.length = 0;
    logged.length = 0;
    onTestFailed(async ({ task }) => {
      const parts = requests.length + logged.length > 0 ? [lastRequests()] : [];
      for (const [heading, report] of reports) {
        const text = await Promise.resolve()
          .then(report)
          .catch((error: unknown) => `could not be read: ${String(error)}`);
        parts.push(`  ${heading}: ${text}`);
      }
      const [error] = task.result?.errors ?? [];
      if (!error || parts.length === 0) return;
      const added = `\nWhat was there instead:\n${parts.join("\n")}`;
      error.stack = error.stack?.replace(error.message, () => `${error.message}${added}`) ?? "";
      error.message += added;
    });
  });
