import { appendFileSync } from "node:fs";
import { relative } from "node:path";
import type { Reporter, TestModule } from "vitest/node";
import type { TimeLine } from "../support/times.ts";

/** Notes of each file how long it took to load and to run, beside what its tests note themselves. */
export default class TimesReporter implements Reporter {
  onTestModuleEnd(module: TestModule): void {
    const file = process.env["TIMES"];
    if (file === undefined) return;
    const { environmentSetupDuration, prepareDuration, setupDuration, collectDuration, duration } = module.diagnostic();
    const name = relative(module.project.config.root, module.moduleId);
    const lines: TimeLine[] = [
      { file: name, what: "load", ms: environmentSetupDuration + prepareDuration + setupDuration + collectDuration },
      { file: name, what: "whole", ms: duration },
    ];
    appendFileSync(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(""));
  }
}
