import { spawn } from "node:child_process";
import { appendFileSync, existsSync, readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join, relative, resolve } from "node:path";

export const project = resolve(import.meta.dirname, "../..");
export const results = join(project, "test-results");
export const cores = availableParallelism();

/** One runner over a part of what is tested: a step that holds or not, or a suite of tests. */
export interface Part {
  readonly title: string;
  /** Under node_modules. */
  readonly script: string;
  readonly args: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  /** It leaves a report of single tests. */
  readonly suite: boolean;
}

export interface Outcome {
  readonly title: string;
  readonly seconds: number;
  readonly passed: number;
  readonly failed: number;
  /** Said again at the very end: who reads only the last lines of a long run sees what failed. */
  readonly failures: readonly string[];
  /** Of a suite, each test by its file and name: "" where it passed, else its failure. */
  readonly tests: ReadonlyMap<string, string>;
}

/** What of a suite's JSON report is read here. */
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

export interface SuiteOptions {
  /** Files, or all; and a pattern of test names, or all. */
  readonly files?: readonly string[];
  readonly names?: string | undefined;
  readonly environment?: Readonly<Record<string, string>>;
  readonly reporters?: readonly string[];
  readonly workers?: number;
}

const reportOf = (title: string) => join(results, `${title}.json`);
/** Where a suite's workers note what their time was spent on. */
export const timesOf = (title: string): string => join(results, `${title}.times`);

export const step = (title: string, script: string, args: readonly string[]): Part => ({ title, script, args, suite: false });

export function suite(title: string, config: string, { files = [], names, environment = {}, reporters = [], workers }: SuiteOptions): Part {
  const named = ["default", "json", "./tests/runner/failures-reporter.ts", ...reporters].map((reporter) => `--reporter=${reporter}`);
  return {
    title,
    script: "vitest/vitest.mjs",
    args: [
      "run",
      "--config",
      config,
      ...named,
      `--outputFile.json=${reportOf(title)}`,
      ...(workers === undefined ? [] : [`--maxWorkers=${workers}`]),
      ...(names === undefined ? [] : ["-t", names]),
      ...files,
    ],
    environment,
    suite: true,
  };
}

interface Surroundings {
  /** Others run at the same time, so its output is kept back and printed whole when it ends. */
  readonly beside: boolean;
  /** Where its temporary files are made; null: where this process makes its own. */
  readonly folder: string | null;
}

export async function runPart(part: Part, { beside, folder }: Surroundings): Promise<Outcome> {
  const { title } = part;
  const began = performance.now();
  process.stdout.write(`\n── ${title}${beside ? " begins" : ""}\n`);
  const child = spawn(process.execPath, [join(project, "node_modules", part.script), ...part.args], {
    cwd: project,
    stdio: ["ignore", beside ? "pipe" : "inherit", beside ? "pipe" : "inherit"],
    // what is started again and again is compiled once
    env: {
      ...process.env,
      NODE_COMPILE_CACHE: join(project, "node_modules/.cache/compiled"),
      ...(folder !== null && { TMPDIR: folder }),
      ...part.environment,
    },
  });
  let said = "";
  const keep = (chunk: Buffer) => {
    said += chunk.toString();
    appendFileSync(join(results, `${title}.log`), chunk); // for who does not want to wait for the end
  };
  child.stdout?.on("data", keep);
  child.stderr?.on("data", keep);
  const code = await new Promise<number | null>((ended) => child.once("close", ended));
  const seconds = (performance.now() - began) / 1000;
  if (beside) process.stdout.write(`\n── ${title}\n${said}`);
  process.stdout.write(`── ${title}: ${code === 0 ? "ok" : "FAILED"} in ${seconds.toFixed(1)} s\n`);
  const counted = part.suite ? countSuite(title, code === 0) : countStep(title, code === 0);
  return { title, seconds, ...counted };
}

type Counted = Omit<Outcome, "title" | "seconds">;

const countStep = (title: string, ok: boolean): Counted => ({
  passed: ok ? 1 : 0,
  failed: ok ? 0 : 1,
  failures: ok ? [] : [title],
  tests: new Map([[title, ok ? "" : "failed"]]),
});

/** Counts what the suite's report says; a runner that failed without a failed test counts as one failure. */
function countSuite(title: string, ok: boolean): Counted {
  const file = reportOf(title);
  const failures: string[] = [];
  const tests = new Map<string, string>();
  const report = existsSync(file) ? (JSON.parse(readFileSync(file, "utf8")) as Report) : null; // vitest's own shape
  for (const { name, message, assertionResults } of report?.testResults ?? []) {
    const place = relative(project, name);
    for (const { fullName, status, failureMessages } of assertionResults) {
      if (status === "passed") tests.set(`${place} · ${fullName}`, "");
      if (status !== "failed") continue;
      const failure = gist(failureMessages[0] ?? "");
      tests.set(`${place} · ${fullName}`, failure);
      failures.push(`${place} · ${fullName}: ${failure}`);
    }
    if (message === "" || assertionResults.some(({ status }) => status === "failed")) continue;
    tests.set(place, gist(message));
    failures.push(`${place}: ${gist(message)}`);
  }
  const failed = Math.max(report?.numFailedTests ?? 1, failures.length, ok ? 0 : 1);
  if (failed > 0 && failures.length === 0) failures.push(`${title}: ended without naming a test`);
  return { passed: report?.numPassedTests ?? 0, failed, failures, tests };
}

/** A failure's first line, cut to a line people read, where in the tests it happened, and what was there instead. */
function gist(message: string): string {
  const at = /tests\/[\w./-]+\.tsx?:\d+/.exec(message)?.[0];
  const [, instead = ""] = /(\nWhat was there instead:\n[^]*?)(?:\n {4}at |$)/.exec(message) ?? [];
  return `${message.split("\n")[0]?.slice(0, 700)}${at === undefined ? "" : ` (${at})`}${instead}`;
}
