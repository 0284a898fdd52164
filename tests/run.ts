import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";

/** `npm test`: types, lint, unit and server tests, Chromium end to end. Its last line is "N passed, N failed". */

const project = resolve(import.meta.dirname, "..");
const results = join(project, "test-results");
const deep = process.argv.includes("--deep");
const bin = (name: string) => join(project, "node_modules", name);

interface Tally {
  passed: number;
  failed: number;
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

const step = (title: string, script: string, args: string[]): Tally =>
  run(title, script, args) ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 };

/** Counts what a runner's report says; a runner that failed without a failed test counts as one failure. */
function counted(ok: boolean, file: string, read: (report: never) => Tally): Tally {
  if (!existsSync(file)) return { passed: 0, failed: 1 };
  const tally = read(JSON.parse(readFileSync(file, "utf8")) as never); // each reader names the shape it expects
  return { passed: tally.passed, failed: Math.max(tally.failed, ok ? 0 : 1) };
}

function vitest(title: string, config: string, environment: Record<string, string> = {}): Tally {
  const file = join(results, `${title}.json`);
  const ok = run(
    title,
    "vitest/vitest.mjs",
    ["run", "--config", config, "--reporter=default", "--reporter=json", `--outputFile.json=${file}`],
    environment,
  );
  return counted(ok, file, (report: { numPassedTests: number; numFailedTests: number }) => ({
    passed: report.numPassedTests,
    failed: report.numFailedTests,
  }));
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
    ];

const passed = tallies.reduce((sum, tally) => sum + tally.passed, 0);
const failed = tallies.reduce((sum, tally) => sum + tally.failed, 0);
process.stdout.write(`\n${passed} passed, ${failed} failed\n`);
process.exitCode = failed === 0 && passed > 0 ? 0 : 1;
