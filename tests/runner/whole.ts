import { mkdirSync, rmSync } from "node:fs";
import type { Outcome, Part, SuiteOptions } from "./parts.ts";
import { findBrowser } from "../support/browser.ts";
import { cores, results, runPart, step, suite, timesOf } from "./parts.ts";
import { runFolder } from "./run-folder.ts";
import type { Selection } from "./selection.ts";

export interface RunOptions {
  /** Left out: everything, with types and lint. */
  readonly selection?: Selection;
  readonly deep?: boolean;
  /** Notes where the time goes. */
  readonly times?: boolean;
}

/** Parts of one lane follow each other; lanes run beside each other where there are two cores. */
function lanesOf({ selection, deep = false, times = false }: RunOptions): Part[][] {
  const beside = selection === undefined && cores > 1;
  const made = (title: string, config: string, folder: RegExp | null, options: SuiteOptions): Part[] => {
    const files = selection?.files.filter((file) => (folder === null ? !/^tests\/(e2e|specification)\//.test(file) : folder.test(file)));
    if (files?.length === 0) return [];
    const environment = { ...options.environment, ...(times && { TIMES: timesOf(title) }) };
    const reporters = [...(options.reporters ?? []), ...(times ? ["./tests/runner/times-reporter.ts"] : [])];
    return [suite(title, config, { ...options, environment, reporters, files: files ?? [], names: selection?.names })];
  };
  if (deep) return [made("deep", "tests/vitest.config.ts", null, { environment: { DEEP: "1" } })];
  const steps = [
    step("types of the server", "typescript/bin/tsc", ["-p", "."]),
    step("types of the console", "typescript/bin/tsc", ["-p", "src/console"]),
    step("lint", "oxlint/bin/oxlint", []),
    step("format", "oxfmt/bin/oxfmt", ["--check"]),
  ];
  const listed = { workers: cores, reporters: selection ? [] : ["./tests/specification/list-reporter.ts"] };
  // a test of the server often waits, for a time-out or a process: a worker for each core, although Chromium is beside them
  const lanes = [
    [
      ...(selection ? [] : steps),
      ...made("unit and server", "tests/vitest.config.ts", null, { workers: cores }),
      ...made("specification", "tests/specification/vitest.config.ts", /^tests\/specification\//, listed),
    ],
    made("end to end", "tests/e2e/vitest.config.ts", /^tests\/e2e\//, {}),
  ].filter((lane) => lane.length > 0);
  return beside ? lanes : [lanes.flat()];
}

export async function runWhole(options: RunOptions): Promise<Outcome[]> {
  rmSync(results, { recursive: true, force: true });
  mkdirSync(results, { recursive: true });
  const lanes = lanesOf(options);
  if (lanes.length > 1) findBrowser(); // two lanes that install one at once would hinder each other
  // the long series are of slow and full disks, too
  const folder = options.deep ? null : runFolder();
  const ran = lanes.map(async (lane) => {
    const outcomes: Outcome[] = [];
    for (const part of lane) outcomes.push(await runPart(part, { beside: lanes.length > 1, folder }));
    return outcomes;
  });
  return (await Promise.all(ran)).flat();
}
