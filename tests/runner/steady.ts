import { spawn } from "node:child_process";
import type { Outcome } from "./parts.ts";
import { cores } from "./parts.ts";
import { runWhole } from "./whole.ts";

const rounds = ["first", "second", "third, beside processes that take every core"] as const;

const signals = ["SIGINT", "SIGTERM"] as const;

/** The whole three times, the last on a machine that is busy with something else; prints what was not the same each time. */
export async function runSteady(): Promise<Outcome[]> {
  const runs: { readonly round: string; readonly outcomes: readonly Outcome[] }[] = [];
  for (const round of rounds) {
    process.stdout.write(`\n════ ${round}\n`);
    const busy = round === rounds[2] ? Array.from({ length: cores }, () => spawn(process.execPath, ["-e", "for (;;);"])) : [];
    const end = () => {
      for (const process of busy) process.kill("SIGKILL");
    };
    process.once("exit", end);
    // a signal would end this process without its exit being told
    const stop = () => process.exit(1);
    for (const signal of signals) process.once(signal, stop);
    runs.push({ round, outcomes: await runWhole({}) });
    end();
    process.off("exit", end);
    for (const signal of signals) process.off(signal, stop);
  }
  process.stdout.write(differences(runs.map(({ round, outcomes }) => ({ round, tests: testsOf(outcomes) }))));
  return runs.flatMap(({ outcomes }) => outcomes);
}

const testsOf = (outcomes: readonly Outcome[]) => new Map(outcomes.flatMap(({ tests }) => [...tests]));

interface Round {
  readonly round: string;
  readonly tests: ReadonlyMap<string, string>;
}

function differences(runs: readonly Round[]): string {
  const names = new Set(runs.flatMap(({ tests }) => [...tests.keys()]));
  const lines: string[] = [];
  for (const name of names) {
    const fates = runs.map(({ round, tests }) => ({ round, failure: tests.get(name) }));
    const kinds = new Set(fates.map(({ failure }) => (failure === undefined ? "was not run" : failure === "" ? "passed" : "failed")));
    if (kinds.size === 1) continue;
    lines.push(`DIFFERED ${name}`);
    for (const { round, failure } of fates) lines.push(`  ${round}: ${failure === undefined ? "was not run" : failure || "passed"}`);
  }
  const result = lines.length === 0 ? "Each test ended the same way all three times" : lines.join("\n");
  return `\n════ ${result}\n`;
}
