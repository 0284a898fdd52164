import { runSteady } from "./runner/steady.ts";
import { select } from "./runner/selection.ts";
import { timesTable } from "./runner/times-table.ts";
import { runWhole } from "./runner/whole.ts";

/**
 * `npm test`: types, lint, unit and server tests, Chromium end to end. Its last line is "N passed, N failed". With a pattern only the
 * files or tests it matches; `--times` says where the time went, `--steady` runs all three times, `--deep` the long series whole.
 */

const flags = new Set(process.argv.slice(2).filter((word) => word.startsWith("--")));
const patterns = process.argv.slice(2).filter((word) => !word.startsWith("--"));
const times = flags.has("--times");

const outcomes = flags.has("--steady")
  ? await runSteady()
  : await runWhole({ times, deep: flags.has("--deep"), ...(patterns.length > 0 && { selection: select(patterns) }) });

if (times) process.stdout.write(timesTable(outcomes));
const passed = outcomes.reduce((sum, outcome) => sum + outcome.passed, 0);
const failed = outcomes.reduce((sum, outcome) => sum + outcome.failed, 0);
for (const failure of outcomes.flatMap(({ failures }) => failures)) process.stdout.write(`\nFAILED ${failure}`);
process.stdout.write(`\n${passed} passed, ${failed} failed\n`);
process.exitCode = failed === 0 && passed > 0 ? 0 : 1;
