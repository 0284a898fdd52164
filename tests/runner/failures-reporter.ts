import type { Reporter, TestCase } from "vitest/node";

/** Prints what a failed test says as soon as it has failed, because a run that is ended before its end would otherwise say nothing. */
export default class FailuresReporter implements Reporter {
  onTestCaseResult(test: TestCase): void {
    const { state, errors = [] } = test.result();
    if (state !== "failed") return;
    process.stdout.write(`\nFAILED just now: ${test.module.relativeModuleId} > ${test.fullName}\n`);
    for (const { message } of errors) process.stdout.write(`${message}\n`);
  }
}
