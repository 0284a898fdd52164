import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { join, relative, resolve } from "node:path";

/** `npm test`: types, lint, unit and server tests, Chromium end to end. Its last line is "N passed, N failed". */

const project = resolve(import.meta.dirname, "..");
const results = join(project, "test-results");
const deep = process.argv.includes("--deep");
const bin = (name: string) => join(project, "node_modules", name);

interface Tally {
  passed: number;
  failed: number;
}

/** What of a runner's JSON report is read here. */
interface Report {
  readonly numPassedTests: number;
  readonly numFailedTests: number;
  readonly testResults: readonly {
    readonly name: string;
    readonly message: string;
    readonly assertionResults: readonly {
      readonly fullName: string;
      readonly status: string;
      readonly failureMessages: readonly string[];
    }[];
  }[];
}

/** Said again at the very end: who reads only the last lines of a long run sees what failed. */
const failures: string[] = [];

/** A failure's first line, cut to a line people read, and where in the tests it happened. */
function gist(message: string): string {
  const at = /tests\/[\w./-]+\.tsx?:\d+/.exec(message)?.[0];
  return `${message.split("\n")[0]?.slice(0, 700)}${at === undefined ? "" : ` (${at})`}`;
}

rmSync(results, { recursive: true, force: true });
mkdirSync(results, { recursive: true });

function run(title: string, script: string, args: string[], environment: Record<string, string> = {}): boolean {
  const began = performance.now();
  process.stdout.write(`\n── ${title}\n`);
  const { status } = spawnSync(process.execPath, [bin(script), ...args], {
    cwd: project,
    stdio: "inherit",
    env: { ...process.env, ...environment },
  });
  process.stdout.write(`── ${title}: ${status === 0 ? "ok" : "FAILED"} in ${((performance.now() - began) / 1000).toFixed(1)} s\n`);
  return status === 0;
}

const step = (title: string, script: string, args: string[]): Tally => {
  if (run(title, script, args)) return { passed: 1, failed: 0 };
  failures.push(title);
  return { passed: 0, failed: 1 };
};

/** Counts what the runner's report says; a runner that failed without a failed test counts as one failure. */
function vitest(title: string, config: string, environment: Record<string, string> = {}, reporters: readonly string[] = []): Tally {
  const file = join(results, `${title}.json`);
  const named = ["default", "json", ...reporters].map((reporter) => `--reporter=${reporter}`);
  const ok = run(title, "vitest/vitest.mjs", ["run", "--config", config, ...named, `--outputFile.json=${file}`], environment);
  const before = failures.length;
  const report = existsSync(file) ? (JSON.parse(readFileSync(file, "utf8")) as Report) : null; // vitest's own shape
  for (const { name, message, assertionResults } of report?.testResults ?? []) {
    const failed = assertionResults.filter(({ status }) => status === "failed");
    const place = relative(project, name);
    for (const { fullName, failureMessages } of failed) failures.push(`${place} · ${fullName}: ${gist(failureMessages[0] ?? "")}`);
    if (failed.length === 0 && message !== "") failures.push(`${place}: ${message.split("\n")[0]}`);
  }
  const failed = Math.max(report?.numFailedTests ?? 1, failures.length - before, ok ? 0 : 1);
  if (failed > 0 && failures.length === before) failures.push(`${title}: ended without naming a test`);
  return { passed: report?.numPassedTests ?? 0, failed };
}

const tallies = deep
  ? [vitest("deep", "tests/vitest.config.ts", { DEEP: "1" })]
  : [
      step("types of the server", "typescript/bin/tsc", ["-p", "."]),
      step("types of the console", "typescript/bin/tsc", ["-p", "src/console"]),
      step("lint", "oxlint/bin/oxlint", []),
      step("format", "oxfmt/bin/oxfmt", ["--check"]),
      vitest("unit and server", "tests/vitest.config.ts"),
      vitest("end to end", "tests/e2e/vitest.config.ts"),
      vitest("specification", "tests/specification/vitest.config.ts", {}, ["./tests/specification/list-reporter.ts"]),
    ];

const passed = tallies.reduce((sum, tally) => sum + tally.passed, 0);
const failed = tallies.reduce((sum, tally) => sum + tally.failed, 0);
for (const failure of failures) process.stdout.write(`\nFAILED ${failure}`);
process.stdout.write(`\n${passed} passed, ${failed} failed\n`);
process.exitCode = failed === 0 && passed > 0 ? 0 : 1;
