import { AsyncLocalStorage } from "node:async_hooks";
import { appendFileSync } from "node:fs";
import { relative, resolve } from "node:path";
import { expect } from "vitest";

/** What a run spends its time on beside the acts that tests are about. */
export type Spent = "database" | "invariants" | "server" | "browser" | "sign-in" | "rest";

/** A line of the file that TIMES names. */
export interface TimeLine {
  readonly file: string;
  readonly what: Spent | "load" | "whole";
  readonly ms: number;
}

const project = resolve(import.meta.dirname, "../..");
const outer = new AsyncLocalStorage<true>();

/** Does the work; under `npm test -- --times` its time is counted. Work within timed work counts once, as the outer's. */
export async function timed<T>(what: Spent, work: () => T | Promise<T>): Promise<T> {
  const file = process.env["TIMES"];
  if (file === undefined || outer.getStore() === true) return work();
  const began = performance.now();
  try {
    return await outer.run(true, work);
  } finally {
    const path = expect.getState().testPath ?? "";
    const line: TimeLine = { file: relative(project, path), what, ms: performance.now() - began };
    appendFileSync(file, `${JSON.stringify(line)}\n`);
  }
}
