import type { Reporter, TestModule } from "vitest/node";
import { waiting } from "./waiting.ts";

/** Prints the conformance list at the end of the suite: row of the specification, test, result; then what waits, by name. */
export default class ListReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[]): void {
    const lines = modules.flatMap((module) =>
      [...module.children.allTests()].map((test) => {
        const { state } = test.result();
        // the outermost group is the row
        return [test.fullName.slice(0, -test.name.length - 3) || test.name, test.name, state] as const;
      }),
    );
    if (lines.length === 0) return;
    process.stdout.write("\nThe specification, row by row\n");
    for (const [row, name, state] of lines.toSorted(([a], [b]) => a.localeCompare(b, "en", { numeric: true }))) {
      process.stdout.write(`  ${state.padEnd(8)}${row}${row === name ? "" : ` · ${name}`}\n`);
    }
    for (const row of waiting) process.stdout.write(`  waiting ${row}\n`);
    const count = (wanted: string) => lines.filter(([, , state]) => state === wanted).length;
    process.stdout.write(`${count("passed")} hold, ${count("failed")} fail, ${waiting.length} wait for their screens\n`);
  }
}
